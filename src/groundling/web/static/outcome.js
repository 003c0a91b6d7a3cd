// After the game: how close it was, what was meant beside what was done, and what to play next.

import { capital, make } from "./lib/dom.js";
import { parse } from "./lib/picture.js";
import { codeNote } from "./lib/seat_code.js";
import { studyLink } from "./lib/study_link.js";
import { queueLink } from "./unbegun.js";

/** @param {number|null} value */
const number = (value) => (value === null ? "—" : String(Math.round(value * 1000) / 1000));

/**
 * @param {any} section
 * @param {any} shown
 * @param {any} hello
 * @param {() => void} wantRematch
 */
export function showOutcome(section, shown, hello, wantRematch) {
  const { outcome, ended } = shown;
  const { sentence, panels } = outcome.comparison;
  const full = outcome.finished && outcome.score >= outcome.top ? "verdict full" : "verdict";
  const mine = outcome.sides.find((/** @type {any} */ side) => side.role === hello.role);
  section.replaceChildren(
    make(
      "div",
      { className: "card" },
      make("h2", {}, ended),
      sentence ? make("p", { className: full }, sentence) : null,
      outcome.finished ? null : make("p", { className: "aside" }, "It was not played to its end, but it is kept."),
      make("div", { id: "rematch", className: "row" }),
      make("p", { id: "rematch-note", className: "aside", role: "status" }),
    ),
    make("div", { className: "sides" }, ...panels.map(figure)),
    mine?.talk?.length ? make("section", {}, make("h3", {}, "What was said"), talk(mine.talk)) : "",
    details(outcome, hello),
    codeNote(hello.code) ?? "",
  );
  showRematch(shown, hello, wantRematch);
  section.hidden = false;
  section.focus();
}

/**
 * What to play next, and whether the partner wants it too.
 * @param {any} shown @param {any} hello @param {() => void} wantRematch
 */
export function showRematch({ outcome, rematch, partner }, hello, wantRematch) {
  const row = document.querySelector("#rematch");
  const note = document.querySelector("#rematch-note");
  if (!row || !note) return;
  const alone = partner === "player";
  const again = make("button", { type: "button", className: "primary" }, alone ? "Next picture" : "Rematch");
  again.disabled = rematch?.mine || partner === "away";
  again.addEventListener("click", wantRematch);
  const queue = make("a", { className: "button", href: queueLink(hello) }, "Find another partner");
  const study = studyLink();
  if (study) return row.replaceChildren(study);
  const focused = row.contains(document.activeElement);
  row.replaceChildren(
    ...[
      rematch ? again : null,
      outcome.sides.length > 1 && !alone ? queue : null,
      make("a", { className: "button", href: "replay" }, "Watch it again"),
      make("a", { className: "button", href: "/" }, "Other games"),
    ].filter(Boolean),
  );
  if (focused) /** @type {any} */ (row.querySelector(":is(button:enabled, a)"))?.focus();
  note.textContent = rematch && !alone ? rematchNote(rematch, partner) : "";
}

/** @param {{mine: boolean, partner: boolean, next: string}} rematch @param {string} partner */
function rematchNote({ mine, partner: wanted, next }, partner) {
  if (partner === "away") return "Your partner has left.";
  if (mine) return "You want a rematch. It starts when your partner agrees.";
  const seats = `The seats are swapped: you will be the ${next}.`;
  return wanted ? `Your partner wants a rematch. ${seats}` : `A rematch is the next picture with the same partner. ${seats}`;
}

/** @param {any} panel */
const figure = (panel) =>
  make(
    "figure",
    {},
    make("figcaption", {}, panel.title),
    make("div", { className: "picture" }, parse(panel.svg)),
  );

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

/** The figures for researchers. @param {any} outcome @param {any} hello */
function details(outcome, hello) {
  const seats = outcome.sides.map((/** @type {any} */ { role, player }) => {
    const who = role === hello.role ? "you" : player === "person" ? "your partner" : player;
    return `${capital(role)} (${who})`;
  });
  const parts = [make("p", {}, `${seats.join(", ")}.`)];
  if (outcome.finished)
    parts.push(
      make("p", {}, `Score ${number(outcome.score)} of ${number(outcome.top)}: ${outcome.measure}.`),
    );
  else parts.push(make("p", {}, "It has no score."));
  if (outcome.turns?.length > 1)
    parts.push(make("h3", {}, "Turn by turn"), turnTable(outcome.turns, outcome.top));
  if (outcome.numbers?.length) {
    const rows = outcome.numbers.map((/** @type {any} */ [about, value]) =>
      make("tr", {}, make("th", { scope: "row" }, capital(about)), make("td", {}, number(value))),
    );
    parts.push(make("h3", {}, "All numbers"), make("table", {}, make("tbody", {}, ...rows)));
  }
  return make("details", {}, make("summary", {}, "Details"), ...parts);
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
