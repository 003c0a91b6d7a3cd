// The episodes of one run, by number, and found by their words.

import { $, make } from "./lib/dom.js";
import { number } from "./lib/elements.js";
import { asking } from "./lib/get.js";
import { showPages } from "./lib/pages.js";

let start = 0;
const ask = asking((why) => ($("status").textContent = why));

function look() {
  const query = new URLSearchParams({ find: $("find").value, from: String(start) });
  void ask(`episodes.json?${query}`, (run) => {
    $("name").textContent = run.name;
    document.title = `groundling: ${run.name}`;
    $("status").textContent = run.total ? `${run.game}: ${run.found} of ${run.total} recorded games` : "Nothing was recorded here.";
    $("episodes").hidden = !run.found;
    $("rows").replaceChildren(
      ...run.rows.map((/** @type {any[]} */ [place, episode, set, status, score, events]) =>
        make(
          "tr",
          {},
          make("td", {}, String(place)),
          make("th", { scope: "row" }, make("a", { href: `${encodeURIComponent(episode)}/replay` }, episode)),
          make("td", {}, set),
          make("td", { className: status }, status),
          make("td", { className: "n" }, number(score)),
          make("td", { className: "n" }, String(events)),
        ),
      ),
    );
    showPages($("pages"), run.found, run.page, start, (to) => {
      start = to;
      look();
    });
  });
}

$("filter").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
$("find").addEventListener("input", () => {
  start = 0;
  look();
});
look();
