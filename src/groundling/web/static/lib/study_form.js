// The questions of a quiz or a questionnaire as a form, which keeps what was answered when the page is reloaded.

import { make } from "./dom.js";

/** @typedef {import("./study_texts.js").StudyTexts} Texts */

/** @param {any} question @param {Texts} texts */
function hint({ kind, least = null, most = null }, texts) {
  if (kind === "several") return texts.say("form.several");
  if (kind !== "number" || (least === null && most === null)) return "";
  const which = least === null ? "to" : most === null ? "from" : "from_to";
  return texts.say(`form.number_${which}`, { least, most });
}

/** What can be chosen: buttons of a choice or of a scale, boxes of several choices. @param {any} question @param {string} name */
function options({ kind, choices, ends = [] }, name) {
  const labels = choices.map((/** @type {string} */ choice, /** @type {number} */ number) => {
    const end = number === 0 ? ends[0] : number === choices.length - 1 ? ends[1] : "";
    const type = kind === "several" ? "checkbox" : "radio";
    const unseen = end ? make("span", { className: "unseen" }, ` (${end})`) : null;
    return make("label", {}, make("input", { type, name, value: choice }), make("span", {}, choice, unseen));
  });
  const under = ends.map((/** @type {string} */ end) => make("span", { "aria-hidden": "true" }, end));
  return [
    make("div", { className: `options answer-${kind}` }, ...labels),
    under.length ? make("div", { className: "ends aside" }, ...under) : null,
  ];
}

/** @param {any} question @param {string} name */
const field = ({ kind }, name) =>
  kind === "number"
    ? make("input", { type: "text", inputMode: "decimal", id: name, name, className: "short", autocomplete: "off" })
    : make("textarea", { id: name, name, rows: 3, maxLength: 4000 });

/** @param {any} question @param {string} answer @param {Texts} texts */
function fault({ kind, optional, least = null, most = null }, answer, texts) {
  if (!answer.trim()) return optional ? "" : texts.say("form.missing");
  const value = Number(answer);
  const outside = (least !== null && value < least) || (most !== null && value > most);
  return kind === "number" && (!Number.isFinite(value) || outside) ? texts.say("form.not_number") : "";
}

/**
 * @param {any} page With its questions and its task.
 * @param {Texts} texts
 * @param {(answers: string[]) => void} send
 */
export function questionForm(page, texts, send) {
  const draft = `draft ${location.pathname} ${page.task}`;
  const parts = page.questions.map((/** @type {any} */ question, /** @type {number} */ number) => {
    const name = `answer-${number}`;
    const chooses = ["choice", "several", "scale"].includes(question.kind);
    const wrong = page.wrong?.includes(number) ? texts.say("quiz.wrong") : "";
    const about = make("p", { id: `${name}-hint`, className: "aside" }, hint(question, texts));
    const trouble = make("p", { id: `${name}-trouble`, className: "trouble", role: "alert" }, wrong);
    const optional = question.optional ? make("span", { className: "aside" }, ` ${texts.say("form.optional")}`) : null;
    const asked = make("span", { lang: page.own_language }, question.text);
    const label = make(chooses ? "legend" : "label", chooses ? {} : { htmlFor: name }, asked, optional);
    const inside = chooses ? [make("div", { lang: page.own_language }, ...options(question, name))] : [field(question, name)];
    const box = make(chooses ? "fieldset" : "div", { className: "question" }, label, about, ...inside, trouble);
    (chooses ? box : inside[0]).setAttribute("aria-describedby", `${name}-hint ${name}-trouble`);
    return { name, question, box, trouble };
  });
  const submit = make("button", { type: "submit", className: "primary" }, texts.say("form.send"));
  const form = make(
    "form",
    { noValidate: true, className: "stack" },
    ...parts.map((/** @type {any} */ part) => part.box),
    make("div", { className: "row" }, submit),
  );
  const read = () => {
    const data = new FormData(form);
    return parts.map((/** @type {any} */ { name, question: { kind } }) => {
      const text = data.getAll(name).join("\n");
      return kind === "number" ? text.trim().replace(",", ".") : text;
    });
  };
  form.addEventListener("input", () => sessionStorage.setItem(draft, JSON.stringify(read())));
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const answers = read();
    let first = null;
    for (const [number, { question, box, trouble }] of parts.entries()) {
      trouble.textContent = fault(question, answers[number], texts);
      const inputs = [...box.querySelectorAll("input, textarea")];
      for (const each of inputs) each.setAttribute("aria-invalid", String(Boolean(trouble.textContent)));
      if (trouble.textContent) first ??= inputs[0];
    }
    if (first) return first.focus();
    sessionStorage.removeItem(draft);
    return send(answers);
  });
  fill(parts, JSON.parse(sessionStorage.getItem(draft) ?? "[]"));
  return form;
}

/** Put back what was answered before. @param {any[]} parts @param {string[]} answers */
function fill(parts, answers) {
  for (const [number, { box }] of parts.entries())
    for (const each of answers[number] ? box.querySelectorAll("input, textarea") : [])
      if (each.type === "radio" || each.type === "checkbox")
        each.checked = answers[number].split("\n").includes(each.value);
      else each.value = answers[number];
}
