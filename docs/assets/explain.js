// Pasted errors: the box on the page of errors says what `wiremend explain` would, and the search
// finds them. Patterns and answers come from the library (scripts/error_pages.py); nothing leaves the
// page.

/** A text as the patterns want it: on one line, in lower case, without quotes and backslashes. */
function plain(text) {
  return oneLine(text)
    .replace(/[`'"\\\u2018\u2019\u201c\u201d]/g, "")
    .toLowerCase();
}

function oneLine(text) {
  return text
    .replace(/\\{1,8}u([0-9a-fA-F]{4})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\{1,8}[nrt]/g, " ")
    .split(/\s+/)
    .join(" ");
}

/** The words for machines in an error: `"code": "context_length_exceeded"` and the like. */
function codes(text) {
  const coded =
    /["'](?:code|type|error_code|status|reason|__type|error)\\{0,8}["'] ?: ?\\{0,8}["']([\w.#-]{1,100})\\{0,8}["']/g;
  return [...oneLine(text).matchAll(coded)].map((found) => found[1].toLowerCase());
}

/** Make a function that gives the answer to a text, from what the page brings along. */
function answerer({ signs, codes: known, unknown, answers }) {
  const patterns = signs.map(([pattern, answer]) => [new RegExp(pattern), answers[answer]]);
  return (text) => {
    const said = plain(text);
    const sign = patterns.find(([pattern]) => pattern.test(said))?.[1];
    const code = codes(text).find((one) => one in known);
    const coded = code && answers[known[code]];
    // A code for machines counts more than words, but only words name a rule.
    return coded && coded.class !== sign?.class ? coded : (sign ?? answers[unknown]);
  };
}

function element(name, text, children = []) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function shown({ class: name, meaning, rules, next }) {
  const lines = [element("p", "", [element("strong", name), `: ${meaning}`])];
  for (const [code, title, summary] of rules) {
    const link = element("a", `${code} ${title}`);
    link.href = `rules/${code}.html`;
    lines.push(element("p", "", ["rule: ", link, `: ${summary}`]));
  }
  const pieces = next.split("`").map((piece, at) => (at % 2 ? element("code", piece) : piece));
  lines.push(element("p", "", ["next: ", ...pieces]));
  if (next.includes("wiremend")) {
    const [start, logs] = [element("a", "five minutes"), element("a", "a coding agent's session log")];
    [start.href, logs.href] = ["start.html", "logs.html"];
    lines.push(element("p", "", ["how: ", start, " from here to a mended file; or mend ", logs]));
  }
  return lines;
}

const here = document.currentScript.src;
let loaded;

/** What answers a text; its patterns are loaded when they are first needed, from a disk as well. */
function answering() {
  loaded ??= new Promise((done, failed) => {
    const script = element("script");
    script.src = new URL("signs.js", here).href;
    script.onload = () => done(answerer(window.wiremendSigns));
    script.onerror = failed;
    document.head.append(script);
  });
  return loaded;
}

function setUpBox(place) {
  const label = element("label", "Paste it here; it stays on this page:");
  const box = element("textarea");
  box.id = "error-text";
  box.rows = 5;
  box.spellcheck = false;
  box.placeholder = "messages.1: `tool_use` ids were found without `tool_result` blocks …";
  label.htmlFor = box.id;
  const output = element("output");
  output.setAttribute("for", box.id);
  box.addEventListener("input", async () => {
    const answer = await answering();
    output.replaceChildren(...(box.value.trim() ? shown(answer(box.value)) : []));
  });
  place.replaceChildren(label, box, output);
}

/** An error in the words of a search: the code of its rule, or else its own long words. */
async function searchable(text) {
  if (!/\s/.test(text.trim())) return text;
  const [rule] = (await answering())(text).rules;
  if (rule) return rule[0];
  const words = text.split(/[^\w]+/).filter((word) => word.length > 3 && !/\d/.test(word));
  return [...new Set(words)].join(" ");
}

function setUpSearch(search) {
  search.addEventListener("paste", async (event) => {
    event.preventDefault();
    const words = await searchable(event.clipboardData.getData("text"));
    search.setRangeText(words, search.selectionStart, search.selectionEnd, "end");
    search.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  });
}

const place = document.getElementById("explain");
if (place) setUpBox(place);
const search = document.querySelector(".md-search__input");
if (search) setUpSearch(search);
