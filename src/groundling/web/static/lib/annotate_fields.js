// What is asked about an item: labels, counts, marked words, texts and boards, each as a part of a form.

import { SpanEditor, markTag, styleMark } from "./annotate_spans.js";
import { $, make } from "./dom.js";
import { parse } from "./picture.js";
import { tool } from "./tools.js";

/**
 * @typedef {import("./study_texts.js").StudyTexts} Texts
 * @typedef {{field: any, box: any, press: (key: string) => boolean, fill: (value: any) => void}} FieldPart
 */

/** @param {any} field @param {any[]} inside @param {string} language */
function frame(field, inside, language) {
  const asked = make("legend", { lang: language }, field.text || field.name);
  return make("fieldset", { className: "question" }, asked, ...inside);
}

/**
 * The key of each label, "" where there is none: the digit with which a label begins, if all begin with different
 * ones, else its position.
 * @param {string[]} labels
 */
function labelKeys(labels) {
  const digits = labels.map((label) => /^\d/.exec(label)?.[0] ?? "");
  if (digits.every(Boolean) && new Set(digits).size === labels.length) return digits;
  return labels.map((_, number) => (number < 9 ? String(number + 1) : number === 9 ? "0" : ""));
}

/** @param {string} key */
const keyCap = (key) => (key ? make("kbd", { "aria-hidden": "true" }, key) : null);

/** @param {any} field @param {string} name @param {string} type @param {string} language */
function labelInputs(field, name, type, language) {
  const keys = labelKeys(field.labels);
  return field.labels.map((/** @type {string} */ label, /** @type {number} */ number) => {
    const input = make("input", { type, name, value: label });
    const about = field.about[label] ? make("span", { className: "aside" }, field.about[label]) : null;
    return { input, box: make("label", { lang: language }, input, keyCap(keys[number]), make("span", {}, label), about) };
  });
}

/** @param {any} field @param {string} name @param {string} language @param {(value: any) => void} changed @returns {FieldPart} */
function labelField(field, name, language, changed) {
  const many = field.kind === "several";
  const labels = labelInputs(field, name, many ? "checkbox" : "radio", language);
  const inputs = labels.map((/** @type {any} */ label) => label.input);
  const read = () => {
    const chosen = inputs.filter((/** @type {any} */ input) => input.checked).map((/** @type {any} */ input) => input.value);
    return many ? chosen : chosen[0];
  };
  for (const input of inputs) input.addEventListener("change", () => changed(read()));
  const options = make("div", { className: "options choice" }, ...labels.map((/** @type {any} */ label) => label.box));
  return {
    field,
    box: frame(field, [options], language),
    press: (key) => {
      const number = labelKeys(field.labels).indexOf(key);
      if (number < 0) return false;
      inputs[number].checked = many ? !inputs[number].checked : true;
      inputs[number].focus();
      changed(read());
      return true;
    },
    fill: (value) => {
      for (const input of inputs) input.checked = many ? (value ?? []).includes(input.value) : value === input.value;
    },
  };
}

/** @param {any} field @param {string} name @param {string} language @param {(value: any) => void} changed @returns {FieldPart} */
function textField(field, name, language, changed) {
  const counts = field.kind === "count";
  const input = counts
    ? make("input", { type: "text", inputMode: "numeric", id: name, className: "short", autocomplete: "off" })
    : make("textarea", { id: name, rows: 3, maxLength: 4000 });
  input.setAttribute("aria-label", field.text || field.name);
  input.addEventListener("input", () => {
    const text = input.value.trim();
    changed(counts ? (/^\d+$/.test(text) ? Number(text) : undefined) : text || undefined);
  });
  return {
    field,
    box: frame(field, [input], language),
    press: (key) => {
      if (!counts) return false;
      input.value = key;
      input.focus();
      changed(Number(key));
      return true;
    },
    fill: (value) => {
      if (document.activeElement !== input) input.value = value ?? "";
    },
  };
}

/** @param {any} field @param {any} item @param {Texts} texts @param {string} language @param {(value: any) => void} changed @returns {FieldPart} */
function spanField(field, item, texts, language, changed) {
  const editor = new SpanEditor(item.text, field.labels, texts, changed, language);
  const keys = labelKeys(field.labels);
  const buttons = field.labels.map((/** @type {string} */ label, /** @type {number} */ number) => {
    const button = make("button", { type: "button", className: "small", title: field.about[label] ?? "" }, keyCap(keys[number]), ` ${label}`);
    styleMark(button, field.labels, label);
    button.addEventListener("click", () => editor.mark(label));
    return button;
  });
  const help = make("p", { className: "aside" }, texts.say("annotate.spans"));
  const row = make("div", { className: "row labels", lang: language }, ...buttons);
  return {
    field,
    box: frame(field, [help, editor.line, row, editor.marks, editor.said], language),
    press: (key) => keys.includes(key) && editor.mark(field.labels[keys.indexOf(key)]),
    fill: (value) => editor.set(value ?? []),
  };
}

/** A board that is corrected by painting. Undoing strokes is part of the tool. @param {any} field @param {any} item @param {string} language @param {(value: any) => void} changed @returns {FieldPart} */
function boardField(field, item, language, changed) {
  const bench = make("div", {});
  /** @type {any[]} Those of before a reload are in the picture already. */
  const moves = [...item.painted];
  const svg = parse(item.desk.svg);
  void tool(item.desk.tool).then(({ open }) =>
    open({
      svg,
      facts: item.desk.facts,
      send: (drawn, _, taken) => {
        moves.push(...drawn);
        changed([...moves]);
        taken?.();
      },
      note: (why) => ($("trouble").textContent = why),
      room: bench,
      active: true,
      changedByPerson: () => {},
      alone: true,
    }),
  );
  const picture = make("figure", {}, make("div", { className: "picture" }, svg));
  return { field, box: frame(field, [picture, bench], language), press: () => false, fill: () => {} };
}

/**
 * @param {any} field
 * @param {any} item
 * @param {string} name For inputs, different in each item.
 * @param {Texts} texts
 * @param {string} language Of the study's own words.
 * @param {(value: any) => void} changed
 * @returns {FieldPart}
 */
export function fieldPart(field, item, name, texts, language, changed) {
  if (field.kind === "spans") return spanField(field, item, texts, language, changed);
  if (field.kind === "board") return boardField(field, item, language, changed);
  if (field.labels.length) return labelField(field, name, language, changed);
  return textField(field, name, language, changed);
}

/** A value in words, for those who adjudicate. @param {any} field @param {any} item @param {any} value @returns {any} */
export function describeValue(field, item, value) {
  if (value === undefined) return "–";
  if (field.kind === "board") return make("div", { className: "picture" }, parse(value.svg));
  if (field.kind === "several") return value.join(", ") || "–";
  if (field.kind !== "spans") return String(value);
  const letters = [...item.text];
  const marks = value.map((/** @type {any} */ span) =>
    make("li", {}, markTag(field.labels, span.label), ` “${letters.slice(span.start, span.end).join("")}”`),
  );
  return marks.length ? make("ul", { className: "plain" }, ...marks) : "–";
}
