// The episodes of one run, by number, and found by their words.

import { $, make } from "./lib/dom.js";
import { number } from "./lib/elements.js";
import { asking } from "./lib/queries.js";
import { jump } from "./lib/jump.js";
import { showPages } from "./lib/pages.js";

const asked = new URLSearchParams(location.search);
const at = () => Math.max(0, Number.parseInt(asked.get("from") ?? "0", 10) || 0);
const ask = asking((why) => ($("status").textContent = why));

function look() {
  const start = at();
  const query = new URLSearchParams({ find: asked.get("find") ?? "", from: String(start) });
  void ask(`episodes.json?${query}`, (run) => {
    $("name").textContent = run.name;
    document.title = `groundling: ${run.name}`;
    $("status").textContent = run.total
      ? `${run.game}: ${run.found} of ${run.total} recorded games`
      : "Nothing was recorded here.";
    if (run.total && !$("jump").firstChild)
      $("jump").append(jump("./", run.total, (why) => ($("trouble").textContent = why)));
    $("episodes").hidden = !run.rows.length;
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
    showPages($("pages"), run.found, run.page, start, (to) => turn("from", to ? String(to) : ""));
  });
}

/**
 * What is shown is in the address, so that a person who comes back finds it again.
 * @param {string} name
 * @param {string} value
 */
function turn(name, value) {
  asked.delete("from");
  value ? asked.set(name, value) : asked.delete(name);
  history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
  look();
}

$("filter").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
$("find").value = asked.get("find") ?? "";
$("find").addEventListener("input", () => turn("find", $("find").value.trim()));
look();
