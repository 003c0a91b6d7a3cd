// The settings of a game as a form that is made from their description.

import { capital, make } from "./dom.js";

/**
 * @typedef {{name: string, about: string, kind: "choice"|"flag"|"number"|"text", value: any,
 *   choices?: string[], least?: number, most?: number}} Field
 */

/** @param {Field} field @returns {any} */
function input(field) {
  const id = `setting-${field.name}`;
  if (field.kind === "choice")
    return make("select", { id }, ...(field.choices ?? []).map((each) => make("option", {}, each)));
  if (field.kind === "flag") return make("input", { id, type: "checkbox", autocomplete: "off" });
  const number = field.kind === "number";
  const box = make("input", { id, type: "text", autocomplete: "off", className: number ? "short" : "" });
  if (number) box.inputMode = "numeric";
  return box;
}

/** @param {Field} field */
function bounds({ least, most }) {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return ` (at least ${least})`;
  return least === undefined ? ` (at most ${most})` : ` (${least} to ${most})`;
}

/**
 * @param {Field[]} fields
 * @param {() => void} changed Called when somebody has chosen a value.
 */
export function settingForm(fields, changed) {
  const inputs = new Map(fields.map((field) => [field.name, input(field)]));
  const lines = fields.map((field) => {
    const own = inputs.get(field.name);
    own.setAttribute("aria-describedby", `about-${field.name}`);
    const about = `${capital(field.about)}${bounds(field)}`;
    return make(
      "div",
      { className: `setting ${field.kind}` },
      make("label", { htmlFor: own.id }, capital(field.name.replaceAll("_", " "))),
      own,
      make("p", { id: `about-${field.name}`, className: "aside" }, about),
    );
  });
  const element = make("div", { className: "stack" }, ...lines);
  element.addEventListener("change", changed);
  return {
    element,
    /** Show these settings, and the usual ones for the others. @param {Record<string, any>} chosen */
    fill(chosen) {
      for (const { name, kind, value } of fields) {
        const shown = chosen[name] ?? value;
        if (kind === "flag") inputs.get(name).checked = shown;
        else inputs.get(name).value = String(shown);
      }
    },
    /** Those that differ from the usual ones, as texts. @returns {Record<string, string>} */
    chosen() {
      const texts = fields.map(({ name, kind, value }) => {
        const own = inputs.get(name);
        return [name, kind === "flag" ? String(own.checked) : own.value.trim(), String(value)];
      });
      return Object.fromEntries(texts.filter(([, text, usual]) => text !== usual));
    },
  };
}
