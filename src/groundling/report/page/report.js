// Finds episodes and replays them. What others wrote becomes text nodes, never HTML; pictures are our own drawings, parsed as SVG.

/** @typedef {[run: number, id: string, set: number, status: number, score: number|null, replay: number]} Row */
/** @typedef {string | any[][]} Patch  A whole SVG, or changes; see boards/patch.py, which makes the same ones. */

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);
const index = JSON.parse($("index").textContent);
const PAGE = 100;
const NS = "http://www.w3.org/2000/svg";
const look = new CSSStyleSheet();
look.replaceSync(":host{display:block} svg{display:block;max-width:100%;height:auto;margin:0 auto}");

/** @param {string} tag @param {string} kind @param {...(string|Node|null)} inside */
function make(tag, kind, ...inside) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.append(...inside.filter((part) => part !== null));
  return element;
}

/** @param {number|null} value */
const number = (value) => (value === null ? "—" : String(Math.round(value * 1000) / 1000));

// Pictures ---------------------------------------------------------------------------------------------------------------

/** @param {string} svg @returns {any} */
const parse = (svg) => document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);

/** @param {string} svg */
const fragment = (svg) => parse(`<svg xmlns="${NS}">${svg}</svg>`).firstChild;

/** The picture after a patch; the one before stays as it is. @param {any} before @param {Patch|undefined} patch */
function changed(before, patch) {
  if (patch === undefined) return before;
  if (typeof patch === "string") return parse(patch);
  const svg = before.cloneNode(true);
  for (const [kind, address, ...rest] of patch) {
    const node = address.reduce((/** @type {any} */ at, /** @type {number} */ step) => at.childNodes[step], svg);
    if (kind === "text") node.data = rest[0];
    else if (kind === "swap") node.replaceWith(fragment(rest[0]));
    else if (kind === "cut") node.childNodes[rest[0]].remove();
    else if (kind === "add") node.insertBefore(fragment(rest[1]), node.childNodes[rest[0]] ?? null);
    else for (const [name, value] of Object.entries(rest[0])) value === null ? node.removeAttribute(name) : node.setAttribute(name, value);
  }
  svg.normalize();
  return svg;
}

// One episode ------------------------------------------------------------------------------------------------------------

/** @type {{row: Row, replay: any, roles: string[], pictures: any[][], step: number} | null} */
let open = null;

/** Each seat's picture at a step, made when it is first asked for. @param {number} step */
function pictures(step) {
  const { replay, roles, pictures: known } = /** @type {any} */ (open);
  while (known.length <= step) {
    const before = known.at(-1);
    const boards = replay.steps[known.length].boards ?? {};
    const now = [];
    for (const [seat, role] of roles.entries()) now.push(changed(before ? before[seat] : now[0], boards[role]));
    known.push(now);
  }
  return known[step];
}

/** @param {any} step */
function said(step) {
  if (step.kind === "opened") return make("button", "", make("span", "who", "start"), make("span", "words", "the players sit down"));
  if (step.kind === "closed") {
    const end = step.text + (step.score === null ? ", no result" : `, score ${number(step.score)}`);
    return make("button", "", make("span", "who", "end"), make("span", "words", end));
  }
  if (step.kind === "failed")
    return make("button", "", make("span", "who", step.role), make("span", "words refused", `failed (${step.boundary}): ${step.text}`));
  const asides = (step.dropped ?? []).map((/** @type {string} */ piece) => make("span", "aside", `left out: ${piece}`));
  if (step.strict) asides.push(make("span", "aside", `taken, though strictly: ${step.strict}`));
  if (step.verdict === "refused") asides.push(make("span", "aside refused", `refused: ${step.complaint}`));
  if (step.verdict === "open") asides.push(make("span", "aside refused", "neither played nor refused: the run stopped here"));
  if (step.seconds !== undefined) asides.push(make("span", "aside", `${number(step.seconds)} s`));
  const words = make("span", step.text.includes("\n") ? "words grid" : "words", step.text);
  return make("button", "", make("span", "who", step.role), words, ...asides);
}

/** @param {Row} row @param {number} step */
function show(row, step) {
  const replay = JSON.parse($(`replay-${row[5]}`).textContent);
  const roles = Object.keys(replay.seats);
  open = { row, replay, roles, pictures: [], step: 0 };
  $("viewer").hidden = false;
  $("name").textContent = row[1];
  const score = row[4] === null ? "no score" : `${index.measure} ${number(row[4])} of ${number(replay.top)}`;
  const run = index.runs.length > 1 ? [index.runs[row[0]]] : [];
  $("facts").replaceChildren(
    [...run, index.sets[row[2]] && `set ${index.sets[row[2]]}`].filter(Boolean).join(" · "),
    run.length || index.sets[row[2]] ? " · " : "",
    make("span", index.statuses[row[3]], index.statuses[row[3]]),
    ` · ${score}`,
  );
  $("boards").replaceChildren(
    ...roles.map((role) => {
      const host = make("div", "picture");
      host.id = `board-${role}`;
      host.attachShadow({ mode: "open" }).adoptedStyleSheets = [look];
      const board = make("section", "board", make("h4", "", role, " ", make("span", "", replay.seats[role])), host);
      board.setAttribute("aria-label", `What ${role} sees`);
      return board;
    }),
  );
  $("said").replaceChildren(
    ...replay.steps.map((/** @type {any} */ each, /** @type {number} */ number) => {
      const button = said(each);
      button.setAttribute("type", "button");
      button.addEventListener("click", () => go(number));
      return make("li", "", button);
    }),
  );
  $("numbers").replaceChildren(
    ...replay.scores.map((/** @type {any} */ [name, value]) => make("div", "", make("dt", "", name), make("dd", "", number(value)))),
  );
  $("slider").max = replay.steps.length - 1;
  for (const button of $("list").querySelectorAll("button")) mark(button, button.dataset.key === key(row));
  go(step);
}

/** @param {any} element @param {boolean} here */
const mark = (element, here) => (here ? element.setAttribute("aria-current", "true") : element.removeAttribute("aria-current"));

/** @param {Row} row */
const key = (row) => `${row[0]}/${row[1]}`;

/** @param {number} wanted */
function go(wanted) {
  if (!open) return;
  const { row, replay, roles } = open;
  const last = replay.steps.length - 1;
  const step = (open.step = Math.max(0, Math.min(last, wanted)));
  for (const [seat, role] of roles.entries()) {
    const host = $(`board-${role}`);
    host.shadowRoot.replaceChildren(pictures(step)[seat]);
    host.parentNode.classList.toggle("turn", replay.steps[step].role === role);
  }
  $("slider").value = step;
  $("where").textContent = `step ${step} of ${last}`;
  $("slider").setAttribute("aria-valuetext", `${$("where").textContent}, ${replay.steps[step].role ?? replay.steps[step].kind}`);
  $("back").disabled = step === 0;
  $("on").disabled = step === last;
  const turns = replay.steps.slice(0, step + 1).filter((/** @type {any} */ each) => each.turn);
  $("turn").textContent = turns.length
    ? `after turn ${turns.length}: ` + Object.entries(turns.at(-1).turn).map(([name, value]) => `${name} ${number(value)}`).join(" · ")
    : "";
  [...$("said").querySelectorAll("button")].forEach((button, at) => mark(button, at === step));
  const line = $("said").children[step];
  const list = $("said"); // scrolled by hand: scrollIntoView would move the page as well
  if (line.offsetTop < list.scrollTop + list.offsetTop || line.offsetTop + line.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight)
    list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 3;
  const link = new URLSearchParams({ ...(row[0] ? { run: String(row[0] + 1) } : {}), episode: row[1], step: String(step) });
  $("link").href = `#${link}`;
  history.replaceState(null, "", `#${link}`);
}

// Finding ----------------------------------------------------------------------------------------------------------------

let shown = PAGE;

function found() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [run, set, status] = ["of-run", "of-set", "of-status"].map((id) => $(id).value);
  const [least, most] = ["least", "most"].map((id) => ($(id).value === "" ? null : Number($(id).value)));
  const rows = index.rows.filter((/** @type {Row} */ row) => {
    if (run !== "" && row[0] !== Number(run)) return false;
    if (set !== "" && row[2] !== Number(set)) return false;
    if (status !== "" && row[3] !== Number(status)) return false;
    if ($("replayable").checked && row[5] < 0) return false;
    if (least !== null && !(row[4] !== null && row[4] >= least)) return false;
    if (most !== null && !(row[4] !== null && row[4] <= most)) return false;
    const text = `${row[1]} ${index.sets[row[2]]} ${index.statuses[row[3]]} ${index.runs[row[0]]}`.toLowerCase();
    return words.every((/** @type {string} */ word) => text.includes(word));
  });
  const way = { up: 1, down: -1 }[/** @type {string} */ ($("order").value)];
  if (way) rows.sort((/** @type {Row} */ a, /** @type {Row} */ b) => (a[4] === null ? 1 : b[4] === null ? -1 : way * (a[4] - b[4])));
  return rows;
}

function list() {
  const rows = found();
  $("count").textContent = `${rows.length} of ${index.rows.length} episodes`;
  $("more").hidden = rows.length <= shown;
  $("list").hidden = !rows.length;
  $("list").replaceChildren(
    ...rows.slice(0, shown).map((/** @type {Row} */ row) => {
      const status = index.statuses[row[3]];
      const line = make(row[5] < 0 ? "div" : "button", row[5] < 0 ? "absent" : "");
      const where = [index.sets[row[2]], index.runs.length > 1 ? index.runs[row[0]] : "", row[5] < 0 ? "no replay in this file" : ""];
      line.append(
        make("span", "id", row[1]),
        make("span", `score ${status}`, status === "played" ? number(row[4]) : status),
        make("span", "sub", where.filter(Boolean).join(" · ")),
      );
      if (row[5] >= 0) {
        line.setAttribute("type", "button");
        line.dataset.key = key(row);
        mark(line, open !== null && key(open.row) === key(row));
        line.addEventListener("click", () => show(row, 0));
      }
      return make("li", "", line);
    }),
  );
}

/** @param {string} id @param {string[]} names */
function options(id, names) {
  $(id).append(...names.map((name, at) => Object.assign(document.createElement("option"), { value: String(at), textContent: name || "(none)" })));
}

/** Open what the address names. Whether it names an episode that is here. */
function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const run = Number(wanted.get("run") ?? 1) - 1;
  const row = index.rows.find((/** @type {Row} */ each) => each[0] === run && each[1] === wanted.get("episode") && each[5] >= 0);
  if (row) show(row, Number(wanted.get("step") ?? 0) || 0);
  return Boolean(row);
}

options("of-run", index.runs);
options("of-set", index.sets);
options("of-status", index.statuses);
$("by-run").hidden = index.runs.length < 2;
$("by-replay").hidden = index.rows.every((/** @type {Row} */ row) => row[5] >= 0);
$("filter").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
$("filter").addEventListener("input", () => ((shown = PAGE), list()));
$("more").addEventListener("click", () => ((shown += 5 * PAGE), list()));
$("back").addEventListener("click", () => open && go(open.step - 1));
$("on").addEventListener("click", () => open && go(open.step + 1));
$("slider").addEventListener("input", () => go(Number($("slider").value)));
addEventListener("hashchange", follow);
addEventListener("keydown", (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const elsewhere = /** @type {Element} */ (event.target).closest?.("input, select, textarea, .scroll");
  if (!way || !open || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(open.step + way);
});
addEventListener("beforeprint", () => document.querySelectorAll("details.plan").forEach((each) => each.setAttribute("open", "")));

list();
if (follow()) $("viewer").scrollIntoView();
else {
  const here = location.hash;
  const first = index.rows.find((/** @type {Row} */ row) => row[5] >= 0);
  if (first) show(first, 0);
  history.replaceState(null, "", here || location.pathname + location.search);
}
