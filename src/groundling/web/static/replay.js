// A game that is over, step by step. Where it comes from, a run or a room, is the server's business.

import { $, make, request } from "./lib/dom.js";
import { number } from "./lib/elements.js";
import { jump } from "./lib/jump.js";
import { fillPage } from "./lib/page_state.js";
import { offerPalette, palette } from "./lib/palette.js";
import { Viewer } from "./lib/replay.js";

/** @param {any} episode */
function facts(episode) {
  const last = episode.steps.at(-1);
  const score =
    last.score === null || last.score === undefined
      ? "no score"
      : `${episode.measure} ${number(last.score)} of ${number(episode.top)}`;
  const place = episode.number ? `${episode.number} of ${episode.of} in ${episode.run}` : "";
  return [episode.game, episode.set && `set ${episode.set}`, place, episode.status, score]
    .filter(Boolean)
    .join(" · ");
}

/** @param {any} episode */
function others(episode) {
  if (episode.mine) return [make("a", { className: "button", href: "./" }, "Back to the result")];
  if (episode.back) return [make("a", { className: "button", href: episode.back }, "All rooms")];
  const run = `/runs/${encodeURIComponent(episode.run)}/`;
  const to = (/** @type {string|null} */ name, /** @type {string} */ label) =>
    name && make("a", { className: "button", href: `${run}${encodeURIComponent(name)}/replay` }, label);
  const byNumber = episode.of > 1 && jump(run, episode.of, (why) => ($("trouble").textContent = why));
  return [
    make("a", { className: "button", href: run }, "All episodes"),
    to(episode.before, "Previous"),
    to(episode.after, "Next"),
    byNumber,
  ].filter(Boolean);
}

/** @param {any} episode */
function downloads(episode) {
  const file = (/** @type {string} */ href, /** @type {string} */ label) =>
    make("a", { className: "button", href, download: "" }, label);
  const png = episode.png
    ? file("pictures.zip?as=png", "Pictures, PNG")
    : make(
        "span",
        { className: "aside" },
        'PNG is not installed on this server: run pip install "groundling[picture]"',
      );
  return [file("events.json", "Events, JSON"), file("pictures.zip?as=svg", "Pictures, SVG"), png];
}

/** The event that the address names. */
const wanted = () => Number(/^#event-(\d+)$/.exec(location.hash)?.[1] ?? 0);

/** The step that ends the turn which the address names, or -1. @param {any} episode */
function wantedTurn(episode) {
  const turn = Number(/^#turn-(\d+)$/.exec(location.hash)?.[1] ?? 0);
  const ends = episode.steps.flatMap((/** @type {any} */ step, /** @type {number} */ at) => (step.turn ? [at] : []));
  return ends[turn - 1] ?? -1;
}

/** Pictures are closed to the page's own styles. */
async function safeColours() {
  const sheet = new CSSStyleSheet();
  const rules = await (await fetch("/static/palette.css")).text();
  return sheet.replace(rules.replaceAll(".safe-colours svg", "svg"));
}

fillPage($("page-state"), async () => {
  const [episode, safe] = await Promise.all([request("replay.json"), safeColours()]);
  $("name").textContent = episode.mine ? "Replay of your game" : episode.episode;
  document.title = `groundling: ${episode.episode}`;
  $("facts").textContent = facts(episode);
  $("others").replaceChildren(...others(episode));
  $("files").replaceChildren(...downloads(episode));
  $("downloads").hidden = false;
  const viewer = new Viewer($("stage"), (_, event) => `event-${event}`, true);
  offerPalette($("palette"), () => viewer.dress(palette() === "safe" ? safe : null));
  $("palette").hidden = false;
  const first = wanted();
  const turn = wantedTurn(episode);
  viewer.open(episode, 0);
  if (turn > 0) viewer.go(turn);
  else if (first) viewer.go(viewer.stepOf(first));
  addEventListener("hashchange", () => viewer.go(viewer.stepOf(wanted())));
  document.body.classList.add("ready");
});
