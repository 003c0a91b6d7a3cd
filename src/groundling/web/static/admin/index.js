// All rooms of the server, who waits, and what was played.

import { sure } from "../lib/choose.js";
import { $, capital, make, post } from "../lib/dom.js";
import { number } from "../lib/elements.js";
import { showProblem, showState } from "../lib/page_state.js";
import { put } from "./keep_focus.js";
import { showNewRoom, showRoomLinks } from "./new_room.js";

/**
 * @typedef {{role: string, who: string, there: string, ended: string}} Seat
 * @typedef {{id: string, game: string, title: string, at: number, state: string, seats: Seat[],
 *   instance: string, settings: string, why: string, began: number|null, last: number|null, minutes: number,
 *   events: number, score: number|null, top: number|null, follow_up: string}} Room
 */

const EVERY = 3000; // milliseconds between two looks
const STATES = {
  waiting: "not begun",
  unbegun: "never began",
  playing: "being played",
  played: "finished",
  aborted: "ended early",
  limited: "ended by a limit",
  errored: "failed",
  left: "left unfinished",
  erased: "erased",
  unknown: "unknown",
};

/** How the game ended for a seat, where that is worth saying. */
const ENDINGS = {
  left: "ended it",
  ended: "ended it",
  closed: "had closed the page",
  idle: "did nothing",
  refused: "was not understood",
  failed: "failed",
  declined: "did not agree",
  absent: "never came",
};

/** @type {Record<string, string>} */
const SIGNS = { here: "good", away: "bad" };

/** @type {Map<string, Room>} */
const rooms = new Map();
/** @type {string|null} */
let older = null;
let paged = false;
let games = "";
/** The rooms of studies, with the names of these. @type {Record<string, string>} */
let studies = {};
/** @type {{game: string, role: string, settings: string, people: number}[]} */
let waiting = [];
/** Of all rooms that the server keeps. */
let counts = { rooms: 0, open: 0, finished: 0, ended: 0, failed: 0 };

/** @param {number} seconds */
function span(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
  return minutes < 48 * 60
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${Math.floor(minutes / 1440)} days`;
}

/** Seconds after which an open room counts as stuck: a person is away, nothing happens, it does not begin. */
const STUCK = { away: 60, quiet: 300, unbegun: 600 };

/** How long an open room has been stuck, and why; 0 for one that is not. @param {Room} room */
function stuck(room) {
  const quiet = Date.now() / 1000 - (room.last ?? room.began ?? room.at);
  const away = room.seats.filter((seat) => seat.there === "away").map((seat) => seat.role);
  if (room.state === "waiting" ? quiet < STUCK.unbegun : quiet < (away.length ? STUCK.away : STUCK.quiet))
    return { quiet: 0, why: "" };
  const why = room.state === "waiting" ? "has not begun" : away.length ? `${away.join(", ")} away` : "nothing happens";
  return { quiet, why: `stuck: ${why}, ${span(quiet)}` };
}

/** @param {string[]} names @param {any[]} rows */
function table(names, rows) {
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  for (const row of rows) // a phone shows the names of the columns beside the figures
    for (const [at, cell] of [...row.cells].entries()) cell.dataset.column = names[at].toLowerCase();
  return make("table", { className: "list rooms" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** @param {Room} room */
function name(room) {
  return make(
    "th",
    { scope: "row" },
    room.title,
    make("span", { className: "id" }, room.id),
    room.id in studies
      ? make("a", { className: "tag", href: `/admin/studies/${studies[room.id]}` }, `study ${studies[room.id]}`)
      : null,
    make("span", { className: "id" }, room.instance),
    room.settings ? make("span", { className: "id" }, room.settings) : null,
  );
}

/** @param {Room} room @param {boolean} there */
function seats(room, there) {
  return make(
    "td",
    {},
    ...room.seats.map((seat) => {
      const sign =
        there && seat.there !== "player"
          ? make("span", { className: `tag there ${seat.there} ${SIGNS[seat.there] ?? ""}` }, seat.there)
          : null;
      return make("span", { className: "seat" }, `${seat.role}: ${seat.who} `, sign);
    }),
  );
}

/** @param {Room} room */
const watch = (room) =>
  make(
    "a",
    {
      className: "button small",
      href: `/admin/watch/${room.id}`,
      "aria-label": `Watch ${room.title}, room ${room.id}`,
    },
    "Watch",
  );

/** @param {Room} room */
const replay = (room) =>
  make(
    "a",
    {
      className: "button small",
      href: `/admin/rooms/${room.id}/replay`,
      "aria-label": `Replay ${room.title}, room ${room.id}`,
    },
    "Replay",
  );

/** A room in which others carry out what this one has made. @param {Room} room */
function followUp(room) {
  if (!room.follow_up) return "";
  const label = `${room.follow_up}: ${room.title}, room ${room.id}`;
  const button = make("button", { type: "button", className: "small", "aria-label": label }, room.follow_up);
  button.addEventListener("click", () =>
    trying(async () => {
      showRoomLinks((await post(`/admin/api/rooms/${room.id}/follow-up`, {})).links);
      await look();
    }),
  );
  return button;
}

/** @param {Room} room */
function running(room) {
  const now = Date.now() / 1000;
  const end = make(
    "button",
    {
      type: "button",
      className: "small",
      "aria-label": `End ${room.title}, room ${room.id}`,
    },
    "End",
  );
  end.addEventListener("click", () =>
    trying(async () => {
      if (!(await sure(`End this game of ${room.title} for everybody in it? It is kept as ended early.`)))
        return;
      await post(`/admin/api/rooms/${room.id}/end`, {});
      await look();
    }),
  );
  const long =
    room.began === null
      ? now - room.at < 60
        ? "created just now"
        : `created ${span(now - room.at)} ago`
      : `${span(now - room.began)} of ${room.minutes} min`;
  const { why } = stuck(room);
  const row = make(
    "tr",
    {},
    name(room),
    seats(room, true),
    make("td", {}, long, why ? make("span", { className: "tag bad" }, why) : null),
    make("td", { className: "n" }, String(room.events)),
    make("td", {}, make("div", { className: "row" }, watch(room), end)),
  );
  row.dataset.room = room.id;
  return row;
}

/** @param {Room} room */
function over(room) {
  const state = STATES[/** @type {keyof STATES} */ (room.state)];
  const last = new Date((room.last ?? room.at) * 1000);
  const when = last.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const endings = room.seats
    .filter((seat) => seat.ended in ENDINGS)
    .map((seat) => `${seat.role} ${ENDINGS[/** @type {keyof ENDINGS} */ (seat.ended)]}`);
  const why = [room.why, endings.length ? `${capital(endings.join(", "))}.` : ""].filter(Boolean).join(" ");
  const more = [why, when].filter(Boolean).map((text) => make("span", { className: "aside why" }, text));
  const what = make("td", {}, state, ...more);
  const score = make(
    "td",
    { className: "n" },
    room.score === null ? "—" : `${number(room.score)} of ${number(room.top)}`,
  );
  const row = make(
    "tr",
    {},
    name(room),
    seats(room, false),
    what,
    score,
    make("td", { className: "n" }, String(room.events)),
    make(
      "td",
      {},
      ["unknown", "unbegun"].includes(room.state)
        ? ""
        : make("div", { className: "row" }, room.state === "erased" ? "" : watch(room), replay(room), followUp(room)),
    ),
  );
  row.dataset.room = room.id;
  return row;
}

/** What is live, what waits, what ended and how: of all rooms, not only of those in the list. @param {Room[]} open */
function showTally(open) {
  const playing = open.filter((room) => room.state === "playing").length;
  const unbegun = open.length - playing;
  const stuckRooms = open.filter((room) => stuck(room).quiet).length;
  const people = waiting.reduce((sum, each) => sum + each.people, 0);
  const begun = counts.open + counts.finished + counts.ended + counts.failed;
  const figures = /** @type {[string, number, boolean?][]} */ ([
    ["being played", playing],
    ["not begun", unbegun],
    ["stuck", stuckRooms, stuckRooms > 0],
    ["in the queue", people],
    ["finished", counts.finished],
    ["ended early", counts.ended + Math.max(0, counts.open - playing)],
    ["failed", counts.failed, counts.failed > 0],
    ["never began", Math.max(0, counts.rooms - begun - unbegun)],
  ]);
  $("tally").replaceChildren(
    ...figures.map(([name, value, bad]) =>
      make("div", { className: bad ? "bad" : "" }, make("dt", {}, name), make("dd", {}, String(value))),
    ),
  );
}

function show() {
  const all = [...rooms.values()].sort((one, other) => (other.last ?? other.at) - (one.last ?? one.at));
  const open = all
    .filter((room) => room.state === "playing" || room.state === "waiting")
    .sort((one, other) => stuck(other).quiet - stuck(one).quiet);
  const done = all.filter((room) => !open.includes(room));
  const none = (/** @type {string} */ text) => {
    const place = make("div", { className: "small" });
    showState(place, "empty", text);
    return place;
  };
  showTally(open);
  put(
    $("open"),
    open.length
      ? table(["Game", "Seats", "How long", "Events", "Actions"], open.map(running))
      : none("No game is being played."),
  );
  put(
    $("over"),
    done.length
      ? table(["Game", "Seats", "How it ended", "Score", "Events", "Actions"], done.map(over))
      : none("No game has ended yet."),
  );
  $("older").hidden = !older;
}

/** @param {any} listing */
function showWaiting(listing) {
  const lines = listing.waiting.map((/** @type {any} */ each) => {
    const people = each.people === 1 ? "one person" : `${each.people} people`;
    const title = listing.games[each.game]?.title ?? each.game;
    const settings = each.settings ? ` with ${each.settings}` : "";
    return make("li", {}, `${title}, ${each.role}${settings}: ${people}`);
  });
  $("waiting").replaceChildren(...(lines.length ? lines : [make("li", { className: "aside" }, "Nobody.")]));
}

/** Whether the message shown answers an action of the person: it then stays until their next action. */
let theirs = false;

/** @param {() => Promise<void>} work @param {boolean} [asked] Whether somebody wants it done. */
async function trying(work, asked = true) {
  if (asked) {
    $("trouble").textContent = "";
    theirs = false;
  }
  try {
    await work();
    if (!theirs) $("trouble").textContent = "";
  } catch (error) {
    if (!asked) return showProblem($("page-state"), error, () => void trying(() => look(), false));
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    theirs = asked;
  }
}

/** @param {string} [before] */
async function look(before) {
  const answer = await fetch(
    `/admin/api/rooms${before ? `?before=${encodeURIComponent(before)}` : ""}`,
  ).catch(() => {
    throw Object.assign(new Error("the server cannot be reached"), { offline: true });
  });
  if (answer.status === 401) return location.replace("/admin/login");
  const listing = await answer.json();
  if (!answer.ok) throw new Error(listing.error);
  for (const room of listing.rooms) rooms.set(room.id, room);
  studies = { ...studies, ...listing.studies.rooms };
  if (before || !paged) older = listing.next;
  if (!before) ({ waiting, counts } = listing);
  paged ||= Boolean(before);
  $("page-state").hidden = true;
  $("glance").hidden = false;
  show();
  if (before) return;
  showWaiting(listing);
  if (games !== JSON.stringify(listing.games)) {
    games = JSON.stringify(listing.games);
    showNewRoom(listing, trying, look);
    $("pages").replaceChildren(
      ...Object.entries(listing.studies.titles).map(([name, title]) =>
        make("a", { className: "button small", href: `/admin/studies/${name}`, title }, `Study ${name}`),
      ),
      ...listing.pages.map((/** @type {any} */ page) =>
        make("a", { className: "button small", href: `/admin/pages/${page.name}/`, title: page.about }, page.title),
      ),
      make("a", { className: "button small", href: "/styleguide" }, "Style guide"),
    );
  }
}

$("older").addEventListener("click", () => older && trying(() => look(/** @type {string} */ (older))));
$("logout").addEventListener("click", () =>
  trying(async () => {
    const { path } = await post("/admin/logout", {});
    location.replace(path);
  }),
);
$("parquet").addEventListener("click", (/** @type {Event} */ event) => {
  event.preventDefault();
  void trying(async () => {
    const answer = await fetch($("parquet").href);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: "games.parquet" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
});

showState($("page-state"), "loading", "Loading…");
await trying(() => look(), false);
setInterval(() => document.hidden || trying(() => look(), false), EVERY);
