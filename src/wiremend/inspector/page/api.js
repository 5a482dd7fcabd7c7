// Where views come from: the server that made this page, or the page itself where it is one file.

class Live {
  isLive = true;

  async get(name, query = {}) {
    let answer;
    try {
      answer = await fetch(this.#url(name, query), { headers: { accept: "application/json" } });
    } catch {
      throw new Error("wiremend does not answer any more: start `wiremend inspect` again");
    }
    const value = await answer.json();
    if (!answer.ok) throw new Error(value.error);
    return value;
  }

  source() { return this.get("source"); }
  items(after) { return this.get("items", { after }); }
  view(wishes) { return this.get("view", wishes); }
  rows(wishes, start, end) { return this.get("rows", { ...wishes, start, end }); }
  chunks(wishes, start, end) { return this.get("json", { ...wishes, start, end }); }
  search(wishes, q) { return this.get("search", { ...wishes, q }); }
  text(wishes, place) { return this.get("text", { ...wishes, ...place }); }

  pictureUrl(wishes, place) { return this.#url("picture", { ...wishes, ...place }); }
  saveUrl(wishes) { return this.#url("save", wishes); }
  exportUrl(wishes, placeholders) { return this.#url("export", { ...wishes, placeholders }); }

  #url(name, query) {
    const asked = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value !== null && value !== undefined && value !== "" && value !== false) {
        asked.set(key, value === true ? "1" : String(value));
      }
    }
    return `api/${name}?${asked}`;
  }
}

class Fixed {
  isLive = false;

  constructor(data) { this.data = data; }

  async source() {
    return { ...this.data.source, dialects: [this.data.summary.dialect] };
  }
  async items() { return { count: 1, items: [] }; }
  async view() { return this.data.summary; }
  async rows(_, start, end) { return this.data.rows.slice(start, end); }
  async chunks(_, start, end) { return this.data.chunks.slice(start, end); }
  async text() { throw new Error("the text is whole"); }

  async search(_, wanted) {
    const needle = wanted.toLowerCase();
    const found = [];
    for (const row of this.data.rows) {
      const texts = [...row.left, ...row.right].flatMap((entry) => entryTexts(entry));
      if (needle && texts.some((text) => text.toLowerCase().includes(needle))) found.push(row.index);
    }
    return found;
  }

  pictureUrl() { return null; }
}

function entryTexts(entry) {
  const blocks = entry.blocks.flatMap((block) => [block, ...(block.parts ?? [])]);
  return [entry.role, entry.note ?? "", entry.origin?.kind ?? ""].concat(
    blocks.flatMap((block) => [block.text ?? "", block.name ?? "", block.call ?? ""]),
  );
}

export function openApi() {
  const kept = document.getElementById("data");
  return kept ? new Fixed(JSON.parse(kept.textContent)) : new Live();
}
