// After the game: the result, and both sides beside each other.

import { capital, make, post } from "./lib/dom.js";
import { parse } from "./lib/picture.js";

/** @param {number|null} value */
const number = (value) => (value === null ? "—" : String(Math.round(value * 1000) / 1000));

/** @param {any} section @param {any} outcome @param {any} hello */
export function showOutcome(section, outcome, hello) {
  const parts = [make("h2", {}, "The game is over"), make("p", {}, outcome.why)];
  if (outcome.finished) parts.push(make("p", { className: "score" }, `Score ${number(outcome.score)} of ${number(outcome.top)}`), make("p", { className: "aside" }, capital(outcome.measure)));
  parts.push(make("div", { className: "sides" }, ...outcome.sides.map((/** @type {any} */ side) => showSide(side, hello.role))));
  if (outcome.turns?.length > 1) parts.push(make("h3", {}, "Turn by turn"), turnTable(outcome.turns));
  if (outcome.numbers?.length) {
    const rows = outcome.numbers.map((/** @type {any} */ [about, value]) => make("tr", {}, make("th", { scope: "row" }, capital(about)), make("td", {}, number(value))));
    parts.push(make("details", {}, make("summary", {}, "All numbers"), make("table", {}, make("tbody", {}, ...rows))));
  }
  parts.push(again(hello, outcome));
  section.replaceChildren(...parts);
  section.hidden = false;
  section.focus();
}

/** @param {any} side @param {string} mine */
function showSide(side, mine) {
  const who = side.role === mine ? `${capital(side.role)} (you)` : `${capital(side.role)} (${side.player === "person" ? "your partner" : side.player})`;
  const figures = side.panels.map((/** @type {any} */ panel) => make("figure", {}, make("figcaption", {}, panel.title), make("div", { className: "picture" }, parse(panel.svg))));
  return make("section", { "aria-label": who }, make("h3", {}, who), ...figures);
}

/** @param {(number|null)[]} turns */
function turnTable(turns) {
  const cells = turns.map((value, turn) => make("tr", {}, make("th", { scope: "row" }, String(turn + 1)), make("td", {}, number(value))));
  return make("table", { className: "turns" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Turn"), make("th", { scope: "col" }, "Score"))), make("tbody", {}, ...cells));
}

/** @param {any} hello @param {any} outcome */
function again(hello, outcome) {
  const trouble = make("p", { role: "alert" });
  const others = outcome.sides.filter((/** @type {any} */ side) => side.role !== hello.role);
  const button = make("button", { type: "button" }, "Play again");
  button.addEventListener("click", async () => {
    try {
      const seats = Object.fromEntries(others.map((/** @type {any} */ side) => [side.role, side.player]));
      if (Object.values(seats).includes("person")) return location.assign(`/#${hello.game}`);
      const { links } = await post("/api/rooms", { game: hello.game, seats: { ...seats, [hello.role]: "person" } });
      location.assign(links[hello.role]);
    } catch (error) {
      trouble.textContent = capital(/** @type {Error} */ (error).message);
    }
  });
  return make("div", { className: "row" }, button, make("a", { href: "/" }, "Other games"), trouble);
}
