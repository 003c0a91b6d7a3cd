// The tokens and parts of the pages, made by the scripts of the pages.

import { $, make } from "../lib/dom.js";
import { showLinks } from "../lib/links.js";
import { showProblem, showState } from "../lib/page_state.js";
import { Viewer } from "../lib/replay.js";

/** The names of the custom properties of tokens.css. */
const tokens = [...document.styleSheets]
  .filter((sheet) => sheet.href?.endsWith("/tokens.css"))
  .flatMap((sheet) => [.../** @type {CSSStyleRule} */ (sheet.cssRules[0]).style])
  .filter((name) => name.startsWith("--"));

/** @param {string} name */
const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {string} name @param {string} property @param {string} shown */
function sample(name, property, shown) {
  const block = make("i");
  block.style.setProperty(property, `var(${name})`);
  return make("li", {}, block, make("code", {}, shown));
}

$("swatches").append(
  ...tokens
    .filter((name) => value(name).startsWith("#"))
    .map((name) => sample(name, "background", name.slice(2))),
);
$("spaces").append(
  ...tokens
    .filter((name) => name.startsWith("--space"))
    .map((name) => sample(name, "width", `${name.slice(2)} ${value(name)}`)),
);
$("texts").append(
  ...tokens
    .filter((name) => name.startsWith("--text"))
    .map((name) => {
      const line = make("p", {}, `${name.slice(2)} ${value(name)}`);
      line.style.fontSize = `var(${name})`;
      return line;
    }),
);

showState($("state-loading"), "loading", "Loading…");
showState($("state-empty"), "empty", "No game has ended yet.");
showProblem($("state-error"), new Error("there is no such run here"), () => {});
showProblem($("state-offline"), { offline: true }, () => {});
for (const state of document.querySelectorAll(".state")) state.removeAttribute("role");
$("links").append(...showLinks({ drawer: "/join#an-example" }));

/** A board of three tiles. @param {number} painted How many of them are painted. */
const board = (painted) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100" role="img" aria-label="${painted} of 3 tiles">${[
    0, 1, 2,
  ]
    .map((at) => `<rect x="${100 * at + 10}" y="10" width="80" height="80" fill="${at < painted ? "#1f4e79" : "#fff"}" stroke="#b8c0c8"/>`)
    .join("")}</svg>`;
const step = (/** @type {number} */ at) => ({
  kind: "replied",
  event: at,
  role: "giver",
  text: `Paint tile ${at}`,
  verdict: "moved",
  boards: { follower: board(at) },
  turn: { f1: at / 3 },
});
new Viewer($("stage"), (at) => `step-${at}`, true).open(
  {
    seats: { giver: "a person", follower: "rule" },
    steps: [{ kind: "opened", event: 0, boards: { giver: board(3), follower: board(0) } }, step(1), step(2), step(3)],
    scores: [["f1", 1]],
    measure: "f1",
    top: 1,
  },
  2,
);
