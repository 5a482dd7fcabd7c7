// What was wrong and what was done, in plain words, under the messages that it is about.

import { el } from "./dom.js";

export function notesOf(row, context) {
  const notes = [
    ...row.problems.map((problem) => problemNote(problem, context, "Would be refused")),
    ...row.repairs.map((repair) => repairNote(repair, context)),
    ...row.remaining.map((problem) => problemNote(problem, context, "Still refused")),
  ];
  return notes.length ? el("div.notes", notes) : null;
}

export function problemNote(problem, context, word) {
  const node = el("details.note.problem");
  node.append(
    el("summary", el("span.badge", word), " ", problem.message, " ", el("code.code-tag", problem.code)),
    el("p.label", "The provider's words"),
    el("blockquote", problem.providerError),
  );
  node.append(...ruleText(problem.code, context));
  if (problem.pointer) node.append(el("p.pointer", "at ", el("code", problem.pointer)));
  return node;
}

export function repairNote(repair, context) {
  const node = el("details.note.repair");
  node.append(
    el("summary", el("span.badge", repair.silent ? "Closed" : "Repaired"), " ", sentence(repair.said), " ",
      repair.rules.length ? el("code.code-tag", repair.rules[0]) : null),
    el("p", repair.doc),
  );
  if (repair.silent) {
    node.append(el("p", "It is the last step, which may still be running: this is no fault."));
  }
  for (const code of repair.rules.slice(0, 3)) node.append(...ruleText(code, context));
  return node;
}

function ruleText(code, context) {
  const rule = context.summary.rules[code];
  if (!rule) return [];
  return [el("p.rule", el("b", `${code} ${rule.name}: `), rule.doc || rule.summary)];
}

export function sentence(said) {
  return said ? said[0].toUpperCase() + said.slice(1) + (said.endsWith(".") ? "" : ".") : "";
}
