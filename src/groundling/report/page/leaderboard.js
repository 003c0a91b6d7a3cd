// Sorts tables, and lists the episodes of a pair. Text of players becomes text nodes, never HTML.

import { $, make, number } from "./lib/elements.js";

/**
 * @typedef {[id: string, set: string, status: string, score: number|null, said: string]} Episode
 * @typedef {{title: string, report: string, episodes: Episode[]}} Pair
 */

/** @type {Record<string, Pair>} */
const pairs = JSON.parse($("data").textContent);

/** @param {HTMLTableCellElement} head */
function sort(head) {
  const table = /** @type {HTMLTableElement} */ (head.closest("table"));
  const down = head.getAttribute("aria-sort") === "descending" || !head.classList.contains("n");
  const up = down && head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const column = head.cellIndex;
  /** @param {HTMLTableRowElement} row */
  const value = (row) => row.cells[column]?.dataset.value ?? row.cells[column]?.textContent ?? "";
  for (const body of table.tBodies) {
    const rows = [...body.rows].sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (head.classList.contains("n")) {
        if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
        return (Number(a) - Number(b)) * (up ? 1 : -1);
      }
      return a.localeCompare(b) * (up ? 1 : -1);
    });
    body.append(...rows);
  }
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button.sort");
  if (button) sort(/** @type {HTMLTableCellElement} */ (button.closest("th")));
});

/** @param {string} key */
function show(key) {
  const { title, report, episodes } = pairs[key];
  $("pair").value = key;
  $("report").hidden = !report;
  if (report) $("report").href = report;
  $("summary").textContent = `${title}: ${episodes.length} episodes`;
  $("rows").replaceChildren(
    ...episodes.map(([id, set, status, score, said]) =>
      make(
        "tr", {},
        make("th", { scope: "row" }, id),
        make("td", {}, set || "—"),
        make("td", { className: status }, status),
        make("td", { className: "n", "data-value": score ?? "" }, number(score)),
        make("td", {}, make("div", { className: "said" }, said)),
      )),
  );
}

/** Show the pair that the address names. */
function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (wanted === null || !(wanted in pairs)) return;
  show(wanted);
  $("episodes").scrollIntoView();
  $("episodes").focus({ preventScroll: true });
}

for (const [key, pair] of Object.entries(pairs)) {
  $("pair").append(make("option", { value: key, textContent: pair.title }));
}
$("pair").addEventListener("change", () => {
  history.replaceState(null, "", `#${new URLSearchParams({ pair: $("pair").value })}`);
  show($("pair").value);
});
addEventListener("hashchange", follow);
show(Object.keys(pairs)[0]);
follow();
