// The page of a study for one person: consent, what comes next, tasks, the waiting room and the end. The server
// decides what comes next; the page shows it and sends what the person does.

import { annotationPart } from "./lib/annotate.js";
import { $, capital, make, post } from "./lib/dom.js";
import { showProblem, showState } from "./lib/page_state.js";
import { askDelete, askLeave, askReport, guideParts, hasGuide, proseParts, showGuide } from "./lib/study_dialogs.js";
import { drawingParts } from "./lib/study_drawing.js";
import { questionForm } from "./lib/study_form.js";
import { pendingAction } from "./lib/study_room.js";
import { loadTexts } from "./lib/study_texts.js";

const PATH = location.pathname;
const VISIT = `visit ${PATH}`;
const LANGUAGE = `language ${PATH}`;
const RETRY_MS = 2000;
const MESSAGES_MS = 20_000;
const MESSAGES_SHOWN = 3;
/** The pages that tell how the last task ended. */
const TELLING = ["next", "questionnaire", "end"];
/** @type {any} */
let shown = {};
/** @type {import("./lib/study_texts.js").StudyTexts} */
let texts;
/** The number of the last action; answers to earlier ones are no longer shown. */
let last = 0;
/** Seconds that the server's clock is ahead of ours. */
let ahead = 0;

/** Do something and show what comes next. @param {any} action @returns {Promise<void>} */
async function act(action) {
  const number = ++last;
  $("trouble").textContent = "";
  try {
    const language = encodeURIComponent(localStorage.getItem(LANGUAGE) ?? "");
    const page = await post(`${PATH}/act?language=${language}`, action);
    texts = await loadTexts(PATH, page.language);
    if (number === last) show(page);
  } catch (error) {
    if (number === last) showTrouble(/** @type {any} */ (error), action);
  }
}

/** Show what researchers have written or decided meanwhile. */
async function lookForMessages() {
  if (document.hidden || !shown.page || shown.page === "wait") return;
  const number = last;
  const page = await post(`${PATH}/act?language=${shown.language}`, { do: "open" }).catch(() => null);
  if (page && number === last) show(page);
}

/** @param {any} error @param {any} action What was not done. */
function showTrouble(error, action) {
  const again = () => void act(action);
  if (!shown.page) return showProblem($("state"), error, again);
  if (!error.offline) return ($("trouble").textContent = `${capital(error.message)}.`);
  const button = make("button", { type: "button" }, texts.say("problem.again"));
  button.addEventListener("click", again);
  const why = texts.say(navigator.onLine ? "problem.unreachable" : "problem.offline");
  $("state").classList.add("small");
  showState($("state"), "offline", why, make("p", {}, texts.say("problem.kept")), button);
  if (action.do === "wait") setTimeout(() => shown.page === "wait" && again(), RETRY_MS);
  return undefined;
}

/** @param {string} name @param {Record<string, any>} [values] @param {string} [className] */
const text = (name, values = {}, className = "") => make("p", { className }, texts.say(name, values));

/** @param {number} amount */
const money = (amount) => texts.money(amount, shown.currency);

/** @param {string} label @param {() => void} press @param {string} [className] */
function button(label, press, className = "") {
  const found = make("button", { type: "button", className }, label);
  found.addEventListener("click", press);
  return found;
}

/** @param {[string, any][]} rows Those without a value are left out. */
const facts = (rows) =>
  make(
    "dl",
    { className: "facts" },
    ...rows.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
  );

/** @param {any[]} lines Empty ones are left out. */
const bullets = (lines) =>
  make("div", { className: "prose" }, make("ul", {}, ...lines.filter(Boolean).map((line) => make("li", {}, line))));

/** The instructions, which are open until the person has done such a task. @param {any} page */
function instructions(page) {
  const known = page.progress.some((/** @type {any} */ stage) => stage.state === "now" && stage.done);
  const summary = make("summary", {}, texts.say("guide.heading"));
  const inside = make("div", { className: "prose" }, ...guideParts(page, texts));
  return make("details", { className: "guide", open: !known }, summary, inside);
}

/** @param {any} page */
function show(page) {
  const key = (/** @type {any} */ each) =>
    JSON.stringify([each.page, each.task, each.attempts, each.progress, each.round, each.language, each.erased]);
  const same = key(page) === key(shown);
  const goes = page.path && (shown.page === "wait" || shown.page === "next");
  shown = page;
  ahead = page.now - Date.now() / 1000;
  if (goes) return location.assign(page.path);
  if (page.page === "between") return void setTimeout(() => act({ do: "open" }), RETRY_MS);
  document.documentElement.lang = page.language;
  document.body.classList.toggle("wide", page.page === "annotate");
  document.title = $("title").textContent = page.title;
  $("state").hidden = true;
  showFrame(page);
  if (!same) {
    const [heading, ...parts] = PAGES[/** @type {keyof PAGES} */ (page.page)](page);
    const title = make("h2", { id: "heading", tabIndex: -1 }, heading);
    $("task").replaceChildren(title, ...parts.filter(Boolean));
    $("task").hidden = false;
    title.focus();
  }
  if (page.page === "wait") {
    tickWait();
    void act({ do: "wait" });
  }
  return undefined;
}

/** What surrounds every page: progress, pay, notice, contact, and the buttons of the header. @param {any} page */
function showFrame(page) {
  const tells = TELLING.includes(page.page) && (page.outcome ?? "finished") === "finished";
  const notice = page.notice && tells ? texts.say(`notice.${page.notice.text}`, page.notice) : "";
  if ($("notice").textContent !== notice) $("notice").textContent = notice;
  showMessages(page.messages);
  $("guide").hidden = !hasGuide(page);
  $("guide").textContent = texts.say("page.instructions");
  $("leave").hidden = page.page === "end" || page.page === "consent";
  $("leave").textContent = texts.say("page.leave");
  $("progress").hidden = !page.progress;
  $("progress").setAttribute("aria-label", texts.say("page.progress"));
  const earned = make("p", { id: "earned" }, `${texts.say("page.earned")} `, make("b", {}, money(page.owed)));
  if (page.progress)
    $("progress").replaceChildren(
      make("ol", { className: "steps" }, ...page.progress.map(step)),
      ...(page.pays ? [earned] : []),
    );
  $("about").replaceChildren(text("page.code", page), text("page.contact", page));
  offerLanguages(page);
}

/** The newest messages of the researchers. @param {{at: number, text: string}[]} messages */
function showMessages(messages) {
  const lines = messages
    .slice(-MESSAGES_SHOWN)
    .map((message) => `${texts.say("page.message", { time: texts.clock(message.at) })} ${message.text}`);
  const place = $("messages");
  if (place.dataset.shown === lines.join("\n")) return;
  place.dataset.shown = lines.join("\n");
  place.replaceChildren(...lines.map((line) => make("p", { className: "note" }, line)));
}

/** @param {any} stage */
function step(stage) {
  const name = make("span", {}, texts.name(stage));
  const counted = stage.most > 1 && ["game", "draw", "annotate"].includes(stage.kind) && stage.state !== "later";
  const count = counted ? make("span", {}, texts.say("count", { done: stage.done, n: stage.most })) : null;
  const unseen = stage.state === "done" ? make("span", { className: "unseen" }, texts.say("page.done")) : null;
  const found = make("li", { className: stage.state }, name, count, unseen);
  if (stage.state === "now") found.setAttribute("aria-current", "step");
  return found;
}

/** @param {any} page */
function offerLanguages(page) {
  $("language").hidden = page.languages.length < 2;
  if ($("language").hidden || $("language").value === page.language) return;
  const option = (/** @type {string} */ each) => {
    const name = new Intl.DisplayNames([each], { type: "language" }).of(each);
    return make("option", { value: each, lang: each }, name);
  };
  $("language").setAttribute("aria-label", texts.say("page.language"));
  $("language").replaceChildren(...page.languages.map(option));
  $("language").value = page.language;
}

const PAGES = {
  /** @param {any} page @returns {any[]} */
  consent: (page) => [texts.say("consent.heading"), ...proseParts(page.texts, texts), ...conditions(page), consentForm(page)],
  /** @param {any} page @returns {any[]} */
  next: (page) => [
    texts.say("next.heading", { name: texts.name(page.stage) }),
    page.stage.practice ? text(page.stage.decides ? "next.practice_decides" : "next.practice") : null,
    bullets([
      page.partners && texts.say("next.partner"),
      page.programs && texts.say("next.program"),
      page.blind && texts.say("next.blind"),
      page.machine && texts.say("next.machine"),
      texts.say("next.time", { minutes: texts.minutes(page.minutes) }),
      page.pay && texts.say("next.pay", { amount: money(page.pay) }),
    ]),
    hasGuide(page) && instructions(page),
    make(
      "div",
      { className: "row" },
      button(texts.say("next.start"), () => act({ do: "start" }), "primary"),
    ),
    text("next.break", { minutes: texts.minutes(page.idle) }, "aside"),
  ],
  /** @param {any} page @returns {any[]} */
  quiz: (page) => [
    page.stage.title || texts.say("quiz.heading"),
    text(page.wrong.length ? "quiz.again" : "quiz.attempts", { n: page.attempts }, page.wrong.length ? "note bad" : ""),
    questionForm(page, texts, (answers) => act({ do: "submit", task: page.task, answers })),
  ],
  /** @param {any} page @returns {any[]} */
  questionnaire: (page) => [
    page.stage.title || texts.say("form.heading"),
    questionForm(page, texts, (answers) => act({ do: "submit", task: page.task, answers })),
  ],
  /** @param {any} page @returns {any[]} */
  game: (page) => [
    texts.say("game.heading", { name: texts.name(page.stage) }),
    page.round?.[1] > 1 ? text("game.round", { round: page.round[0], n: page.round[1] }) : null,
    page.live && page.path ? text("game.partner", {}, "note") : null,
    text("game.until", { time: texts.clock(page.until) }),
    page.pay ? text("next.pay", { amount: money(page.pay) }) : null,
    make(
      "div",
      { className: "row" },
      page.path && make("a", { className: "button primary", href: page.path, id: "start" }, texts.say("game.open")),
      page.live && button(texts.say("report.open"), async () => actIf(await askReport(page, texts))),
    ),
  ],
  /** @param {any} page @returns {any[]} */
  wait: (page) => [
    texts.say("wait.heading"),
    make(
      "div",
      { className: "waiting" },
      make("span", { className: "dots", "aria-hidden": "true" }, make("i"), make("i"), make("i")),
      text("wait.keep"),
    ),
    facts([
      [texts.say("wait.waited"), make("span", { id: "waited" })],
      [texts.say("wait.expected"), make("span", { id: "expected" })],
      [texts.say("wait.longest"), texts.say("wait.until", { time: texts.clock(page.until) })],
      [texts.say("wait.pay"), page.waiting_minute && texts.say("wait.rate", { amount: money(page.waiting_minute) })],
    ]),
    text("wait.after", {}, "aside"),
    page.machine && make("div", { className: "row" }, button(texts.say("wait.machine"), () => act({ do: "machine" }))),
  ],
  /** @param {any} page @returns {any[]} */
  draw: (page) => [
    page.stage.title || texts.say("draw.heading"),
    ...drawingParts(
      page,
      texts,
      (why) => ($("trouble").textContent = why),
      (moves) => act({ do: "submit", task: page.task, moves }),
    ),
  ],
  /** @param {any} page @returns {any[]} */
  annotate: (page) => [
    texts.name(page.stage),
    annotationPart(page, texts, (labels) => act({ do: "submit", task: page.task, labels })),
  ],
  /** @param {any} page @returns {any[]} */
  end: (page) => [
    texts.say(page.outcome === "finished" && !page.erased ? "end.finished_heading" : "end.heading"),
    text(`outcome.${page.told}`),
    page.pays ? text("end.earned", { amount: money(page.owed) }) : null,
    ...completion(page),
    page.again ? make("div", { className: "row" }, button(texts.say("end.again"), again)) : null,
    ...debriefing(page),
  ],
};

/** What taking part involves. @param {any} page */
function conditions(page) {
  const paid = page.tasks.map((/** @type {any} */ task) =>
    texts.say(task.most > 1 ? "consent.tasks" : "consent.task", {
      name: texts.name(task),
      amount: money(task.pay),
      n: task.most,
    }),
  );
  const pay = [page.base && texts.say("consent.base", { amount: money(page.base) }), ...paid].filter(Boolean);
  const minutes = page.expected_minutes;
  const know = ["watched", "programs", "machine"].filter((name) => page[name]);
  return [
    make("h3", {}, texts.say("consent.what")),
    facts([
      [texts.say("consent.time"), minutes && texts.say("consent.about", { minutes: texts.minutes(minutes) })],
      [texts.say("consent.pay"), pay.length && make("span", {}, ...pay.map((line) => make("div", {}, line)))],
      [texts.say("consent.device"), texts.say(`consent.${page.device}`)],
    ]),
    make("h3", {}, texts.say("consent.good_to_know")),
    bullets([...know, "stop"].map((name) => texts.say(`consent.${name}`))),
  ];
}

/** @param {any} page */
function consentForm(page) {
  const box = make("input", { type: "checkbox", id: "of-age", "aria-describedby": "age-trouble" });
  const trouble = make("p", { id: "age-trouble", className: "trouble", role: "alert" });
  const age = page.minimum_age;
  const label = make("label", { className: "check" }, box, texts.say("consent.age", { age }));
  const form = make(
    "form",
    {},
    ...(age ? [label, trouble] : []),
    make(
      "div",
      { className: "row" },
      make("button", { type: "submit", className: "primary" }, texts.say("consent.agree")),
      button(texts.say("consent.decline"), () => act({ do: "consent", agreed: false })),
    ),
  );
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!age || box.checked) return act({ do: "consent", agreed: true, of_age: Boolean(age) });
    trouble.textContent = texts.say("consent.age_missing");
    return box.focus();
  });
  return form;
}

/** The code that proves that a person took part, and the way back. @param {any} page */
function completion(page) {
  const code = make("output", {}, page.completion);
  const copy = button(texts.say("end.copy"), async () => {
    getSelection()?.selectAllChildren(code); // for browsers that do not let pages copy
    await navigator.clipboard?.writeText(page.completion).catch(() => {});
    copy.textContent = texts.say("end.copied");
  });
  const back = { className: "button primary", href: page.redirect };
  return [
    make("h3", {}, texts.say("end.code")),
    make("div", { className: "code" }, code, copy),
    page.redirect && make("div", { className: "row" }, make("a", back, texts.say("end.return"))),
  ];
}

/** What the study was about, who the partners were, and the last way to withdraw. @param {any} page */
function debriefing(page) {
  const games = page.partners.map((/** @type {string[]} */ kinds, /** @type {number} */ number) => {
    const partners = kinds.map((kind) => texts.say(`partner.${kind}`)).join(", ");
    return make("li", {}, texts.say("end.game", { n: number + 1, partners }));
  });
  const erase = button(texts.say("end.delete"), async () => actIf(await askDelete(texts)));
  return [
    page.debriefing.length && make("h3", {}, texts.say("end.debriefing")),
    ...proseParts(page.debriefing, texts),
    games.length && make("h3", {}, texts.say("end.partners")),
    games.length && make("ul", { className: "plain" }, ...games),
    page.kept && text("end.delete_about", {}, "aside"),
    page.kept && make("div", { className: "row" }, erase),
  ];
}

/** The times of the waiting room, which change while the rest of the page stays. */
function tickWait() {
  if (shown.page !== "wait") return;
  const now = Date.now() / 1000 + ahead;
  const waited = Math.max(0, Math.floor(now - shown.since));
  const left = shown.expected === null ? null : shown.expected - (now - shown.now);
  $("waited").textContent = `${Math.floor(waited / 60)}:${String(waited % 60).padStart(2, "0")}`;
  $("expected").textContent =
    left === null
      ? texts.say("wait.unknown")
      : left < 60
        ? texts.say("wait.soon")
        : texts.say("wait.about", { minutes: texts.minutes(left / 60) });
}

/** @param {any} action Null where the person decided otherwise. */
const actIf = (action) => action && act(action);
const again = () => act({ do: "open", visit: "new" });

$("guide").addEventListener("click", () => showGuide(shown, texts));
$("leave").addEventListener("click", async () => actIf(await askLeave(shown, texts)));
$("language").addEventListener("change", () => {
  localStorage.setItem(LANGUAGE, $("language").value);
  void act({ do: "open" });
});
setInterval(tickWait, 1000);

// Coming back from a game in the same tab is the same visit, and may bring what the person decided there.
const pending = sessionStorage.getItem(pendingAction(PATH));
sessionStorage.removeItem(pendingAction(PATH));
const visit = sessionStorage.getItem(VISIT) ? "same" : "new";
sessionStorage.setItem(VISIT, "1");
showState($("state"), "loading", "Loading…");
void act(pending ? JSON.parse(pending) : { do: "open", visit });
setInterval(lookForMessages, MESSAGES_MS);
