// Finds episodes and replays them. Text of players becomes text nodes, never HTML; pictures are our own SVG.

import { $, make, mark, number } from "./lib/elements.js";
import { Viewer } from "./lib/replay.js";

/**
 * @typedef {[score: number|null, step: number, ...labels: number[]]} Turn
 * @typedef {[run: number, id: string, set: number, status: number, score: number|null, replay: number,
 *   labels: number[], turns: Turn[]]} Row
 */

const index = JSON.parse($("index").textContent);
const PAGE = 100;
/** @type {Row|null} */
let open = null;

const viewer = new Viewer($("stage"), (step) => {
  const row = /** @type {Row} */ (open);
  /** @type {Record<string, string>} */
  const run = row[0] ? { run: String(row[0] + 1) } : {};
  return String(new URLSearchParams({ ...run, episode: row[1], step: String(step) }));
}, false);

/** @param {Row} row */
const key = (row) => `${row[0]}/${row[1]}`;

/** @param {Row} row @param {number} step */
function show(row, step) {
  const replay = JSON.parse($(`replay-${row[5]}`).textContent);
  open = row;
  $("viewer").hidden = false;
  $("name").textContent = row[1];
  const score = row[4] === null ? "no score" : `${index.measure} ${number(row[4])} of ${number(replay.top)}`;
  const run = index.runs.length > 1 ? [index.runs[row[0]]] : [];
  $("facts").replaceChildren(
    [...run, index.sets[row[2]] && `set ${index.sets[row[2]]}`].filter(Boolean).join(" · "),
    run.length || index.sets[row[2]] ? " · " : "",
    make("span", { className: index.statuses[row[3]] }, index.statuses[row[3]]),
    ` · ${score}`,
  );
  for (const button of $("list").querySelectorAll("button")) mark(button, button.dataset.key === key(row));
  viewer.open(replay, step);
}

// Search

let shown = PAGE;

/**
 * The turns with all wanted labels that the episode does not have itself; null if it has all of them.
 * @param {Row} row @param {number[]} wanted @param {(score: number|null) => boolean} fits
 */
function matching(row, wanted, fits) {
  const own = wanted.filter((label) => !row[6].includes(label));
  if (!own.length) return null;
  return row[7].filter(([score, , ...labels]) => fits(score) && own.every((label) => labels.includes(label)));
}

/** @returns {number[]} */
const wanted = () =>
  [...$("labels").querySelectorAll("select")].flatMap(({ value }) => (value === "" ? [] : [Number(value)]));

/** @param {number|null} score */
function fits(score) {
  const [least, most] = ["least", "most"].map((id) => ($(id).value === "" ? null : Number($(id).value)));
  if (least !== null && !(score !== null && score >= least)) return false;
  return most === null || (score !== null && score <= most);
}

function found() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [run, set, status] = ["of-run", "of-set", "of-status"].map((id) => $(id).value);
  const labels = wanted();
  const rows = index.rows.filter((/** @type {Row} */ row) => {
    if (run !== "" && row[0] !== Number(run)) return false;
    if (set !== "" && row[2] !== Number(set)) return false;
    if (status !== "" && row[3] !== Number(status)) return false;
    if ($("replayable").checked && row[5] < 0) return false;
    const turns = matching(row, labels, fits);
    if (turns ? !turns.length : !fits(row[4])) return false;
    const text = `${row[1]} ${index.sets[row[2]]} ${index.statuses[row[3]]} ${index.runs[row[0]]}`;
    return words.every((/** @type {string} */ word) => text.toLowerCase().includes(word));
  });
  const way = { up: 1, down: -1 }[/** @type {string} */ ($("order").value)];
  if (!way) return rows;
  return rows.sort((/** @type {Row} */ a, /** @type {Row} */ b) => {
    return a[4] === null ? 1 : b[4] === null ? -1 : way * (a[4] - b[4]);
  });
}

function list() {
  const rows = found();
  const labels = wanted();
  $("count").textContent = `${rows.length} of ${index.rows.length} episodes`;
  $("more").hidden = rows.length <= shown;
  $("list").hidden = !rows.length;
  $("list").replaceChildren(
    ...rows.slice(0, shown).map((/** @type {Row} */ row) => {
      const status = index.statuses[row[3]];
      const turns = matching(row, labels, fits);
      const line = make(row[5] < 0 ? "div" : "button", { className: row[5] < 0 ? "absent" : "" });
      const where = [
        index.sets[row[2]],
        index.runs.length > 1 ? index.runs[row[0]] : "",
        row[5] < 0 ? "no replay in this file" : "",
        turns && `steps ${turns.map((turn) => turn[1]).join(", ")}`,
      ];
      line.append(
        make("span", { className: "id" }, row[1]),
        make("span", { className: `score ${status}` }, status === "played" ? number(row[4]) : status),
        make("span", { className: "sub" }, where.filter(Boolean).join(" · ")),
      );
      if (row[5] >= 0) {
        line.setAttribute("type", "button");
        line.dataset.key = key(row);
        mark(line, open !== null && key(open) === key(row));
        line.addEventListener("click", () => show(row, turns?.[0]?.[1] ?? 0));
      }
      return make("li", {}, line);
    }),
  );
}

/** @param {string} id @param {string[]} names */
function options(id, names) {
  $(id).append(
    ...names.map((name, at) => make("option", { value: String(at), textContent: name || "(none)" })),
  );
}

/** Make a choice for each facet of episodes and steps. */
function labelChoices() {
  const names = [...new Set(index.labels.map((/** @type {string[]} */ label) => label[0]))];
  $("by-label").hidden = !names.length;
  $("labels").replaceChildren(
    ...names.map((name) => {
      const choice = make("select", {}, make("option", { value: "", textContent: "all" }));
      for (const [own, value, at] of index.labels) {
        if (own === name) choice.append(make("option", { value: String(at), textContent: value }));
      }
      return make("label", {}, `${name} `, choice);
    }),
  );
}

/** Open the episode that the address names. Returns whether it can be replayed here. */
function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const run = Number(wanted.get("run") ?? 1) - 1;
  const episode = wanted.get("episode");
  const row = index.rows.find((/** @type {Row} */ each) => {
    return each[0] === run && each[1] === episode && each[5] >= 0;
  });
  if (row) show(row, Number(wanted.get("step") ?? 0) || 0);
  return Boolean(row);
}

options("of-run", index.runs);
options("of-set", index.sets);
options("of-status", index.statuses);
labelChoices();
$("by-run").hidden = index.runs.length < 2;
$("by-replay").hidden = index.rows.every((/** @type {Row} */ row) => row[5] >= 0);
$("filter").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
$("filter").addEventListener("input", () => ((shown = PAGE), list()));
$("more").addEventListener("click", () => ((shown += 5 * PAGE), list()));
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  for (const plan of document.querySelectorAll("details.plan")) plan.setAttribute("open", "");
});

list();
if (follow()) $("viewer").scrollIntoView();
else {
  const here = location.hash;
  const first = index.rows.find((/** @type {Row} */ row) => row[5] >= 0);
  if (first) show(first, 0);
  history.replaceState(null, "", here || location.pathname + location.search);
}
