// The list of conversations, sessions or requests at the side.

import { el, fill } from "./dom.js";
import { plural } from "./words.js";

const MOST = 2000;
const MARKS = { ok: "taken", refused: "would be refused" };
const MARKS_OF_JOURNAL = { ok: "taken", repaired: "repaired or sent again", refused: "refused" };
const NOUNS = { file: "conversation", log: "conversation", session: "session", journal: "request" };

/** Show the items; `choose` is called with the number of one. The newest request comes first. */
export function showItems(nav, source, items, current, choose) {
  nav.hidden = items.length < 2 && source.kind !== "journal";
  const numbered = items.map((item, index) => [item, index]);
  const shown = source.kind === "journal" ? numbered.slice(-MOST).reverse() : numbered.slice(0, MOST);
  const head = el("p.items-head", plural(items.length, NOUNS[source.kind]));
  if (source.kind === "journal") head.append(el("span.live", { title: "New requests appear as they come in" }, "live"));
  const list = el("ul");
  const marks = source.kind === "journal" ? MARKS_OF_JOURNAL : MARKS;
  for (const [item, index] of shown) list.append(itemOf(item, index, index === current, choose, marks));
  const kept = nav.querySelector("ul")?.scrollTop ?? 0;
  fill(nav, head, list);
  if (items.length > MOST) nav.append(el("p.items-head", `${MOST} of them are listed`));
  list.scrollTop = kept;
  if (nav.dataset.current === String(current)) return;
  nav.dataset.current = String(current);
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function itemOf(item, index, isCurrent, choose, marks) {
  const button = el("button", { type: "button", "aria-current": isCurrent ? "true" : null, data: { item: index } },
    item.mark ? el(`span.dot.${item.mark}`, { role: "img", "aria-label": marks[item.mark], title: marks[item.mark] }) : null,
    el("span.item-title", item.title),
    item.subtitle ? el("span.item-sub", item.subtitle) : null);
  button.addEventListener("click", () => choose(index));
  return el("li", button);
}
