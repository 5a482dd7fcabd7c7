// The request as JSON, a chunk a message, with the lines that are not as they were marked.

import { el, marked } from "./dom.js";

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

export function chunkNode(chunk, context) {
  const node = el("div.chunk", { data: { chunk: chunk.index } });
  for (const [text, changed] of chunk.lines) {
    const line = el(changed ? "div.line.changed" : "div.line");
    if (changed) line.append(el("span.hidden", "changed: "));
    line.append(...(context.wanted ? marked(text, context.wanted) : coloured(text)));
    node.append(line);
  }
  return node;
}

function coloured(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(TOKENS)) {
    if (found.index > at) nodes.push(text.slice(at, found.index));
    if (found[1]) {
      nodes.push(el(found[2] ? "span.key" : "span.string", found[1]));
      if (found[2]) nodes.push(found[2]);
    } else {
      nodes.push(el("span.literal", found[3]));
    }
    at = found.index + found[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}
