// A list of any length, of which only what is seen is in the document. Heights are guessed until
// they are measured; what stands at the top stays there whatever the guesses turn out to be.

const OVERSCAN = 900;
const PAGE = 40;
const KEPT_PAGES = 60;

/** Heights of rows with their sums, each in logarithmic time (a Fenwick tree). */
class Heights {
  constructor(count, guess) {
    this.count = count;
    this.each = new Float64Array(count).fill(guess);
    this.tree = new Float64Array(count + 1);
    for (let i = 1; i <= count; i++) {
      this.tree[i] += guess;
      const next = i + (i & -i);
      if (next <= count) this.tree[next] += this.tree[i];
    }
  }

  set(index, height) {
    const more = height - this.each[index];
    this.each[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.tree[i] += more;
  }

  offset(index) {
    let sum = 0;
    for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += this.tree[i];
    return sum;
  }

  find(y) {
    let at = 0;
    let left = y;
    for (let step = 1 << (31 - Math.clz32(this.count || 1)); step > 0; step >>= 1) {
      if (at + step <= this.count && this.tree[at + step] <= left) {
        at += step;
        left -= this.tree[at];
      }
    }
    return Math.max(0, Math.min(at, this.count - 1));
  }
}

export class VirtualList {
  #heights = new Heights(0, 1);
  #mounted = new Map();
  #pages = new Map();
  #anchor = { index: 0, delta: 0 };
  #setTop = -1;
  #due = false;
  #generation = 0;
  #sizes = new ResizeObserver(() => this.refresh());

  constructor({ scroller, canvas, load, render, onDraw, margin = 12 }) {
    Object.assign(this, { scroller, canvas, load, render, onDraw, margin });
    this.count = 0;
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#sizes.observe(scroller);
  }

  /** Begin anew with other rows; `at` is the row that stands at the top. */
  reset(count, guess, at = 0, delta = 0) {
    this.#generation++;
    this.count = count;
    this.#heights = new Heights(count, guess);
    this.#pages.clear();
    this.clear();
    this.#anchor = { index: Math.min(at, Math.max(0, count - 1)), delta };
    this.refresh();
  }

  /** Write all rows anew from the same data, such as after a search. */
  rewrite() {
    this.clear();
    this.refresh();
  }

  clear() {
    for (const node of this.#mounted.values()) this.#sizes.unobserve(node);
    this.#mounted.clear();
    this.canvas.replaceChildren();
  }

  get top() {
    return { index: this.#anchor.index, delta: this.#anchor.delta };
  }

  get mounted() {
    return this.#mounted;
  }

  offset(index) {
    return this.#heights.offset(index);
  }

  data(index) {
    return this.#pages.get(Math.floor(index / PAGE))?.rows?.[index % PAGE];
  }

  /** Bring a row to the top; resolves with its element once it is there. */
  async show(index, below = this.margin) {
    const generation = this.#generation;
    this.#anchor = { index, delta: -below };
    this.#update();
    await this.#pages.get(Math.floor(index / PAGE))?.loading;
    if (generation !== this.#generation) return undefined;
    this.#update();
    return this.#mounted.get(index);
  }

  refresh() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      this.#update();
    });
  }

  #scrolled() {
    const top = this.scroller.scrollTop;
    if (Math.abs(top - this.#setTop) > 1) {
      this.#setTop = -1;
      const index = this.#heights.find(top);
      this.#anchor = { index, delta: top - this.#heights.offset(index) };
    }
    this.refresh();
  }

  #update() {
    if (!this.count || !this.scroller.clientHeight) {
      this.canvas.style.height = "0px";
      this.onDraw?.();
      return;
    }
    for (let round = 0; round < 3 && this.#placed(); round++);
    this.onDraw?.();
  }

  /** Mount what is near, measure it, and place it; whether a measure was another than the guess. */
  #placed() {
    const heights = this.#heights;
    const wanted = heights.offset(this.#anchor.index) + this.#anchor.delta;
    const view = this.scroller.clientHeight;
    const first = heights.find(Math.max(0, wanted - OVERSCAN));
    const last = heights.find(wanted + view + OVERSCAN);
    this.#fetch(first, last);
    this.#unmount(first, last);
    for (let index = first; index <= last; index++) this.#mount(index);
    let changed = false;
    const measures = [...this.#mounted].map(([index, node]) => [index, node.offsetHeight]);
    for (const [index, height] of measures) {
      if (Math.abs(height - heights.each[index]) > 0.5 && this.data(index)) {
        heights.set(index, height);
        changed = true;
      }
    }
    this.canvas.style.height = `${heights.offset(this.count)}px`;
    for (const [index, node] of this.#mounted) {
      node.style.transform = `translateY(${heights.offset(index)}px)`;
    }
    this.#hold(view);
    return changed;
  }

  #hold(view) {
    const most = Math.max(0, this.#heights.offset(this.count) - view);
    const wanted = this.#heights.offset(this.#anchor.index) + this.#anchor.delta;
    const top = Math.max(0, Math.min(most, wanted));
    if (Math.abs(this.scroller.scrollTop - top) > 0.5) this.scroller.scrollTop = top;
    this.#setTop = this.scroller.scrollTop;
  }

  #mount(index) {
    if (this.#mounted.has(index)) return;
    const row = this.data(index);
    if (!row) return;
    const node = this.render(row, index);
    this.#mounted.set(index, node);
    // In the order of the rows, so that the keyboard and a screen reader go through them in it.
    let next = null;
    for (let at = index + 1; at <= index + 80 && !next; at++) next = this.#mounted.get(at) ?? null;
    this.canvas.insertBefore(node, next);
    this.#sizes.observe(node);
  }

  #unmount(first, last) {
    const focused = document.activeElement;
    for (const [index, node] of this.#mounted) {
      if ((index < first || index > last) && !node.contains(focused)) {
        this.#sizes.unobserve(node);
        node.remove();
        this.#mounted.delete(index);
      }
    }
  }

  #fetch(first, last) {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
      const kept = this.#pages.get(page);
      if (kept) continue;
      const generation = this.#generation;
      const entry = { rows: null, loading: null };
      entry.loading = this.load(page * PAGE, Math.min(this.count, (page + 1) * PAGE)).then(
        (rows) => {
          entry.rows = rows;
          if (generation === this.#generation) this.refresh();
        },
        () => {
          if (this.#pages.get(page) === entry) this.#pages.delete(page);
        },
      );
      this.#pages.set(page, entry);
      if (this.#pages.size > KEPT_PAGES) this.#forget(page);
    }
  }

  #forget(near) {
    let farthest = -1;
    for (const page of this.#pages.keys()) {
      if (farthest < 0 || Math.abs(page - near) > Math.abs(farthest - near)) farthest = page;
    }
    this.#pages.delete(farthest);
  }
}
