// The table of people: sorted, filtered and paged by the server, so that thousands are no burden.

import { $, make } from "../lib/dom.js";
import { number } from "../lib/elements.js";
import { row, table, update } from "./studies_parts.js";

/** Columns with the field by which they are sorted, and whether they are numbers. */
const COLUMNS = /** @type {[string, string, boolean][]} */ ([
  ["Person", "person", false],
  ["State", "state", false],
  ["Groups", "groups", false],
  ["Came", "arrived", false],
  ["Tasks", "tasks", true],
  ["Count", "answers", true],
  ["Minutes", "minutes", true],
  ["Waited", "waited", true],
  ["Earned", "owed", true],
  ["Score", "score", true],
  ["Agreement", "agreement", true],
  ["Failed checks", "attention_failed", true],
]);
/** @type {Record<string, string>} */
const SIGNS = { working: "good", waiting: "marked", here: "marked", excluded: "bad", finished: "good" };

export const query = { sort: "arrived", down: true, show: "all", find: "", page: 0 };

/** Let the person choose which people are shown. @param {() => void} look */
export function offerQuery(look) {
  $("show").addEventListener("change", () => turn({ show: $("show").value, page: 0 }));
  $("find").addEventListener("input", () => turn({ find: $("find").value, page: 0 }));
  $("query").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  $("previous").addEventListener("click", () => turn({ page: query.page - 1 }));
  $("next").addEventListener("click", () => turn({ page: query.page + 1 }));
  $("people").addEventListener("click", (/** @type {any} */ event) => {
    const sort = event.target.closest("button.sort")?.dataset.sort;
    if (sort) turn({ sort, down: query.sort === sort ? !query.down : true, page: 0 });
  });
  const turn = (/** @type {any} */ change) => {
    Object.assign(query, change);
    look();
  };
}

/** The states that can be chosen. @param {any} overview */
export function showChoices(overview) {
  const names = { all: `all ${overview.people}`, now: `taking part ${overview.now}` };
  const counts = { ...overview.outcomes, undecided: overview.undecided };
  delete counts["taking part"];
  const options = [...Object.entries(names), ...Object.entries(counts).map(([name, count]) => [name, `${name} ${count}`])];
  update($("show"), options, () =>
    options.map(([value, text]) => make("option", { value, selected: value === query.show }, text)),
  );
}

/** @param {[string, string, boolean]} column @param {string} currency */
function head([title, field, isNumber], currency) {
  const unit = field === "owed" ? `, ${currency}` : "";
  const sorted = query.sort === field;
  const sign = sorted ? (query.down ? "▼" : "▲") : "";
  const button = make(
    "button",
    { type: "button", className: "sort", "aria-label": `Sort by ${title}${unit}`, "data-sort": field },
    `${title}${unit} ${sign}`.trim(),
  );
  const cell = make("th", { scope: "col", className: isNumber ? "n" : "" }, button);
  if (sorted) cell.setAttribute("aria-sort", query.down ? "descending" : "ascending");
  return cell;
}

/** @param {any} person @param {(code: string) => void} open */
function personRow(person, open) {
  const code = make(
    "button",
    { type: "button", className: "small quiet code", "aria-label": `Open ${person.person}` },
    person.person,
  );
  code.addEventListener("click", () => open(person.person));
  const more = [person.stage, person.reason].filter(Boolean).join(", ");
  const state = make(
    "span",
    {},
    make("span", { className: `tag ${SIGNS[person.state] ?? ""}` }, person.state),
    more ? make("span", { className: "aside why", title: more }, ` ${more}`) : null,
  );
  if (person.state === "erased") return row(code, state, ...COLUMNS.slice(2).map(() => ""));
  const groups = make(
    "span",
    {},
    person.groups.join(", "),
    person.undecided.length ? make("span", { className: "tag marked" }, `decide: ${person.undecided.join(", ")}`) : null,
  );
  const cell = (/** @type {string} */ text) => make("span", { className: "n" }, text);
  return row(
    code,
    state,
    groups,
    new Date(person.arrived * 1000).toLocaleString([], { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" }),
    person.tasks,
    person.answers,
    cell(person.minutes.toFixed(1)),
    cell(person.waited.toFixed(1)),
    cell(person.owed.toFixed(2)),
    cell(number(person.score)),
    cell(number(person.agreement)),
    person.attention_failed,
  );
}

/** @param {any} people @param {string} currency @param {(code: string) => void} open */
export function showPeople(people, currency, open) {
  query.page = people.page;
  const many = people.found.toLocaleString();
  const found = people.found === 1 ? "one person" : `${many} people`;
  if ($("found").textContent !== found) $("found").textContent = found;
  $("page").textContent = `page ${people.page + 1} of ${people.pages}`;
  $("previous").disabled = people.page === 0;
  $("next").disabled = people.page + 1 >= people.pages;
  const rows = () => people.rows.map((/** @type {any} */ each) => personRow(each, open));
  const heads = () => COLUMNS.map((column) => head(column, currency));
  update($("people"), [people.rows, query.sort, query.down], () => [
    people.rows.length ? table("people", heads(), rows()) : make("p", { className: "aside" }, "Nobody."),
  ]);
}
