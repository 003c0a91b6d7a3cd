// Watching: what every seat of a room sees, as it changes. Nothing can be done from here.

import { $, capital, make } from "../lib/dom.js";
import { showReconnecting, showState } from "../lib/page_state.js";
import { offerPalette } from "../lib/palette.js";
import { changed, parse } from "../lib/picture.js";
import { whole } from "../lib/talk.js";

const room = location.pathname.split("/").filter(Boolean).at(-1);
/** @type {Record<string, any>} All that was sent of each seat, and its pictures. */
let seats = {};
let pause = 500;

/** @param {string} role @param {string} who */
function seat(role, who) {
  const parts = {
    title: make("h2", {}, `${capital(role)}: ${who}`),
    now: make("p", { className: "now" }),
    panels: make("div", { className: "panels" }),
    talk: make("ol", { className: "talk", tabIndex: 0, "aria-label": `What the ${role} said and heard` }),
  };
  const section = make(
    "section",
    { className: "watched", "aria-label": capital(role) },
    ...Object.values(parts),
  );
  section.dataset.role = role;
  return { role, shown: {}, pictures: new Map(), ...parts, section };
}

/** @param {any} seat @param {any} message */
function show(seat, message) {
  seat.shown = { ...seat.shown, ...whole(seat.shown, message) };
  const { phase, turn, now, outcome } = seat.shown;
  seat.section.classList.toggle("turn", Boolean(turn && phase === "playing"));
  seat.now.hidden = phase === "over";
  seat.now.textContent = phase === "playing" ? `${turn ? "Has the turn. " : ""}${now ?? ""}` : "";
  if (message.panels) {
    const pictures = new Map(
      message.panels.map((/** @type {any} */ panel) => [
        panel.name,
        changed(seat.pictures.get(panel.name), panel.svg),
      ]),
    );
    seat.pictures = pictures;
    if (phase === "playing")
      seat.panels.replaceChildren(
        ...message.panels.map((/** @type {any} */ panel) => figure(panel.title, pictures.get(panel.name))),
      );
  }
  const side =
    phase === "over" ? outcome?.sides.find((/** @type {any} */ each) => each.role === seat.role) : null;
  if (side && message.outcome)
    seat.panels.replaceChildren(
      ...side.panels.map((/** @type {any} */ panel) => figure(panel.title, parse(panel.svg))),
    );
  const lines = side?.talk ?? seat.shown.talk ?? [];
  const names = {
    me: seat.role,
    partner: Object.keys(seats).find((role) => role !== seat.role) ?? "partner",
    "": "",
  };
  const who = (/** @type {keyof names} */ of) => make("span", { className: "who" }, capital(names[of]));
  seat.talk.replaceChildren(
    ...lines.map((/** @type {any} */ line) =>
      make("li", {}, who(line.who), make("span", { className: "words" }, line.text)),
    ),
  );
  seat.talk.hidden = !lines.length;
  seat.talk.scrollTop = seat.talk.scrollHeight;
}

/** @param {string} title @param {any} svg */
const figure = (title, svg) =>
  make("figure", {}, make("figcaption", {}, title), make("div", { className: "picture" }, svg));

function state() {
  const { phase, outcome } = Object.values(seats)[0]?.shown ?? {};
  const score = outcome?.finished
    ? ` Score ${Math.round(outcome.score * 1000) / 1000} of ${outcome.top}.`
    : "";
  const texts = {
    waiting: "The game has not begun: not everybody has come.",
    closed: "The room was closed before the game began.",
    playing: "The game is being played.",
    over: `${outcome?.why ?? ""}${score}`,
    erased: "This game was erased.",
  };
  const text = texts[/** @type {keyof texts} */ (phase)] ?? "";
  if ($("state").textContent !== text) $("state").textContent = text;
}

/** @param {any} message */
function handleMessage(message) {
  if (message.type === "hello") {
    $("connection").hidden = true;
    pause = 500;
    seats = Object.fromEntries(Object.entries(message.seats).map(([role, who]) => [role, seat(role, who)]));
    $("title").textContent = message.title;
    document.title = `Watching: ${message.title} · groundling`;
  } else if (message.type === "watch") {
    const sections = Object.values(seats).map((each) => each.section);
    if (!sections[0]?.isConnected) $("seats").replaceChildren(...sections); // with what is in them, at once
    $("page-state").hidden = true;
    for (const [role, update] of Object.entries(message.seats)) show(seats[role], update);
    $("count").textContent = `Room ${room} · ${message.events === 1 ? "1 event" : `${message.events} events`}`;
    state();
  }
}

/** @param {string} why */
function lost(why) {
  $("connection").hidden = false;
  $("connection").textContent = why;
}

function connect() {
  const socket = new WebSocket(new URL(`/admin/watch/${room}/socket`, location.href.replace(/^http/, "ws")));
  socket.addEventListener("message", (event) => handleMessage(JSON.parse(event.data)));
  socket.addEventListener("close", (event) => {
    if (event.code === 4403) return location.replace("/admin/login");
    if (event.code === 4404) return showState($("page-state"), "error", "There is no such room.");
    if ($("seats").firstChild) lost("The connection is lost. Reconnecting…");
    else showReconnecting($("page-state"));
    setTimeout(connect, pause);
    pause = Math.min(5000, pause * 1.7);
  });
}
offerPalette($("palette"));
showState($("page-state"), "loading", "Loading…");
connect();
