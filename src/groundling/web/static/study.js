// The page of a study for one person: consent, tasks, the waiting room and the end. The server decides what
// comes next; the page shows it and sends what the person does.

import { $, capital, make, post } from "./lib/dom.js";
import { parse } from "./lib/picture.js";
import { awaitMessages, showMessages } from "./lib/study_messages.js";
import { tool } from "./lib/tools.js";

const VISIT = `visit ${location.pathname}`;
const RETRY_MS = 2000;
/** @type {any} */
let shown = {};

/** Do something and show what comes next. @param {any} action @returns {Promise<void>} */
async function act(action) {
  $("trouble").textContent = "";
  try {
    show(await post(`${location.pathname}/act`, action));
  } catch (error) {
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    // A page that waits, or has nothing to show yet, tries again by itself.
    if (!shown.page || shown.page === "wait") setTimeout(() => act(action), RETRY_MS);
  }
}

/** @param {string} label @param {any} action @param {string} [className] */
function button(label, action, className = "") {
  const found = make("button", { type: "button", className }, label);
  found.addEventListener("click", () => act(action));
  return found;
}

/** @param {number} amount */
const money = (amount) => `${amount.toFixed(2)} ${shown.currency}`;

/** @param {number} seconds since 1970 */
const clock = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Texts as paragraphs; lines that begin with # are headings. @param {string} text */
const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim())
    .map((part) =>
      part.startsWith("#") ? make("h3", {}, part.replace(/^#+\s*/, "")) : make("p", {}, part),
    );

/** @param {any} page */
function show(page) {
  const same = page.page === shown.page && page.task === shown.task && page.attempts === shown.attempts;
  const waited = shown.page === "wait";
  shown = page;
  document.documentElement.lang = page.language;
  document.title = $("title").textContent = page.title;
  showMessages(page.messages);
  if ($("notice").textContent !== page.notice) $("notice").textContent = page.notice;
  $("leave").hidden = page.page === "end" || page.page === "consent";
  $("about").textContent =
    `Your code is ${page.code}. Questions? Write to ${page.contact}.` +
    (page.owed ? ` You have earned ${money(page.owed)} so far.` : "");
  if (page.page === "between") return void setTimeout(() => act({ do: "open" }), RETRY_MS);
  if (waited && page.path) return location.assign(page.path);
  if (!same || (page.page === "wait" && !$("task").contains(document.activeElement))) {
    const [heading, ...parts] = PAGES[/** @type {keyof PAGES} */ (page.page)](page);
    $("task").replaceChildren(make("h2", { id: "heading" }, heading), make("div", {}, ...parts));
    if (!same) $("task").focus();
  }
  if (page.page === "wait") void act({ do: "wait" });
}

const PAGES = {
  /** @param {any} page @returns {any[]} */
  consent: (page) => [
    "Before you take part",
    ...paragraphs(page.text),
    make(
      "div",
      { className: "row" },
      button("I agree", { do: "consent", agreed: true }, "primary"),
      button("I do not agree", { do: "consent", agreed: false }),
    ),
  ],
  /** @param {any} page @returns {any[]} */
  quiz: (page) => [
    "A few questions first",
    make("p", { className: "aside" }, page.attempts > 1 ? `You have ${page.attempts} attempts.` : ""),
    form(page),
  ],
  /** @param {any} page @returns {any[]} */
  questionnaire: (page) => ["Some questions", form(page)],
  /** @param {any} page @returns {any[]} */
  game: (page) => [
    `Your next task: ${page.game}`,
    make(
      "p",
      {},
      `Please finish it by ${clock(page.until)}.` + (page.pay ? ` You get ${money(page.pay)} for it.` : ""),
    ),
    page.path ? make("a", { className: "button primary", href: page.path, id: "start" }, "Start") : null,
  ],
  /** @param {any} page @returns {any[]} */
  wait: (page) => [
    "Waiting for a partner",
    make("p", {}, "Keep this page open. You are taken to your task when somebody is there."),
    make(
      "p",
      { className: "aside" },
      (page.expected === null ? "" : `This takes about ${Math.ceil(page.expected / 60)} min. `) +
        `If nobody comes by ${clock(page.until)}, the study continues without a partner.`,
    ),
    page.machine ? button("Play with a program instead", { do: "machine" }) : null,
  ],
  /** @param {any} page @returns {any[]} */
  draw: (page) => drawing(page),
  /** @param {any} page @returns {any[]} */
  end: (page) => [
    "The end",
    make("p", {}, page.text),
    page.again ? button("Continue after all", { do: "open", visit: "new" }) : null,
  ],
};

/** Questions with choices or free text. @param {any} page */
function form(page) {
  const fields = page.questions.map((/** @type {any} */ question, /** @type {number} */ number) => {
    const name = `answer-${number}`;
    const required = !question.optional;
    if (!question.choices.length)
      return make(
        "p",
        {},
        make("label", { htmlFor: name }, question.text),
        make("textarea", { id: name, name, rows: 3, required, maxLength: 4000 }),
      );
    const choices = question.choices.map((/** @type {string} */ choice) =>
      make("label", {}, make("input", { type: "radio", name, value: choice, required }), choice),
    );
    return make("fieldset", { className: "options" }, make("legend", {}, question.text), ...choices);
  });
  const found = make("form", {}, ...fields, make("button", { type: "submit", className: "primary" }, "Send"));
  found.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (found));
    const answers = page.questions.map((/** @type {any} */ _, /** @type {number} */ number) =>
      String(data.get(`answer-${number}`) ?? ""),
    );
    void act({ do: "submit", task: page.task, answers });
  });
  return found;
}

/** A board to draw on. @param {any} page @returns {any[]} */
function drawing(page) {
  /** @type {any[]} */
  const moves = [];
  const pictures = new Map(page.panels.map((/** @type {any} */ panel) => [panel.name, parse(panel.svg)]));
  const bench = make("div", {});
  const done = make("button", { type: "button", className: "primary" }, "Send the drawing");
  done.addEventListener("click", () => act({ do: "submit", task: page.task, moves }));
  void tool(page.tool).then(({ open }) =>
    open({
      svg: pictures.get("work"),
      facts: page.facts,
      send: (drawn, _, taken) => {
        moves.push(...drawn);
        taken?.();
      },
      note: (text) => ($("trouble").textContent = text),
      room: bench,
      active: true,
      changedByPerson: () => {},
      alone: true,
    }),
  );
  const figures = [...pictures.values()].map((svg) =>
    make("figure", {}, make("div", { className: "picture" }, svg)),
  );
  return ["Draw a picture", make("p", {}, page.now), ...figures, bench, done];
}

$("leave").addEventListener("click", () => $("confirm").showModal());
$("confirm-no").addEventListener("click", () => $("confirm").close());
$("confirm-yes").addEventListener("click", () => {
  $("confirm").close();
  void act({ do: "leave" });
});

// Coming back from a game in the same tab is the same visit.
const visit = sessionStorage.getItem(VISIT) ? "same" : "new";
sessionStorage.setItem(VISIT, "1");
void act({ do: "open", visit });
awaitMessages((page) => shown.page !== "wait" && show(page));
