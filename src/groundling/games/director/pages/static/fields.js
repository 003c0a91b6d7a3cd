// Form fields of the items editor.

import { make } from "/static/lib/dom.js";

/** @param {string} id @param {string} label @param {any} input @param {string} [more] */
export function field(id, label, input, more) {
  input.id = id;
  const hint = more ? make("p", { className: "aside", id: `${id}-more` }, more) : null;
  if (hint) input.setAttribute("aria-describedby", hint.id);
  return make("div", {}, make("label", { htmlFor: id }, label), input, hint);
}

/** @param {string} value @param {(value: string) => void} set */
export function text(value, set) {
  const input = make("input", { type: "text", value, autocomplete: "off", spellcheck: false });
  input.addEventListener("change", () => set(input.value.trim()));
  return input;
}

/** @param {string[]} values @param {string} value @param {(value: string) => void} set */
export function select(values, value, set) {
  const input = make("select", {}, ...values.map((each) => make("option", { value: each }, each || "—")));
  input.value = value;
  input.addEventListener("change", () => set(input.value));
  return input;
}

/** @param {string} id @param {string} label @param {boolean} on @param {(on: boolean) => void} set */
export function check(id, label, on, set) {
  const input = make("input", { type: "checkbox", checked: on, id });
  input.addEventListener("change", () => set(input.checked));
  return make("label", { className: "check" }, input, label);
}

/**
 * A list of names that can be added and removed, or left to the default.
 * @param {string} id @param {string} label
 * @param {{value: string[]|undefined, otherwise: string[]|undefined, known: string[], unset: string}} now
 * @param {(value: string[]|undefined) => void} set
 */
export function names(id, label, { value, otherwise, known, unset }, set) {
  const reset = (/** @type {boolean} */ on) => set(on ? undefined : (otherwise ?? []));
  const inside = [check(`${id}-unset`, unset, value === undefined, reset)];
  if (value !== undefined) {
    const chips = value.map((name) => {
      const off = make("button", { type: "button", "aria-label": `Take away ${name}` }, "×");
      off.addEventListener("click", () => set(value.filter((each) => each !== name)));
      return make("li", {}, name, off);
    });
    const others = known.filter((name) => !value.includes(name));
    const more = select(["", ...others], "", (name) => name && set([...value, name]));
    more.id = `${id}-add`;
    more.firstChild.textContent = `Add a ${label.toLowerCase()}…`;
    more.setAttribute("aria-label", `Add a ${label.toLowerCase()}`);
    const none = () => make("p", { className: "aside" }, "None.");
    inside.push(chips.length ? make("ul", { className: "chips" }, ...chips) : none(), more);
  }
  return make("fieldset", {}, make("legend", {}, label), ...inside);
}

/** @param {...[string, () => void]} what */
export function buttons(...what) {
  return make("div", { className: "row" }, ...what.map(([label, work]) => {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", work);
    return button;
  }));
}
