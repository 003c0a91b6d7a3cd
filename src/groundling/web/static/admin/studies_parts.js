// What the researcher's pages of a study share: calls, tables, questions.

import { $, capital, make, post, request } from "../lib/dom.js";
import { put } from "./keep_focus.js";

/** A call to the server; somebody who is logged out comes to the login. @param {string} path @returns {Promise<any>} */
export async function ask(path) {
  const answer = await request(path).catch((error) => {
    if (/log in/.test(error.message)) location.replace("/admin/login");
    throw error;
  });
  return answer;
}

/** @param {any} study */
export function recruitingTag(study) {
  const full = study.places !== null && study.places_taken >= study.places;
  const [text, sign] = study.complete
    ? ["complete", "good"]
    : study.paused
      ? ["recruiting is paused", "marked"]
      : full
        ? ["all places are taken", "marked"]
        : ["recruiting", "good"];
  const [taken, places] = [study.places_taken, study.places].map((number) => number?.toLocaleString());
  return make(
    "span",
    {},
    make("span", { className: `tag ${sign}` }, text),
    places === undefined ? "" : ` ${taken} of ${places} places taken`,
  );
}

/** Heads of columns with numbers are on the right. @param {string} className @param {any[]} heads @param {any[]} rows */
export function table(className, heads, rows) {
  const cells = heads.map((head, column) => {
    if (typeof head !== "string") return head;
    const isNumber = rows[0]?.cells[column]?.className === "n";
    return head ? make("th", { scope: "col", className: isNumber ? "n" : "" }, head) : make("td");
  });
  return make(
    "table",
    { className: `list ${className}` },
    make("thead", {}, make("tr", {}, ...cells)),
    make("tbody", {}, ...rows),
  );
}

/** A row of which the first cell names it; numbers are on the right. @param {...any} cells */
export function row(...cells) {
  const [first, ...rest] = cells;
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, first),
    ...rest.map((cell) =>
      typeof cell === "number"
        ? make("td", { className: "n" }, cell.toLocaleString())
        : make("td", cell?.className === "n" ? { className: "n" } : {}, cell),
    ),
  );
}

/** @param {number} value @param {number} digits */
const decimal = (value, digits) =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A number that may be missing. @param {number|null} value @param {number} [digits] */
export const figure = (value, digits = 1) =>
  make("span", { className: "n" }, value === null ? "—" : decimal(value, digits));

/** @type {Map<any, string>} */
const shown = new Map();

/** Show a part of the page only where it has changed. @param {any} place @param {any} data @param {() => Node[]} draw */
export function update(place, data, draw) {
  const text = JSON.stringify(data);
  if (shown.get(place) === text) return;
  shown.set(place, text);
  put(place, ...draw());
}

/** @param {number} seconds */
export const minutesSince = (seconds) => Math.max(0, Math.floor((Date.now() / 1000 - seconds) / 60));

/** @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  $("told").className = bad ? "trouble" : "";
  $("told").textContent = text ? `${capital(text)}.` : "";
}

/**
 * Ask for a text or a number. Returns what `take` did with it, or null where the question was closed.
 * @param {{title: string, about: string, label: string, button: string, kind?: string, value?: string, danger?: boolean}} question
 * @param {(value: string) => Promise<void>} take What it throws is shown, and the question stays open.
 */
export function askFor(question, take) {
  const field =
    question.kind === "number"
      ? make("input", { type: "number", min: 1, step: 1, value: question.value ?? "" })
      : make("textarea", { rows: 3, maxLength: 1000 });
  Object.assign(field, { id: "input-value", required: true });
  $("input-field").replaceChildren(field);
  $("input-title").textContent = question.title;
  $("input-about").textContent = question.about;
  $("input-label").textContent = question.label;
  $("input-yes").textContent = question.button;
  $("input-yes").classList.toggle("danger", question.danger ?? false);
  $("input-trouble").textContent = "";
  $("input-no").onclick = () => $("input").close();
  $("input-form").onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    $("input-yes").disabled = true;
    try {
      await take(field.value);
      $("input").close();
    } catch (error) {
      $("input-trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    } finally {
      $("input-yes").disabled = false;
    }
  };
  $("input").showModal();
}

/** The address of the study's calls. */
export const CALLS = location.pathname.replace("/admin/", "/admin/api/");

/** Do something as a researcher, and say what was done. @param {any} action */
export async function act(action) {
  const { told } = await post(`${CALLS}/act`, action);
  tell(told);
}
