// Making elements. Text only ever goes in as text: nothing in a transcript can become markup.

const ATTRIBUTES = new Set([
  "id", "type", "for", "role", "title", "value", "href", "download", "open", "hidden", "tabindex",
  "min", "max", "step", "alt", "loading", "disabled",
]);

/** An element: `el("p.note", { title: "…" }, "text", anotherElement)`. */
export function el(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  const first = rest[0];
  if (first && typeof first === "object" && !(first instanceof Node) && !Array.isArray(first)) {
    setAll(node, rest.shift());
  }
  put(node, ...rest);
  return node;
}

function setAll(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      node.addEventListener(key.slice(2), value);
    } else if (key === "data") {
      for (const [name, text] of Object.entries(value)) node.dataset[name] = String(text);
    } else if (ATTRIBUTES.has(key) || key.startsWith("aria-")) {
      node.setAttribute(key, value === true ? "" : String(value));
    } else {
      throw new Error(`no attribute ${key}`);
    }
  }
}

/** Append texts and elements; nothing for null, undefined, false and "". */
export function put(node, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Put these in the place of all that is in there. */
export function fill(node, ...children) {
  node.replaceChildren();
  return put(node, ...children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** The text as nodes, with what is searched for marked. */
export function marked(text, wanted) {
  if (!wanted) return [text];
  const nodes = [];
  const plain = text.toLowerCase();
  const needle = wanted.toLowerCase();
  // Where lower case has another length, places do not fit, and nothing is marked.
  if (plain.length !== text.length || !needle) return [text];
  let start = 0;
  for (let at = plain.indexOf(needle); at >= 0 && nodes.length < 400; at = plain.indexOf(needle, start)) {
    if (at > start) nodes.push(text.slice(start, at));
    nodes.push(el("mark", text.slice(at, at + needle.length)));
    start = at + needle.length;
  }
  nodes.push(text.slice(start));
  return nodes;
}
