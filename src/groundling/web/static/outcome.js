// After the game: the result, and both sides beside each other.

import { capital, make, post } from "./lib/dom.js";
import { parse } from "./lib/picture.js";
import { codeNote } from "./lib/seat_code.js";
import { studyLink } from "./lib/study_link.js";
import { queueLink } from "./unbegun.js";

/** @param {number|null} value */
const number = (value) => (value === null ? "—" : String(Math.round(value * 1000) / 1000));

/** @param {any} section @param {any} shown @param {any} hello */
export function showOutcome(section, { outcome, ended }, hello) {
  const result = make("div", { className: "card" }, make("h2", {}, ended));
  if (outcome.finished) {
    const full = outcome.score >= outcome.top ? "score full" : "score";
    result.append(
      make("p", { className: full }, `Score ${number(outcome.score)} of ${number(outcome.top)}`),
      make("p", { className: "aside" }, `${capital(outcome.measure)}.`),
    );
  } else
    result.append(
      make("p", { className: "aside" }, "It was not played to its end and has no score, but it is kept."),
    );
  result.append(again(hello, outcome), codeNote(hello.code) ?? "");
  const parts = [
    result,
    make(
      "div",
      { className: "sides" },
      ...outcome.sides.map((/** @type {any} */ side) => showSide(side, hello.role)),
    ),
  ];
  const mine = outcome.sides.find((/** @type {any} */ side) => side.role === hello.role);
  const said = mine?.talk?.length ? mine.talk : null;
  const more = [said && make("section", {}, make("h3", {}, "What was said"), talk(said))];
  if (outcome.turns?.length > 1)
    more.push(make("section", {}, make("h3", {}, "Turn by turn"), turnTable(outcome.turns, outcome.top)));
  parts.push(make("div", { className: "sides" }, ...more));
  if (outcome.numbers?.length) {
    const rows = outcome.numbers.map((/** @type {any} */ [about, value]) =>
      make("tr", {}, make("th", { scope: "row" }, capital(about)), make("td", {}, number(value))),
    );
    parts.push(
      make("details", {}, make("summary", {}, "All numbers"), make("table", {}, make("tbody", {}, ...rows))),
    );
  }
  section.replaceChildren(...parts);
  section.hidden = false;
  section.focus();
}

/** @param {any[]} lines */
function talk(lines) {
  const who = { me: "You", partner: "Partner", "": "" };
  return make(
    "ol",
    { className: "talk" },
    ...lines.map((each) =>
      make(
        "li",
        {},
        make("span", { className: "who" }, who[/** @type {keyof who} */ (each.who)]),
        make("span", { className: "words" }, each.text),
      ),
    ),
  );
}

/** @param {any} side @param {string} mine */
function showSide(side, mine) {
  const who =
    side.role === mine
      ? `${capital(side.role)} (you)`
      : `${capital(side.role)} (${side.player === "person" ? "your partner" : side.player})`;
  const figures = side.panels.map((/** @type {any} */ panel) =>
    make(
      "figure",
      {},
      make("figcaption", {}, panel.title),
      make("div", { className: "picture" }, parse(panel.svg)),
    ),
  );
  return make("section", { "aria-label": who }, make("h3", {}, who), ...figures);
}

/** @param {(number|null)[]} turns @param {number} top */
function turnTable(turns, top) {
  const rows = turns.map((value, turn) => {
    const bar =
      value === null
        ? null
        : make("meter", { min: 0, max: Math.max(top, value), value, "aria-hidden": "true" });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, String(turn + 1)),
      make("td", {}, bar),
      make("td", {}, number(value)),
    );
  });
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "Turn"),
    make("th", { scope: "col", colSpan: 2 }, "Score"),
  );
  return make("table", { className: "turns" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** @param {any} hello @param {any} outcome */
function again(hello, outcome) {
  const study = studyLink();
  if (study) return make("div", { className: "row" }, study);
  const trouble = make("p", { className: "trouble", role: "alert" });
  const others = outcome.sides.filter((/** @type {any} */ side) => side.role !== hello.role);
  const button = make("button", { type: "button", className: "primary" }, "Play again");
  button.addEventListener("click", async () => {
    try {
      const seats = Object.fromEntries(others.map((/** @type {any} */ side) => [side.role, side.player]));
      if (Object.values(seats).includes("person")) return location.assign(`/#${hello.game}`);
      const { links } = await post("/api/rooms", {
        game: hello.game,
        seats: { ...seats, [hello.role]: "person" },
      });
      location.assign(links[hello.role]);
    } catch (error) {
      trouble.textContent = capital(/** @type {Error} */ (error).message);
    }
  });
  return make(
    "div",
    { className: "row" },
    button,
    others.some((/** @type {any} */ side) => side.player === "person")
      ? make("a", { className: "button", href: queueLink(hello) }, "Find another partner")
      : null,
    make("a", { className: "button", href: "replay" }, "Watch it again"),
    make("a", { className: "button", href: "/" }, "Other games"),
    trouble,
  );
}
