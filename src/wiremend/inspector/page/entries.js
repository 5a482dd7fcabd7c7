// A message as a card: who, why, and its blocks.

import { el, marked, put } from "./dom.js";
import { STATES, bytes, clock, number, originWords, plural, roleWords } from "./words.js";

const FOLDED = 700;
const LONG_LINES = 16;

/** The cards of one side of a row, or a line that says why there are none. */
export function sideOf(row, side, context) {
  const entries = row[side];
  const node = el(`div.side.${side}`);
  if (!entries.length) {
    node.append(absence(row, side, context));
    return node;
  }
  for (const entry of entries) node.append(card(entry, side, context));
  return node;
}

function absence(row, side, context) {
  const other = side === "left" ? "right" : "left";
  const away = row.links.filter((link) => link[`${side}Row`] !== row.index);
  if (!away.length) {
    const words = side === "left" ? "Not remembered: put in for the provider" : "Left out";
    return el(`p.absent.${side === "left" ? "new" : "gone"}`, words);
  }
  const targets = [...new Set(away.map((link) => link[side]))].sort((a, b) => a - b);
  const text = side === "left" ? "Remembered as " : "Sent in ";
  const node = el("p.absent.away", text);
  targets.forEach((target, at) => {
    const up = away.find((link) => link[side] === target)[`${side}Row`] < row.index;
    node.append(
      at ? ", " : "",
      el("a", { href: context.linkTo(side, target) }, `#${target + 1}`, up ? " ↑" : " ↓"),
    );
  });
  node.dataset.away = other;
  return node;
}

function card(entry, side, context) {
  const id = `${side === "left" ? "h" : "w"}${entry.number + 1}`;
  const state = entry.state ?? "same";
  const node = el(`div.card.${state}.by-${entry.speaker}`, {
    role: "group",
    data: { side, number: entry.number },
    "aria-labelledby": `card-${id}`,
  });
  node.append(head(entry, side, id, state, context));
  const body = el("div.blocks");
  entry.blocks.forEach((block, index) => {
    body.append(blockOf(block, { side, entry: entry.number, path: `${index}` }, context));
  });
  if (!entry.blocks.length) body.append(el("p.nothing", "(nothing)"));
  if (entry.note) body.append(el("p.note-to-model", el("b", "Note to the model: "), marked(entry.note, context.wanted)));
  if (entry.why) body.append(el("p.why", entry.why));
  node.append(body);
  return node;
}

function head(entry, side, id, state, context) {
  const node = el("div.card-head", { id: `card-${id}` });
  put(node,
    el("a.num", { href: context.linkTo(side, entry.number), title: "A link to this message" }, `#${entry.number + 1}`),
    el("span.who", roleWords(entry.role)),
    placeOf(entry),
  );
  if (entry.origin) {
    const [word, meaning] = originWords(entry.origin.kind);
    const detail = Object.entries(entry.origin.detail ?? {}).map(([key, value]) => `${key}: ${value}`);
    node.append(el(`span.tag.origin-${safe(entry.origin.kind)}`, { title: [meaning, ...detail].join("\n") },
      entry.origin.detail?.variant ? `${word}: ${entry.origin.detail.variant}` : word));
  }
  if (entry.partial) node.append(el("span.tag.plain", { title: "a step that has not ended" }, "unfinished"));
  if (entry.failed) node.append(el("span.tag.bad", "failed"));
  if (state !== "same") node.append(el(`span.state.${state}`, STATES[state].label));
  const facts = [];
  if (entry.time) facts.push(clock(entry.time));
  facts.push(`~${plural(entry.tokens ?? 0, "token")}`);
  node.append(el("span.facts", facts.join(" · ")));
  return node;
}

/** Where it stands in the request, as providers' errors say it. */
function placeOf(entry) {
  const steps = (entry.pointer ?? "").split("/").slice(1);
  return steps.length > 1 ? el("code.place", { title: "Its place in the request" }, steps.join(".")) : null;
}

function safe(word) {
  return /^[a-z_]{1,30}$/.test(word) ? word : "other";
}

function blockOf(block, place, context) {
  const make = MAKERS[block.kind] ?? otherBlock;
  const node = make(block, place, context);
  const state = block.state ?? "same";
  node.classList.add("block", state);
  if (state !== "same") node.title = STATES[state].label;
  return node;
}

const MAKERS = {
  text: textBlock,
  thinking: thinkingBlock,
  call: callBlock,
  result: resultBlock,
  image: mediaBlock,
  audio: mediaBlock,
  video: mediaBlock,
  document: mediaBlock,
  tools: otherBlock,
  other: otherBlock,
};

function textBlock(block, place, context) {
  const node = el("div.text");
  node.append(...longText(block, place, context));
  return node;
}

/** A text, cut where it is long, with a button for the rest. */
function longText(block, place, context) {
  const text = block.text ?? "";
  if (!text) return [el("p.nothing", "(empty)")];
  if (!text.trim() && !block.more) return [el("p.nothing", `(blank: ${plural(text.length, "character")} of white space)`)];
  const shown = el("div.said");
  shown.append(...marked(text, context.wanted));
  const isLong = block.more || text.length > FOLDED || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
  if (!isLong) return [shown];
  shown.classList.add("folded");
  const total = text.length + (block.more ?? 0);
  const button = el("button.more", { type: "button", "aria-expanded": "false" }, `Show all ${number(total)} characters`);
  button.addEventListener("click", async () => {
    const opens = shown.classList.contains("folded");
    if (opens && block.more) {
      button.disabled = true;
      try {
        block.text = await context.api.text(context.wishes(), place);
        delete block.more;
        shown.replaceChildren(...marked(block.text, context.wanted));
      } catch (error) {
        context.say(error.message);
        return;
      } finally {
        button.disabled = false;
      }
    }
    shown.classList.toggle("folded", !opens);
    button.setAttribute("aria-expanded", String(opens));
    button.textContent = opens ? "Fold" : `Show all ${number(total)} characters`;
  });
  return [shown, button];
}

function thinkingBlock(block, place, context) {
  const size = (block.text ?? "").length + (block.more ?? 0);
  const what = size ? plural(size, "character") : "hidden, for the provider alone";
  const node = el("details.thinking", el("summary", `Thinking · ${what}`));
  node.append(...longText(block, place, context));
  return node;
}

function idTag(call, context) {
  if (!call) return el("span.id.none", "no id");
  const tag = el("span.id", { data: { call }, title: "Ties a call to its result" }, marked(call, context.wanted));
  return tag;
}

function callBlock(block, place, context) {
  const node = el("div.call");
  node.append(el("p.doing", el("span.arrow", { "aria-hidden": "true" }, "→"), " calls ",
    el("b", marked(block.name || "(no name)", context.wanted)), " ", idTag(block.call, context)));
  if (block.text) node.append(...longText({ ...block, text: pretty(block) }, place, context));
  return node;
}

function pretty(block) {
  if (block.more || block.text.length > 2000) return block.text;
  try {
    const value = JSON.parse(block.text);
    const lines = value && typeof value === "object" && Object.keys(value).length > 1;
    return lines ? JSON.stringify(value, null, 2) : block.text;
  } catch {
    return block.text;
  }
}

function resultBlock(block, place, context) {
  const node = el("div.result");
  node.append(el("p.doing", el("span.arrow", { "aria-hidden": "true" }, "←"),
    block.failed ? " failed result of " : " result of ",
    block.name ? el("b", marked(block.name, context.wanted)) : null, block.name ? " " : null,
    idTag(block.call, context)));
  const parts = block.parts ?? [];
  parts.forEach((part, index) => {
    node.append(blockOf(part, { ...place, path: `${place.path}.${index}` }, context));
  });
  if (!parts.length) node.append(el("p.nothing", "(empty)"));
  return node;
}

function mediaBlock(block, place, context) {
  const node = el("figure.media");
  const url = block.url ?? (block.picture ? context.api.pictureUrl(context.wishes(), place) : null);
  if (url) {
    const picture = el("img", { alt: `The ${block.kind} of this message`, loading: "lazy" });
    picture.addEventListener("error", () => picture.replaceWith(el("p.nothing", "(this picture is damaged)")));
    picture.src = url;
    node.append(picture);
  }
  if (block.text) node.append(...longText(block, place, context));
  const facts = [block.kind, block.name, block.label, block.bytes ? bytes(block.bytes) : ""];
  if (block.address) facts.push(`at ${block.address} (not loaded)`);
  node.append(el("figcaption", marked(facts.filter(Boolean).join(" · "), context.wanted)));
  return node;
}

function otherBlock(block, place, context) {
  const name = block.kind === "tools" ? "Declares tools" : `${block.name || "A block"} (as JSON)`;
  const node = el("details.other", el("summary", name));
  node.append(...longText(block, place, context));
  return node;
}
