// How a session came to be: every record is a place to go back to.

import { el, fill } from "./dom.js";
import { clock, number } from "./words.js";

const SIGNS = { compaction: "▣", undo: "↶", clear: "✕", fork: "Y" };
const MOST_TICKS = 400;

/** Show the timeline; `at` is the record that is looked at (null: the last), `go` takes another. */
export function showTimeline(section, timeline, at, go) {
  section.hidden = !timeline;
  if (!timeline) return;
  const here = at ?? timeline.count;
  const slider = el("input", { type: "range", min: 0, max: timeline.count, value: here, id: "moment", "aria-label": "Record of the session" });
  slider.value = String(here);
  slider.setAttribute("aria-valuetext", `record ${here} of ${timeline.count}: ${timeline.here}`);
  slider.addEventListener("change", () => go(Number(slider.value)));
  const events = timeline.moments.filter((moment) => SIGNS[moment.kind]);
  const before = events.filter((moment) => moment.at < here).at(-1);
  const next = events.find((moment) => moment.at > here);
  fill(section,
    el("div.now",
      step("◀", "One record back", here > 0 ? () => go(here - 1) : null),
      step("▶", "One record forward", here < timeline.count ? () => go(here + 1) : null),
      el("p", el("b", `Record ${number(here)} of ${number(timeline.count)}`), `: ${timeline.here}`),
      before ? jump(`← ${before.kind}`, before, go) : null,
      next ? jump(`${next.kind} →`, next, go) : null,
      here < timeline.count ? el("button.quiet", { type: "button", onclick: () => go(null) }, "To the end") : null),
    el("div.track", ticks(timeline, go), slider));
}

function step(sign, label, act) {
  return el("button.icon", { type: "button", "aria-label": label, disabled: !act, onclick: act ?? (() => {}) }, sign);
}

function jump(text, moment, go) {
  return el("button.quiet", { type: "button", title: moment.label, onclick: () => go(moment.at) }, text);
}

function ticks(timeline, go) {
  const node = el("div.ticks");
  const prompts = timeline.moments.filter((moment) => moment.kind === "prompt").slice(0, MOST_TICKS);
  const events = timeline.moments.filter((moment) => SIGNS[moment.kind]).slice(0, MOST_TICKS);
  for (const moment of prompts) node.append(placed(el("span.tick"), moment, timeline));
  for (const [at, together] of Map.groupBy(events, (moment) => moment.at)) {
    const moment = together[0];
    const when = moment.time ? `, ${clock(moment.time)}` : "";
    const label = `${together.map((one) => one.label).join("; ")} (record ${at}${when})`;
    const button = el(`button.event.${moment.kind}`, { type: "button", title: label, "aria-label": label }, SIGNS[moment.kind]);
    button.addEventListener("click", () => go(moment.at));
    node.append(placed(button, moment, timeline));
  }
  return node;
}

function placed(node, moment, timeline) {
  node.style.left = `${(100 * moment.at) / Math.max(1, timeline.count)}%`;
  return node;
}
