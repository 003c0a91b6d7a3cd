// The page of a seat. It knows no game: it shows the desk that the server describes and sends back moves.

import { askConsent } from "./consent.js";
import { chime, offerSound } from "./lib/chime.js";
import { offer, sure } from "./lib/choose.js";
import { $, capital, make } from "./lib/dom.js";
import { Observer } from "./lib/observe.js";
import { showReconnecting, showState } from "./lib/page_state.js";
import { offerPalette } from "./lib/palette.js";
import { showPresence, showTyping, tellTyping } from "./lib/presence.js";
import { SeatHelp } from "./lib/seat_help.js";
import { SeatSocket } from "./lib/seat_socket.js";
import { instruction, showTalk, whole } from "./lib/talk.js";
import { tool } from "./lib/tools.js";
import { changed } from "./lib/picture.js";
import { showOutcome, showRematch } from "./outcome.js";
import { showUnbegun, unbegunText } from "./unbegun.js";

/**
 * @typedef {{svg: any, facts: any, send: (moves: any[], undo?: () => void, done?: () => void) => void,
 *   note: (text: string) => void, room: HTMLElement, active: boolean, changedByPerson: () => void,
 *   alone?: boolean}} Bench What a tool gets: the panel `work`, and where its own buttons go. With `alone`,
 *   nobody answers with a new picture, and accepted moves stay as they are.
 * @typedef {{update: (bench: Bench) => void, leave: () => void}} Tool
 */

/** @type {any} All that the server has sent, field by field. */
let shown = {};
/** @type {Map<string, any>} The pictures, by the names of their panels. */
const pictures = new Map();
/** @type {{name: string, tool: Tool} | null} */
let working = null;
/** @type {any} */
let hello = {};
/** @type {number|null} */
let first = null;
/** Whether the game has begun while the person looked elsewhere. */
let matched = false;

const DRAFT = `words ${location.pathname}`;
/** What was sent and not yet taken, in case the page is reloaded meanwhile. */
const SENT = `sent ${location.pathname}`;
const REMATCH = `rematch ${location.pathname}`;

/** @type {string|null} */
let unsure = sessionStorage.getItem(SENT);
const ERASED = "A player had their part of this game deleted, so it has ended. What you did is kept.";
const REPLACED = "Your partner plays with the built-in partner now, so this seat is taken.";

showState($("page-state"), "loading", "Loading…");
const observer = new Observer((message) => socket.send(message));
const help = new SeatHelp($("help"), $("help-button"));
const socket = new SeatSocket("socket", handleMessage, showConnection);

/** @param {string} state @param {string} why */
function showConnection(state, why) {
  const lost = state === "lost";
  if (!hello.role && state !== "open") return showUnopened(lost, why);
  if (state !== "open") observer.pause();
  const text = lost && $("words").value.trim() ? `${why} Your text is kept.` : why;
  // A finished game needs no connection.
  $("connection").hidden = state === "open" || (lost && ["over", "closed"].includes(shown.phase));
  if ($("connection").textContent !== text) $("connection").textContent = text;
  for (const note of document.querySelectorAll(".connection-note")) {
    /** @type {HTMLElement} */ (note).hidden = !lost;
    note.textContent = text;
  }
  if (state === "elsewhere") {
    const take = make("button", { type: "button", className: "small" }, "Play in this window");
    take.addEventListener("click", () => location.reload());
    $("connection").append(take);
  } else if (state === "closed") $("connection").append(make("a", { href: "/" }, "Other games"));
  document.body.classList.toggle("lost", state !== "open");
  $("table").inert = state === "elsewhere" || state === "closed";
  count();
}

/** The seat was never shown in this window. @param {boolean} lost @param {string} why */
function showUnopened(lost, why) {
  if (lost) showReconnecting($("page-state"));
  else showState($("page-state"), "error", why, make("a", { className: "button", href: "/" }, "Other games"));
}

/** Set a text that is read aloud when it changes. @param {string} id @param {string} text */
function announce(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

/** @param {any} message */
function handleMessage(message) {
  if (message.type === "hello") {
    hello = message;
    $("page-state").hidden = true;
    shown = {};
    pictures.clear();
    $("title").textContent = `${message.title}: you are the ${message.role}`;
    name();
    help.fill(message);
  } else if (message.type === "consent") askConsent(message.text, socket);
  else if (message.type === "replaced") show({ phase: "closed", waiting: { why: REPLACED, others: [] } });
  else if (message.type === "typing") showTyping();
  else if (message.type === "rematch") followRematch(message.link);
  else if (message.type === "refused") complain(shown.phase === "over" && message.id !== null ? "" : message.why);
  else if (message.type === "show") show(message);
}

/** @param {any} message */
function show(message) {
  const before = shown;
  message = whole(shown, message);
  shown = { ...shown, ...message };
  const begins = shown.turn && !before.turn;
  if (begins) {
    first = null;
    complain("");
  }
  const starts = before.phase === "waiting" && shown.phase === "playing";
  if (starts) matched = !document.hasFocus();
  if (begins || starts) chime();
  $("consent").hidden = true;
  if (shown.phase === "waiting" || shown.phase === "playing") help.introduce();
  else help.close();
  const playing = shown.phase === "playing";
  observer.begin(Boolean(hello.observe), playing);
  $("end").hidden = !playing;
  const unbegun = shown.phase === "waiting" || shown.phase === "closed";
  // The table appears with its tool, so that nothing moves when the tool comes.
  $("table").hidden = !playing || ($("table").hidden && Boolean(shown.tool) && !working);
  $("before").hidden = !unbegun && !(playing && $("table").hidden);
  $("board-place").hidden = shown.phase === "closed";
  const otherwise = unbegun ? unbegunText(shown) : shown.phase === "erased" ? ERASED : "";
  announce("now", playing ? shown.now : otherwise);
  if (playing) $("unbegun").hidden = true;
  else if (unbegun && ("waiting" in message || "ends" in message)) showUnbegun(shown, hello, socket);
  name();
  tick();
  document.body.classList.toggle("turn", Boolean(playing && shown.turn));
  const away = shown.partner === "away" && playing;
  announce("partner", away ? "Your partner is away. The game waits; you can also end it." : "");
  if (["partner", "phase", "turn", "talk"].some((name) => name in message))
    showPresence(playing ? shown.partner : "");
  if (message.panels) showPanels(message.panels);
  if ("talk" in message || "steps" in message) showTalk(shown.talk ?? [], Boolean(shown.steps));
  $("instruction").textContent = playing ? instruction(shown) : "";
  if ("say" in message) showBox();
  if (playing) settleSent();
  if ("buttons" in message) showButtons();
  if (playing && ("choices" in message || message.panels)) offer(pictures, shown.choices ?? [], send);
  if (playing) void useTool();
  if (begins) focusWords();
  if (shown.phase === "over" && message.outcome) {
    leaveTool();
    $("confirm").close();
    complain("");
    showOutcome($("outcome"), shown, hello, wantRematch);
  } else if (shown.phase === "over" && ("rematch" in message || "partner" in message))
    showRematch(shown, hello, wantRematch);
}

/** Where words are the main work, and where it opens no keyboard on the screen. */
function focusWords() {
  const free = document.activeElement === document.body;
  if (shown.say && !shown.tool && free && matchMedia("(hover: hover)").matches) $("words").focus();
}

const wantRematch = () => socket.send({ do: "rematch" });

/** Take the seat in the next room, once: somebody who comes back here stays. @param {string} link */
function followRematch(link) {
  if (sessionStorage.getItem(REMATCH)) return;
  sessionStorage.setItem(REMATCH, "1");
  location.assign(link);
}

/** The window's title, by which somebody who looks elsewhere sees that the game begins, or that it is their turn. */
function name() {
  const playing = shown.phase === "playing";
  const news = playing && shown.turn ? "Your turn · " : playing && matched ? "Your partner is here · " : "";
  document.title = `${news}${hello.title}, ${hello.role} · groundling`;
}

/** @param {any[]} panels */
function showPanels(panels) {
  const known = new Set(panels.map((panel) => panel.name));
  for (const name of pictures.keys()) if (!known.has(name)) pictures.delete(name);
  /** @type {any[]} */
  const figures = [];
  for (const panel of panels) {
    const svg = changed(pictures.get(panel.name), panel.svg);
    pictures.set(panel.name, svg);
    const old = $(`panel-${panel.name}`);
    const figure =
      old ??
      make(
        "figure",
        { id: `panel-${panel.name}` },
        make("figcaption"),
        make("div", { className: "picture" }),
      );
    figure.firstChild.textContent = panel.title;
    if (figure.lastChild.firstChild !== svg) figure.lastChild.replaceChildren(svg);
    figures.push(figure);
  }
  const there = [...$("panels").children];
  if (there.length !== figures.length || there.some((figure, number) => figure !== figures[number]))
    $("panels").replaceChildren(...figures);
}

function showBox() {
  const box = shown.say;
  $("say").hidden = !box;
  for (const name of ["talk", "talk-title"]) $(name).hidden = Boolean(box?.page && !shown.talk?.length);
  if (!box) return;
  $("say-label").textContent = box.label;
  $("say-button").textContent = box.button;
  $("words").rows = box.page ? 9 : 3;
  count();
}

/** Put back what was sent before the page was reloaded, unless the server has it. */
function settleSent() {
  const text = unsure;
  unsure = null;
  if (!text) return;
  const plain = (/** @type {string} */ words) => words.replace(/\s+/g, " ").trim();
  sessionStorage.removeItem(SENT);
  const told = (shown.talk ?? []).map((/** @type {any} */ line) => plain(line.text));
  if (told.includes(plain(text)) || (text.includes("\n") && told.join(" ").includes(plain(text)))) return;
  $("words").value = [text, $("words").value].filter(Boolean).join("\n");
  sessionStorage.setItem(DRAFT, $("words").value);
  complain("the page was reloaded before this was taken: send it again");
}

const most = () => (shown.say?.most || hello.most) ?? 2000;

/** The lines of what was written, without those that are empty. */
const writtenLines = () =>
  $("words")
    .value.split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/)
    .map((/** @type {string} */ part) => part.replace(/\s+/g, " ").trim())
    .filter(Boolean);

function count() {
  // Every line of a page is a message of its own.
  const texts = shown.say?.page ? writtenLines() : [$("words").value];
  const left = most() - Math.max(0, ...texts.map((/** @type {string} */ text) => [...text].length));
  const needed = shown.say?.most || left < 200;
  $("left").textContent = left < 0 ? `${-left} too many to send` : needed ? `${left} left` : "";
  $("left").classList.toggle("too-many", left < 0);
  $("words").setAttribute("aria-invalid", String(left < 0));
  $("say-button").disabled = left < 0 || !socket.isOpen();
  markMain();
}

function showButtons() {
  const buttons = (shown.buttons ?? []).map((/** @type {any} */ each) => {
    const button = make("button", { type: "button", className: each.main ? "main" : "" }, each.label);
    button.addEventListener("click", async () => {
      if (!each.confirm || (await sure(each.confirm))) send(each.moves);
    });
    return button;
  });
  $("buttons").replaceChildren(...buttons);
  markMain();
}

/** One button is primary: the main action of the turn, or to send what was written. */
function markMain() {
  const main = $("buttons").querySelector(".main");
  const sends = !main || $("words").value.trim() !== "";
  $("say-button").classList.toggle("plain", !sends);
  main?.classList.toggle("primary", !sends || !shown.say);
}

async function useTool() {
  const name = shown.tool;
  if (working && working.name !== name) leaveTool();
  if (!name) return;
  if (working) return working.tool.update(bench());
  const { open } = await tool(name);
  if (working || shown.tool !== name || shown.phase !== "playing") return;
  $("table").hidden = false;
  $("before").hidden = true;
  working = { name, tool: open(bench()) };
}

/** @returns {Bench} */
const bench = () => ({
  svg: pictures.get("work"),
  facts: shown.facts ?? {},
  send,
  note: complain,
  room: $("tool"),
  active: Boolean(shown.turn),
  changedByPerson: touch,
});

function leaveTool() {
  working?.tool.leave();
  working = null;
  $("tool").replaceChildren();
}

/** @param {any[]} moves @param {() => void} [undo] @param {() => void} [done] @param {() => void} [again] */
function send(moves, undo, done, again) {
  complain("");
  touch();
  socket.move(moves, first, undo, done, again, observer.takeTyping());
}

function touch() {
  first ??= Math.round(performance.now());
}

/** @param {string} why */
function complain(why) {
  $("complaint").textContent = why ? capital(why) : "";
}

addEventListener("focus", () => {
  matched = false;
  name();
});
const study = new URLSearchParams(location.search).get("study");
if (study) void import("./lib/study_room.js").then(({ offerStudy }) => offerStudy(study, $("options")));
offerPalette($("palette"));
offerSound($("sound"));
$("end").addEventListener(
  "click",
  async () =>
    (await sure(shown.partner === "player" ? "End the game now?" : "End the game for both of you?")) &&
    socket.send({ do: "end" }),
);
$("words").value = sessionStorage.getItem(DRAFT) ?? "";
$("words").addEventListener("input", () => {
  sessionStorage.setItem(DRAFT, $("words").value);
  touch();
  count();
  if (hello.typing && shown.partner === "here") tellTyping((message) => socket.send(message));
});
$("words").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || shown.say?.page) return;
  event.preventDefault();
  $("say").requestSubmit();
});
$("say").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const box = shown.say;
  if (!$("words").value.trim() || !box || $("say-button").disabled) return;
  if (box.confirm && (!(await sure(box.confirm)) || !shown.say)) return;
  const text = $("words").value.trim();
  const lines = box.lines ? writtenLines() : [text.replace(/\s+/g, " ")];
  $("words").value = "";
  sessionStorage.removeItem(DRAFT);
  sessionStorage.setItem(SENT, text);
  const taken = () => sessionStorage.removeItem(SENT);
  const back = () => {
    taken();
    $("words").value = [text, $("words").value].filter(Boolean).join("\n"); // before what was typed since
    sessionStorage.setItem(DRAFT, $("words").value);
    count();
  };
  const before = JSON.stringify(shown.talk ?? []);
  const again = () => {
    if (!shown.say || JSON.stringify(shown.talk ?? []) !== before) return taken();
    back();
    complain("the connection was lost before this was taken: send it again");
  };
  const texts = box.page ? lines : [lines.join("\n")];
  const after = box.page && texts.length === box.most_lines ? [] : box.after;
  const said = texts.map((/** @type {string} */ each) => ({ move: "say", text: each }));
  send([...said, ...after], back, taken, again);
  count();
});

function tick() {
  const left = shown.phase === "playing" && shown.ends ? Math.max(0, shown.ends - Date.now() / 1000) : null;
  $("clock").textContent =
    left === null ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")} left`;
  $("clock").classList.toggle("soon", left !== null && left < 60);
}
setInterval(tick, 1000);
