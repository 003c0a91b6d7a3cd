// One study for its researchers: how far it is, who takes part, and what can be decided.

import { sure } from "../lib/choose.js";
import { $, make, post } from "../lib/dom.js";
import { number } from "../lib/elements.js";
import { showProblem, showState } from "../lib/page_state.js";
import { parse } from "../lib/picture.js";
import { showAnnotation } from "./studies_annotation.js";
import { CALLS, act, ask, askFor, figure, minutesSince, recruitingTag, row, table, tell, update } from "./studies_parts.js";
import { offerQuery, query, showChoices, showPeople } from "./studies_people.js";
import { openPerson } from "./studies_person.js";

const EVERY = 3000; // milliseconds between two looks
/** @type {any} */
let overview = null;
let version = "";
let looks = 0;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;
/** @param {number} amount */
const money = (amount) => {
  const digits = amount < 1000 ? 2 : 0;
  return amount.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
};
/** @param {string} text */
const none = (text) => make("p", { className: "aside" }, text);

function showTally() {
  const { figures, stages, currency } = overview;
  const wanted = stages.filter((/** @type {any} */ stage) => stage.wanted !== null);
  const sum = (/** @type {string} */ field) =>
    wanted.reduce((/** @type {number} */ total, /** @type {any} */ stage) => total + stage[field], 0);
  const told = /** @type {[string, string, string?][]} */ ([
    ["taking part now", overview.now.toLocaleString()],
    ["people came", overview.people.toLocaleString()],
    [`of ${sum("wanted").toLocaleString()} answers`, sum("answers").toLocaleString()],
    ["dropped out", figures.consented ? percent(figures.dropped / figures.consented) : "—"],
    [`${currency} owed`, money(figures.owed - figures.paid)],
    [`${currency} paid`, money(figures.paid)],
    [
      `median ${currency}/hour${figures.floor ? `, floor ${money(figures.floor)}` : ""}`,
      figures.hourly === null ? "—" : money(figures.hourly),
      figures.hourly !== null && figures.hourly < figures.floor ? "bad" : "",
    ],
    ["to be decided", overview.undecided.toLocaleString()],
  ]);
  update($("tally"), told, () =>
    told.map(([name, value, className = ""]) => make("div", { className }, make("dt", {}, name), make("dd", {}, value))),
  );
}

/** A bar beside a number. @param {number} share */
function bar(share) {
  const found = make("span", { className: "share" });
  found.style.width = `${100 * share}%`;
  return found;
}

/** @param {Record<string, number>} tags */
function kinds(tags) {
  const all = Object.values(tags).reduce((sum, count) => sum + count, 0);
  return Object.entries(tags)
    .map(([name, count]) => `${name} ${percent(count / all)}`)
    .join(", ");
}

function showTables() {
  update($("stages"), overview.stages, () => [
    table(
      "",
      ["Stage", "Items", "Answers", "Wanted", "Open", "Waiting", "Median minutes"],
      overview.stages.map((/** @type {any} */ each) =>
        row(each.name, each.items, each.answers, figure(each.wanted, 0), each.open, each.waiting, figure(each.minutes)),
      ),
    ),
  ]);
  const outcomes = Object.entries(overview.outcomes);
  const most = Math.max(1, ...outcomes.map(([, count]) => count));
  update($("outcomes"), outcomes, () => [
    outcomes.length
      ? table(
          "shares",
          ["Outcome", "People", "Share", ""],
          outcomes.map(([name, count]) =>
            row(name, count, make("span", { className: "n" }, percent(count / overview.people)), bar(count / most)),
          ),
        )
      : none("Nobody has come yet."),
  ]);
  const { stages, unread } = overview.agreement;
  update($("agreement"), overview.agreement, () => [
    stages.length
      ? table(
          "shares",
          ["Stage", "Items", "Agreement", "", "Kinds"],
          stages.map((/** @type {any} */ each) =>
            row(
              each.stage,
              each.items,
              make("span", { className: "n" }, number(each.mean)),
              bar(each.mean),
              kinds(each.tags),
            ),
          ),
        )
      : none("No item has two answers that can be compared yet."),
    ...(unread ? [none(`Reading the games of ${unread.toLocaleString()} more items …`)] : []),
  ]);
  showAnnotation(overview.annotation, code);
  update($("busiest"), overview.busiest, () => [
    overview.busiest.length
      ? table(
          "shares",
          ["Person", "Answers", "Share", ""],
          overview.busiest.map((/** @type {any} */ each) =>
            row(code(each.person), each.answers, make("span", { className: "n" }, percent(each.share)), bar(each.share)),
          ),
        )
      : none("No answer counts yet."),
  ]);
  const { total, rows } = overview.items;
  update($("items"), overview.items, () => [
    total
      ? table(
          "",
          ["Item", "Stage", "Done", "Open", "Wanted"],
          rows.map((/** @type {any} */ each) => row(each.item, each.stage, each.done, each.open, each.wanted)),
        )
      : none("Every item has its answers."),
    ...(total > rows.length ? [none(`And ${(total - rows.length).toLocaleString()} more.`)] : []),
  ]);
}

/** @param {string} person */
function code(person) {
  const button = make(
    "button",
    { type: "button", className: "small quiet code", "aria-label": `Show ${person}` },
    person,
  );
  button.addEventListener("click", () => open(person));
  return button;
}

function showPlots() {
  const plots = { "plot-answers": "answers", "plot-minutes": "minutes", "plot-flow": "flow" };
  for (const [place, name] of Object.entries(plots))
    update($(place), overview.plots[name], () => [
      overview.plots[name] ? parse(overview.plots[name]) : none("Nothing yet."),
    ]);
}

/** @param {any} rooms */
function showRooms(rooms) {
  const long = rooms.rows.map((/** @type {any} */ each) => minutesSince(each.at));
  update($("rooms"), [rooms, long], () => [
    rooms.total
      ? table(
          "rooms",
          ["Game", "People", "Minutes", "Actions"],
          rooms.rows.map((/** @type {any} */ each, /** @type {number} */ n) => roomRow(each, long[n])),
        )
      : none("Nobody plays now."),
    ...(rooms.total > rooms.rows.length ? [none(`And ${rooms.total - rooms.rows.length} more.`)] : []),
  ]);
}

/** @type {Record<string, string>} */
const SIGNS = { here: "good", away: "bad" };

/** @param {any} room @param {number} minutes */
function roomRow(room, minutes) {
  const seats = room.seats.map((/** @type {any} */ seat) =>
    make(
      "span",
      { className: "seat" },
      `${seat.role}: `,
      code(seat.person),
      " ",
      make("span", { className: `tag ${SIGNS[seat.there] ?? ""}` }, seat.there),
    ),
  );
  const limit = Math.round((room.until - room.at) / 60);
  const watch = make(
    "a",
    { className: "button small", href: `/admin/watch/${room.room}`, "aria-label": `Watch ${room.task}` },
    "Watch",
  );
  const end = make("button", { type: "button", className: "small", "aria-label": `End the game of ${room.task}` }, "End");
  end.addEventListener("click", () =>
    trying(async () => {
      if (!(await sure("End this game for everybody in it? It does not count; they are paid, and get the next task.")))
        return;
      await post(`/admin/api/rooms/${room.room}/end`, {});
      tell(`the game of ${room.task} is ended`);
      await look();
    }),
  );
  return row(
    `${room.stage}, ${room.task}`,
    make("span", {}, ...seats),
    make("span", { className: "n" }, `${minutes} of ${limit}`),
    room.room ? make("div", { className: "row" }, watch, end) : "not opened yet",
  );
}

/** @param {string} person */
function open(person) {
  void openPerson(person, () => void look());
}

function showControls() {
  document.title = `${overview.title} · groundling`;
  $("title").textContent = overview.title;
  update($("recruiting"), [overview.paused, overview.complete, overview.places, overview.places_taken], () => [
    recruitingTag(overview),
  ]);
  $("pause").textContent = overview.paused ? "Resume recruiting" : "Pause recruiting";
  update($("ranked"), overview.ranked, () => overview.ranked.map(chooseButton));
  $("add-places").hidden = overview.places === null;
  $("address").href = `/study/${overview.name}`;
}

/** A button that chooses the best of those who are candidates now. @param {any} ranked */
function chooseButton({ group, candidates, wanted, most }) {
  const label = `Choose ${group}: ${candidates} of ${wanted} candidates`;
  const button = make("button", { type: "button", className: "small" }, label);
  const question = `Choose the best ${most} now, and wait for no more candidates? This cannot be undone.`;
  button.addEventListener("click", () =>
    trying(async () => {
      if (!(await sure(question))) return;
      await act({ do: "choose", group });
      await look();
    }),
  );
  return button;
}

/** @param {() => Promise<void>} work */
async function trying(work) {
  try {
    await work();
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

async function look() {
  const number = ++looks;
  const asked = new URLSearchParams({ ...query, down: String(query.down), page: String(query.page), seen: version });
  const found = await ask(`${CALLS}?${asked}`);
  if (number !== looks) return; // a later look was quicker
  version = found.version;
  if (found.overview) {
    overview = found.overview;
    showControls();
    showTally();
    showTables();
    showPlots();
    showChoices(overview);
  }
  showRooms(found.rooms);
  showPeople(found.people, overview.currency, open);
  $("page-state").hidden = true;
  $("study").hidden = false;
}

/** Look by itself; a problem is shown in place of the page's content, or above it. */
const lookAgain = () => look().catch((error) => showProblem($("page-state"), error, () => void lookAgain()));

$("pause").addEventListener("click", () =>
  trying(async () => {
    await act({ do: overview.paused ? "resume" : "pause" });
    await look();
  }),
);
$("add-places").addEventListener("click", () =>
  askFor(
    {
      title: "Add places",
      about: `${overview.places_taken} of ${overview.places} places are taken. Places cannot be taken back.`,
      label: "How many",
      button: "Add",
      kind: "number",
    },
    async (value) => {
      await act({ do: "places", number: Number(value) });
      await look();
    },
  ),
);
$("message-all").addEventListener("click", () =>
  askFor(
    {
      title: "Message to all",
      about: `People who take part now (${overview.now}) read it on their page of the study.`,
      label: "Text",
      button: "Send",
    },
    (text) => act({ do: "message", text }),
  ),
);

offerQuery(() => void lookAgain());
showState($("page-state"), "loading", "Loading…");
await lookAgain();
if (/^#[0-9a-f]{16}$/.test(location.hash)) open(location.hash.slice(1));
setInterval(() => document.hidden || void lookAgain(), EVERY);
