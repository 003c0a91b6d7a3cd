// The episodes of one run, by number, and found by their words.

import { $, make } from "./lib/dom.js";
import { number } from "./lib/elements.js";
import { asking, pageQuery } from "./lib/queries.js";
import { jump } from "./lib/jump.js";
import { showPages } from "./lib/pages.js";

const { asked, start, turn } = pageQuery(look);
const ask = asking((why) => ($("status").textContent = why));

function look() {
  const query = new URLSearchParams({ find: asked.get("find") ?? "", from: String(start()) });
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
    showPages($("pages"), run.found, run.page, start(), (to) => turn("from", to ? String(to) : ""));
  });
}

look();
