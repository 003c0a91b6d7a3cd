// The episodes of one run, as played or by score, and found by their words, scores and labels.

import { $, make } from "./lib/dom.js";
import { number } from "./lib/elements.js";
import { asking, get, pageQuery } from "./lib/queries.js";
import { jump } from "./lib/jump.js";
import { showPages } from "./lib/pages.js";

/** What the next click on the heading orders by, and how a heading tells it. */
const ORDERS = /** @type {const} */ ({
  "": { next: "lowest", sign: "Score ↕", sort: "none", label: "Score: sort, lowest first" },
  lowest: { next: "highest", sign: "Score ▲", sort: "ascending", label: "Score, lowest first: sort, highest first" },
  highest: { next: "", sign: "Score ▼", sort: "descending", label: "Score, highest first: show as played" },
});

const { asked, start, turn } = pageQuery(look);
const ask = asking($("page-state"));
const sorting = $("by-score").firstElementChild;

const order = () => {
  const wanted = asked.get("order") ?? "";
  return ORDERS[/** @type {keyof ORDERS} */ (wanted in ORDERS ? wanted : "")];
};

function look() {
  const { sign, sort, label } = order();
  $("by-score").setAttribute("aria-sort", sort);
  sorting.textContent = sign;
  sorting.setAttribute("aria-label", label);
  const query = new URLSearchParams(asked);
  query.set("from", String(start()));
  void ask(`episodes.json?${query}`, (run) => {
    $("name").textContent = run.name;
    document.title = `groundling: ${run.name}`;
    $("status").textContent = run.total ? `${run.game}: ${run.found} of ${run.total} recorded games` : "";
    if (run.total && !$("jump").firstChild)
      $("jump").append(jump("./", run.total, (why) => ($("trouble").textContent = why)));
    $("frame").hidden = !run.rows.length;
    $("rows").replaceChildren(
      ...run.rows.map((/** @type {any[]} */ [place, episode, set, status, score, events, turns]) =>
        make(
          "tr",
          {},
          make("td", {}, String(place)),
          make("th", { scope: "row" }, make("a", { href: `${encodeURIComponent(episode)}/replay` }, episode), ...turnLinks(episode, turns)),
          make("td", {}, set),
          make("td", { className: status }, status),
          make("td", { className: "n" }, number(score)),
          make("td", { className: "n" }, String(events)),
        ),
      ),
    );
    showPages($("pages"), run.found, run.page, start(), (to) => turn("from", to ? String(to) : ""));
    if (!run.total) return "Nothing was recorded here.";
    return run.rows.length ? "" : "No episode matches. Search for less.";
  });
}

/** Links to the turns that have the wanted labels. @param {string} episode @param {number[]} turns */
function turnLinks(episode, turns) {
  const links = turns.flatMap((turn) => [" ", make("a", { href: `${encodeURIComponent(episode)}/replay#turn-${turn}` }, String(turn))]);
  return links.length ? [make("span", { className: "sub" }, turns.length > 1 ? " turns" : " turn", ...links)] : [];
}

/** A choice for each label of episodes and turns, once somebody wants to choose. */
async function offerLabels() {
  if ($("labels").firstChild) return;
  const status = make("span", { className: "aside" }, "Loading…");
  $("labels").append(status);
  try {
    const wanted = asked.getAll("label");
    const choices = (await get("labels.json")).map((/** @type {[string, string[]]} */ [name, values]) => {
      const options = values.map((value) => make("option", { value: `${name}=${value}`, selected: wanted.includes(`${name}=${value}`) }, value));
      const choice = make("select", {}, make("option", { value: "" }, "all"), ...options);
      choice.addEventListener("change", () => {
        const chosen = [...$("labels").querySelectorAll("select")].map(({ value }) => value).filter(Boolean);
        asked.delete("label");
        for (const each of chosen) asked.append("label", each);
        turn("from", "");
      });
      return make("label", {}, `${name} `, choice);
    });
    status.replaceWith(...(choices.length ? choices : ["There are no labels."]));
  } catch (error) {
    status.replaceWith(/** @type {Error} */ (error).message);
  }
}

for (const bound of ["least", "most"]) {
  $(bound).value = asked.get(bound) ?? "";
  $(bound).addEventListener("input", () => turn(bound, $(bound).value));
}
$("by-label").addEventListener("toggle", () => void offerLabels());
$("by-label").open = asked.has("label");
sorting.addEventListener("click", () => turn("order", order().next));
look();
