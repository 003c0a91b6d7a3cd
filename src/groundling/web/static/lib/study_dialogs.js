// What a person can do on every page of a study: read the instructions, leave, delete their data, report a partner.

import { make } from "./dom.js";
import { markdown } from "./study_markdown.js";

/** @typedef {import("./study_texts.js").StudyTexts} Texts */

/**
 * @param {string} heading
 * @param {any[]} parts
 * @param {[string, any, string?][]} choices Labels with what they result in, and their classes.
 * @returns {Promise<any>} What was chosen; null where the dialog was closed.
 */
export function ask(heading, parts, choices) {
  const dialog = make("dialog", { "aria-labelledby": "dialog-heading" });
  const buttons = choices.map(([label, value, className = ""]) => {
    const button = make("button", { type: "button", className }, label);
    button.addEventListener("click", () => {
      const field = dialog.querySelector("[required]");
      if (value && field && !field.value.trim()) return field.focus();
      dialog.choice = typeof value === "function" ? value() : value;
      return dialog.close();
    });
    return button;
  });
  dialog.append(
    make("h2", { id: "dialog-heading" }, heading),
    make("div", { className: "prose" }, ...parts),
    make("div", { className: "row" }, ...buttons),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.choice ?? null);
    });
  });
}

/** Texts of the study, each in its language. @param {any[]} found @param {Texts} texts */
export const proseParts = (found, texts) =>
  found.map(({ text, language }) =>
    make("div", { className: "prose", lang: language }, ...markdown(text, texts.say("page.new_tab"))),
  );

/** The study's own instructions, followed by the help of the game. @param {any} page @param {Texts} texts */
export function guideParts({ guide }, texts) {
  const help = guide.help.flatMap((/** @type {any} */ seat) => [
    guide.help.length > 1 ? make("h4", {}, texts.say("guide.role", { role: seat.role })) : null,
    make("ul", { lang: "en" }, ...seat.texts.map((/** @type {string} */ text) => make("li", {}, text))),
  ]);
  return [
    ...proseParts(guide.texts, texts),
    ...(help.length ? [make("h3", {}, texts.say("guide.help")), ...help] : []),
  ].filter(Boolean);
}

/** @param {any} page */
export const hasGuide = (page) => Boolean(page.guide?.texts.length || page.guide?.help.length);

/** @param {any} page @param {Texts} texts */
export const showGuide = (page, texts) =>
  ask(texts.say("guide.heading"), guideParts(page, texts), [[texts.say("page.close"), null]]);

/** What leaving means, and what the person chooses. @param {any} page @param {Texts} texts */
export function askLeave(page, texts) {
  const say = (/** @type {string} */ name, /** @type {any} */ values = {}) =>
    make("p", {}, texts.say(`leave.${name}`, values));
  const parts = [
    page.task ? say("task") : null,
    page.pays ? say("pay", { amount: texts.money(page.leave, page.currency) }) : null,
    say("keep"),
    say("delete"),
  ].filter(Boolean);
  return ask(texts.say("leave.heading"), parts, [
    [texts.say("leave.yes"), { do: "leave" }, "primary"],
    [texts.say("leave.erase"), { do: "erase" }, "danger"],
    [texts.say("leave.no"), null],
  ]);
}

/** @param {Texts} texts */
export const askDelete = (texts) =>
  ask(
    texts.say("delete.heading"),
    [make("p", {}, texts.say("delete.about"))],
    [
      [texts.say("delete.yes"), { do: "erase" }, "primary danger"],
      [texts.say("delete.no"), null],
    ],
  );

/** @param {any} page @param {Texts} texts */
export function askReport(page, texts) {
  const reason = make("textarea", { id: "reason", rows: 3, maxLength: 1000, required: true });
  const parts = [
    make("p", {}, texts.say("report.about")),
    make("label", { htmlFor: "reason" }, texts.say("report.reason")),
    reason,
  ];
  return ask(texts.say("report.heading"), parts, [
    [texts.say("report.yes"), () => ({ do: "report", task: page.task, reason: reason.value }), "primary"],
    [texts.say("report.no"), null],
  ]);
}
