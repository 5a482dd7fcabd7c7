// What stands above at every width: the settings behind their button on a phone, what can be saved.

import { byId, el, fill } from "./dom.js";
import { number, plural } from "./words.js";

/** Let the buttons of the header do what they say. Called once. */
export function wireHeader() {
  byId("theme").addEventListener("click", changeTheme);
  byId("more-open").addEventListener("click", () => {
    const opens = document.querySelector(".bar").classList.toggle("open");
    byId("more-open").setAttribute("aria-expanded", String(opens));
  });
  byId("choices").addEventListener("click", closeMenus);
  document.addEventListener("click", (event) => {
    if (!byId("saves").contains(event.target)) closeMenus();
  });
}

export function changeTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}

/** Close what lies over the page; whether there was something. */
export function closeMenus() {
  const wasOpen = byId("saves").open;
  byId("saves").open = false;
  return wasOpen;
}

/** What a page that is a file does not hold, where that is so. */
export function showAbout(line, source) {
  const said = source.masked ? ["Texts are replaced by letters of the same number."] : [];
  if (source.leftOut) {
    const { rows, there, places } = source.leftOut;
    said.push(`This file holds the first ${number(there)} of ${plural(rows, "row")};`,
      places ? `${plural(places, "place")} with a problem or repair came later.` : "nothing was wrong later.",
      "All of them: wiremend inspect, with the conversation itself.");
  }
  line.hidden = !said.length;
  fill(line, said.join(" "));
}

/** What can be downloaded of the view that is asked for; nothing of a page that is a file itself. */
export function showSaves(menu, api, asked) {
  menu.hidden = !api.isLive;
  if (!api.isLive) return;
  const choice = (href, download, what, why) => el("a", { href, download }, what, el("small", why));
  fill(byId("choices"),
    choice(api.saveUrl(asked), "mended.json", "The mended request", "JSON, as the provider takes it"),
    choice(api.exportUrl(asked, false), "conversation.html", "This page", "One HTML file that needs nothing else"),
    choice(api.exportUrl(asked, true), "conversation.html", "This page without texts", "Letters for every text: for a bug report"));
}
