// The page: what is looked at is in its address, and everything follows from that.

import { openApi } from "./api.js";
import { chunkNode } from "./body.js";
import { byId, el, fill } from "./dom.js";
import { sideOf } from "./entries.js";
import { changeTheme, closeMenus, showAbout, showSaves, wireHeader } from "./header.js";
import { drawLinks } from "./links.js";
import { showItems } from "./listing.js";
import { notesOf, problemNote, repairNote, sentence } from "./notes.js";
import { showTimeline } from "./timeline.js";
import { VirtualList } from "./virtual.js";
import { KEYS, STATES, number, plural, providerName, verdictWords } from "./words.js";

const api = openApi();
const state = {
  source: null, items: [], summary: null, item: 0, wishes: {}, at: null, tab: "rows",
  current: -1, wanted: "", found: [], foundAt: -1, chunk: -1,
};

const context = {
  api,
  get wanted() { return state.wanted; },
  get summary() { return state.summary; },
  wishes: () => asked(),
  say,
  linkTo: (side, entry) => address({ entry: `${side === "left" ? "h" : "w"}${entry + 1}` }),
};

const rows = new VirtualList({
  scroller: byId("rows"), canvas: byId("canvas"),
  load: (start, end) => api.rows(asked(), start, end).catch(failed),
  render: rowNode,
  onDraw: () => drawLinks(byId("links"), byId("rows"), rows),
});
const body = new VirtualList({
  scroller: byId("body"), canvas: byId("body-canvas"), margin: 40,
  load: (start, end) => api.chunks(asked(), start, end).catch(failed),
  render: (chunk) => chunkNode(chunk, context),
});

// --- the address ---

function asked() {
  return { item: state.item, for: state.wishes.for, strict: state.wishes.strict, media: state.wishes.media, at: state.at };
}

function address(more = {}) {
  const kept = new URLSearchParams();
  const all = { item: state.item || (state.source.kind === "journal" ? 0 : null), for: state.wishes.for, strict: state.wishes.strict ? "1" : null,
    media: state.wishes.media, at: state.at, tab: state.tab === "rows" ? null : state.tab, ...more };
  for (const [key, value] of Object.entries(all)) {
    if (value !== null && value !== undefined && value !== "") kept.set(key, String(value));
  }
  return `#${kept}`;
}

function readAddress() {
  const kept = new URLSearchParams(location.hash.slice(1));
  // Of a journal the newest is looked at, unless the address says which.
  const usual = state.source.kind === "journal" ? Math.max(0, state.items.length - 1) : 0;
  state.item = Number(kept.get("item") ?? usual) || 0;
  state.at = kept.has("at") ? Number(kept.get("at")) : null;
  state.wishes = { for: kept.get("for") ?? "", strict: kept.get("strict") === "1", media: kept.get("media") ?? "" };
  state.tab = kept.get("tab") === "body" ? "body" : "rows";
  return kept.get("entry");
}

async function go(change, { keepsPlace = false } = {}) {
  Object.assign(state, change);
  history.pushState(null, "", address());
  await load({ keepsPlace });
}

// --- loading ---

async function start() {
  try {
    state.source = await api.source();
    state.items = state.source.items;
  } catch (error) {
    failed(error);
    return;
  }
  byId("title").textContent = state.source.title.split(/[\\/]/).pop();
  byId("title").title = state.source.title;
  document.title = `${state.source.title} – wiremend`;
  fill(byId("for"), state.source.dialects.map((name) => el("option", { value: name }, providerName(name))));
  // The file of a static page holds one view.
  byId("switches").hidden = !api.isLive;
  showAbout(byId("about"), state.source);
  const entry = readAddress();
  await load({ entry });
  if (state.source.kind === "journal") setInterval(poll, 1500);
}

let loading = 0;

async function load({ entry = null, keepsPlace = false } = {}) {
  const mine = ++loading;
  const item = state.items[state.item];
  showItems(byId("items"), state.source, state.items, state.item, (index) => go({ item: index, at: null, wishes: {} }));
  if (!item) return nothing("There is nothing here yet.", state.source.kind === "journal" ? ["Requests appear here as they go through the proxy."] : []);
  if (item.hasContent === false) return nothing(item.title, [item.subtitle, ...(item.detail ?? []), "The conversation was not kept: start the proxy with --journal-content to see it here."]);
  document.body.classList.add("loading");
  if (!state.summary) {
    byId("verdict").className = "verdict busy";
    fill(byId("verdict"), el("h2", "Reading the conversation …"));
  }
  let summary;
  try {
    summary = await api.view(asked());
  } catch (error) {
    if (mine === loading) nothing("This conversation cannot be shown.", [error.message]);
    return undefined;
  } finally {
    if (mine === loading) document.body.classList.remove("loading");
  }
  if (mine !== loading) return undefined;
  const place = keepsPlace ? rows.top : { index: 0, delta: 0 };
  state.summary = summary;
  state.current = -1;
  byId("for").value = summary.dialect;
  byId("strict").checked = summary.strict;
  byId("media").value = summary.media ?? "";
  showVerdict();
  showHeads();
  showTimeline(byId("timeline"), summary.timeline, state.at, (at) => go({ at: at === summary.timeline.count ? null : at }));
  showTab();
  rows.reset(summary.rows, 150, place.index, place.delta);
  body.reset(summary.bodyChunks, 120);
  if (state.wanted) await search(state.wanted, false);
  if (entry) await showEntry(entry);
  return undefined;
}

function nothing(headline, lines) {
  document.body.classList.remove("loading");
  state.summary = null;
  rows.reset(0, 1);
  body.reset(0, 1);
  fill(byId("heads"));
  fill(byId("jumps"));
  byId("saves").hidden = true;
  byId("timeline").hidden = true;
  const section = byId("verdict");
  section.className = "verdict plain";
  fill(section, el("h2", headline), lines.filter(Boolean).map((line) => el("p", line)));
  return undefined;
}

async function poll() {
  if (document.hidden) return;
  try {
    const news = await api.items(state.items.length);
    if (news.count < state.items.length) state.items = news.items;
    else if (news.items.length) state.items.push(...news.items);
    else return;
  } catch {
    return;
  }
  const wasEmpty = !state.summary;
  showItems(byId("items"), state.source, state.items, state.item, (index) => go({ item: index, at: null, wishes: {} }));
  say(`${plural(state.items.length, "request")} now`);
  if (wasEmpty && state.item === 0 && state.items.length) await load();
}

// --- what stands above ---

const NO_PLACES = { fine: "nothing to repair", left: "it is about the whole request" };

function showVerdict() {
  const { summary } = state;
  const [tone, headline, line] = verdictWords(summary);
  const section = byId("verdict");
  section.className = `verdict ${tone}`;
  fill(section, el("h2", headline), el("p", line));
  const mends = mendingCommand(summary);
  if (mends) section.append(el("p.mends", el("span.label", "Mend it"), el("code", mends), el("span.label", " or Save")));
  const happened = state.items[state.item].detail;
  if (happened?.length) section.append(el("p.happened", el("span.label", "What happened"), happened.join(" · ")));
  const first = summary.problems[0] ?? summary.remaining[0];
  if (first) section.append(el("blockquote", { tabindex: "0" }, el("span.label", "It would answer"), first.providerError));
  const listed = [
    ...summary.problems.map((one) => [one, () => problemNote(one, context, "Would be refused")]),
    ...summary.remaining.map((one) => [one, () => problemNote(one, context, "Still refused")]),
    ...summary.repairs.map((one) => [one, () => repairNote(one, context)]),
  ];
  if (listed.length || summary.lost.length) section.append(overview(summary, listed));
}

/** What is typed to get what is shown; "" where no command does, or nothing has to be mended. */
function mendingCommand(summary) {
  const { mends } = state.source;
  if (!mends || !summary.problemCount || summary.verdict === "failed") return "";
  const wishes = [state.wishes.for && ` --for ${summary.dialect}`, summary.strict && " --strict",
    summary.media && ` --media ${summary.media}`].filter(Boolean);
  return (state.wishes.for ? mends.replace(/ --for \S+/, "") : mends) + wishes.join("");
}

function overview(summary, listed) {
  const count = summary.problemCount + summary.remainingCount + summary.repairCount;
  const what = [summary.problemCount && plural(summary.problemCount, "problem"),
    summary.remainingCount && `${number(summary.remainingCount)} not repaired`, summary.repairCount && plural(summary.repairCount, "repair"),
    summary.lost.length && plural(summary.lost.length, "thing") + " left behind"];
  // What has no row is told of nowhere else.
  const node = el("details.overview", { open: !markRows().length }, el("summary", `See all: ${what.filter(Boolean).join(", ")}`));
  node.addEventListener("toggle", () => {
    if (!node.open || node.querySelector("ul")) return;
    const list = el("ul");
    for (const [one, make] of listed) {
      const where = one.row >= 0
        ? el("button.quiet", { type: "button", onclick: () => showRow(one.row) }, `Row ${number(one.row + 1)}`)
        : el("span.quiet", "Whole request");
      list.append(el("li", where, make()));
    }
    for (const lost of summary.lost) {
      list.append(el("li", el("span.quiet", "Left behind"), el("p", `${sentence(lost.what).replace(/\.$/, "")} of ${lost.where}: the other format has no place for it.`)));
    }
    if (listed.length < count) list.append(el("li", el("p", `… and ${number(count - listed.length)} more, ${state.source.leftOut ? "not all in this file" : "marked in the rows"}`)));
    node.append(list);
  });
  return node;
}

function showHeads() {
  const { summary } = state;
  const side = (title, words, counts) => el("div.head",
    el("h2", title), el("p", words),
    el("span.facts", `${plural(counts.entries, "message")} · ~${plural(counts.tokens, "token")}`));
  fill(byId("heads"),
    side("Remembered", "what the agent has", summary.left),
    el("div.gap", { "aria-hidden": "true" }),
    side("Sent", `what ${providerName(summary.dialect)} gets`, summary.right));
  const marks = markRows();
  fill(byId("jumps"),
    marks.length ? el("button", { type: "button", id: "mark-before", onclick: () => nextMark(-1), "aria-label": "Previous repair or problem" }, "↑") : null,
    marks.length ? el("button", { type: "button", id: "mark-next", onclick: () => nextMark(1), "aria-label": "Next repair or problem" }, el("span.wide", "Next repair "), "↓") : null,
    el("span.facts", { id: "mark-count" }, marks.length ? plural(marks.length, "place") : NO_PLACES[summary.verdict] ?? ""));
  showSaves(byId("saves"), api, asked());
}

function showTab() {
  for (const name of ["rows", "body"]) {
    const chosen = state.tab === name;
    byId(`tab-${name}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${name}`).tabIndex = chosen ? 0 : -1;
    byId(`pane-${name}`).hidden = !chosen;
  }
  (state.tab === "rows" ? rows : body).refresh();
}

function choose(tab) {
  state.tab = tab;
  history.replaceState(null, "", address());
  showTab();
}

// --- rows ---

function rowNode(row, index) {
  const states = [...row.left, ...row.right].map((entry) => entry.state ?? "same");
  const worst = ["dropped", "added", "moved", "changed"].find((one) => states.includes(one)) ?? "same";
  const node = el(`article.row.is-${worst}`, {
    tabindex: "-1", data: { row: index }, "aria-posinset": index + 1, "aria-setsize": rows.count,
    "aria-label": `Row ${index + 1}: ${STATES[worst].label}`,
  });
  if (index === state.current) node.classList.add("current");
  if (row.problems.length || row.remaining.length) node.classList.add("has-problem");
  if (row.repairs.length) node.classList.add("has-repair");
  node.append(el("div.pair", sideOf(row, "left", context),
    el("div.middle", el(`span.sign.${worst}`, { title: STATES[worst].label, "aria-hidden": "true" }, STATES[worst].sign)),
    sideOf(row, "right", context)));
  const notes = notesOf(row, context);
  if (notes) node.append(notes);
  return node;
}

function markRows() {
  const { summary } = state;
  return summary ? [...new Set([...summary.repairRows, ...summary.problemRows])].sort((a, b) => a - b) : [];
}

async function showRow(index, { focus = true } = {}) {
  if (!state.summary || index < 0 || index >= rows.count) return;
  if (state.tab !== "rows") choose("rows");
  byId("canvas").querySelector(".current")?.classList.remove("current");
  state.current = index;
  const node = await rows.show(index);
  if (!node) return;
  node.classList.add("current");
  if (focus) node.focus({ preventScroll: true });
}

function nextMark(direction) {
  if (state.tab === "body") {
    const changed = state.summary?.bodyChanged ?? [];
    const next = direction > 0 ? changed.find((one) => one > state.chunk) : changed.findLast((one) => one < state.chunk);
    state.chunk = next ?? changed[direction > 0 ? 0 : changed.length - 1] ?? 0;
    body.show(state.chunk);
    return;
  }
  const marks = markRows();
  if (!marks.length) return;
  const from = state.current;
  const next = direction > 0 ? marks.find((one) => one > from) : marks.findLast((one) => one < from);
  const target = next ?? marks[direction > 0 ? 0 : marks.length - 1];
  showRow(target);
  const place = marks.indexOf(target) + 1;
  byId("mark-count").textContent = `${place} of ${marks.length}`;
  say(`Place ${place} of ${marks.length}`);
}

async function showEntry(name) {
  const found = /^([hw])(\d{1,9})$/.exec(name);
  if (!found || !state.summary) return;
  const side = found[1] === "h" ? "left" : "right";
  const index = await rowOfEntry(side, Number(found[2]) - 1);
  if (index >= 0) await showRow(index);
}

/** The row of an entry: rows hold entries in their order, so it is found by halving. */
async function rowOfEntry(side, entry) {
  let low = 0;
  let high = rows.count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const around = await api.rows(asked(), middle, Math.min(rows.count, middle + 40));
    const row = around.find((one) => one[side].length);
    if (!row) {
      high = middle - 1;
      continue;
    }
    const exact = around.find((one) => one[side].some((each) => each.number === entry));
    if (exact) return exact.index;
    if (row[side][0].number > entry) high = middle - 1;
    else low = middle + around.length;
  }
  return -1;
}

// --- search ---

let typing = 0;

async function search(wanted, jumps = true) {
  state.wanted = wanted;
  state.found = wanted && state.summary ? await api.search(asked(), wanted).catch(failed) ?? [] : [];
  if (state.wanted !== wanted) return;
  state.foundAt = -1;
  byId("found").textContent = wanted ? plural(state.found.length, "row") : "";
  byId("found-before").hidden = byId("found-next").hidden = !state.found.length;
  rows.rewrite();
  body.rewrite();
  if (jumps && state.found.length) nextFound(1, false);
}

function nextFound(direction, focus = true) {
  if (!state.found.length) return;
  const count = state.found.length;
  state.foundAt = (state.foundAt + direction + count) % count;
  byId("found").textContent = `${state.foundAt + 1} of ${plural(count, "row")}`;
  showRow(state.found[state.foundAt], { focus });
}

// --- keys and buttons ---

function pressed(event) {
  const typingIn = event.target.closest("input:not([type=checkbox], [type=range]), select, textarea");
  if (event.key === "Escape" && closeMenus()) {
    byId("saves").querySelector("summary").focus();
    return;
  }
  if (event.key === "Escape" && event.target.id === "search") {
    byId("rows").focus();
    return;
  }
  if (typingIn || event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const act = {
    n: () => nextMark(1), N: () => nextMark(-1),
    j: () => showRow(Math.min(rows.count - 1, state.current + 1)), k: () => showRow(Math.max(0, state.current - 1)),
    g: () => showRow(0), G: () => showRow(rows.count - 1),
    "/": () => byId("search").focus(), o: () => toggleCurrent(),
    1: () => choose("rows"), 2: () => choose("body"),
    "[": () => stepMoment(-1), "]": () => stepMoment(1),
    t: () => changeTheme(), "?": () => showHelp(),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function toggleCurrent() {
  const node = rows.mounted.get(state.current);
  if (!node) return;
  const all = [...node.querySelectorAll("details")];
  const opens = all.some((one) => !one.open) || node.querySelector(".said.folded") !== null;
  for (const one of all) one.open = opens;
  for (const button of node.querySelectorAll("button.more")) {
    if ((button.getAttribute("aria-expanded") === "true") !== opens) button.click();
  }
}

function stepMoment(by) {
  const timeline = state.summary?.timeline;
  if (!timeline) return;
  const at = Math.max(0, Math.min(timeline.count, (state.at ?? timeline.count) + by));
  go({ at: at === timeline.count ? null : at });
}

function showHelp() {
  const dialog = byId("help");
  fill(dialog,
    el("h2", { id: "help-title" }, "How to read this"),
    el("p", "On the left is what the agent remembers, on the right what is sent to the provider. A provider refuses a request whose messages do not fit together, with a 400. What would be refused is marked, and so is what was repaired."),
    el("ul.legend", Object.values(STATES).map(({ sign, label }) => el("li", el("b", sign), ` ${label}`))),
    el("table", el("tbody", KEYS.map(([keys, words]) => el("tr", el("th", el("kbd", keys)), el("td", words))))),
    el("button", { type: "button", onclick: () => dialog.close() }, "Close"));
  dialog.showModal();
}

function say(words) {
  byId("say").textContent = words;
}

function failed(error) {
  say(error.message);
  const section = byId("verdict");
  section.className = "verdict bad";
  fill(section, el("h2", "Something went wrong."), el("p", error.message));
  return [];
}

/** A call and its result show each other while one of them is pointed at. */
function tie(event) {
  const tag = event.target.closest?.(".id[data-call]");
  for (const one of document.querySelectorAll(".id.tied")) one.classList.remove("tied");
  if (!tag) return;
  for (const one of document.querySelectorAll(".id[data-call]")) {
    if (one.dataset.call === tag.dataset.call) one.classList.add("tied");
  }
}

byId("for").addEventListener("change", (event) => go({ wishes: { ...state.wishes, for: event.target.value } }, { keepsPlace: true }));
byId("media").addEventListener("change", (event) => go({ wishes: { ...wishesNow(), media: event.target.value } }, { keepsPlace: true }));
byId("strict").addEventListener("change", (event) => go({ wishes: { ...wishesNow(), strict: event.target.checked } }, { keepsPlace: true }));
byId("switches").addEventListener("submit", (event) => event.preventDefault());
byId("search").addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(() => search(event.target.value), 180);
});
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") nextFound(event.shiftKey ? -1 : 1, false);
});
byId("found-next").addEventListener("click", () => nextFound(1));
byId("found-before").addEventListener("click", () => nextFound(-1));
wireHeader();
byId("help-open").addEventListener("click", showHelp);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("rows").focus();
});
for (const name of ["rows", "body"]) {
  byId(`tab-${name}`).addEventListener("click", () => choose(name));
  byId(`tab-${name}`).addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const other = name === "rows" ? "body" : "rows";
    choose(other);
    byId(`tab-${other}`).focus();
  });
}
document.addEventListener("keydown", pressed);
document.addEventListener("mouseover", tie);
window.addEventListener("popstate", async () => load({ entry: readAddress() }));
window.addEventListener("hashchange", () => {
  const entry = new URLSearchParams(location.hash.slice(1)).get("entry");
  if (entry) showEntry(entry);
});

function wishesNow() {
  return { ...state.wishes, for: state.wishes.for };
}

start();
