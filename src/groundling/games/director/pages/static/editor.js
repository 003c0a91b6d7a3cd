// The editor of items: what there is on the left, a form on the right. The server judges every change, and writes the file.

import { sure } from "/static/lib/choose.js";
import { $, capital, make, post } from "/static/lib/dom.js";
import { Book, named } from "./book.js";
import { check, field, names, select, text } from "./fields.js";

/** @typedef {import("./book.js").Item} Item @typedef {import("./book.js").Property} Property */

const TABS = { items: "Items", properties: "Properties", defaults: "Defaults" };
const WORDS = { one: "Noun for one", many: "Noun for several", number: "Number", adjective: "Adjective", rank: "Rank among adjectives", clause: "Clause", clauses: "Clause behind a plural", also: "Other words for it", sizes: "Sizes it is the word for", physics: "It takes knowing how things behave", asked: "Requests may use it", generic: "It is everything's noun" };
const LARGEST = 20; // size
const LAST = 999; // rank
const NUMBERS = ["singular", "plural", "mass", "pair"];

/** @type {any} */
let opened = {};
let book = /** @type {Book} */ (/** @type {any} */ (undefined));
/** @type {keyof TABS} */
let tab = "items";
/** @type {Record<string, string>} What is chosen, by tab. */
const chosen = { items: "", properties: "", defaults: "" };
/** @type {Map<string, [string, string]>} What was drawn of which item. */
const drawn = new Map();
/** @type {any} */
let judgement = {};
/** @type {any} The sheet that the judgement is of. */
let judged = null;
let asking = 0;
/** Whether an answer is waited for. */
let waiting = false;

/** @param {string} call @param {any} [body] */
const ask = (call, body = {}) => post(`call/${call}`, body);

/** @param {() => Promise<void>} work */
async function trying(work) {
  try {
    $("trouble").textContent = "";
    await work();
  } catch (error) {
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
  }
}

// What there is

const rows = () => (tab === "defaults" ? [] : /** @type {(Item & Property)[]} */ (book.sheet[tab]));
const role = (/** @type {string} */ name) => book.sheet.properties.filter((each) => each.role === name && !each.generic).map((each) => each.name);

/** @param {any} row */
const about = (row) => (tab === "properties" ? `${row.role}${row.physics ? ", physics" : ""}` : book.slots.flatMap((slot) => row[slot] ?? book.sheet.defaults[slot] ?? []).join(", "));

/** @param {any} row @param {string} wanted All words of it have to be somewhere in what is told of the row. */
function fits(row, wanted) {
  const told = `${row.name} ${about(row)} ${row.drawing ?? ""}`.toLowerCase();
  return wanted.toLowerCase().split(/\s+/).every((word) => told.includes(word));
}

function showList() {
  $("add").textContent = tab === "items" ? "Add an item" : "Add a property";
  for (const id of ["search", "add", "list", "found"]) $(id).hidden = tab === "defaults";
  document.querySelector("label[for=search]")?.toggleAttribute("hidden", tab === "defaults");
  const found = rows().filter((row) => fits(row, $("search").value.trim()));
  $("found").textContent = `${found.length} of ${rows().length}`;
  const place = $("list").scrollTop;
  $("list").replaceChildren(...found.map((row) => {
    const picture = tab !== "items" ? null : drawn.has(row.name) ? make("img", { src: source(row.name), alt: "", loading: "lazy" }) : make("span", { className: "nothing" });
    const button = make("button", { type: "button" }, picture, make("span", {}, row.name, make("span", { className: "about" }, about(row))));
    if (row.name === chosen[tab]) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(row.name));
    return make("li", {}, button);
  }));
  $("list").scrollTop = place;
}

/** @param {string} name */
const source = (name) => `data:image/svg+xml,${encodeURIComponent(drawn.get(name)?.[1] ?? "")}`;

/** @param {string} name */
function choose(name) {
  chosen[tab] = name;
  show();
}

/** Draws those that look different from before. */
async function draw() {
  const { items, defaults } = book.sheet;
  const largest = Math.max(0, ...items.map((item) => item.size ?? defaults.size ?? 0));
  const state = (/** @type {Item} */ item) => JSON.stringify([item, defaults, largest]);
  const changed = items.filter((item) => drawn.get(item.name)?.[0] !== state(item));
  if (!changed.length) return;
  const biggest = items.find((item) => (item.size ?? defaults.size ?? 0) === largest);
  const looks = await ask("looks", { items: [...changed, biggest], defaults });
  for (const item of changed) {
    if (looks[item.name]) drawn.set(item.name, [state(item), looks[item.name]]);
    else drawn.delete(item.name);
  }
  showList();
  const preview = /** @type {any} */ (document.querySelector("#form figure img"));
  if (preview) preview.src = source(chosen.items);
}

// The forms

/** The item, property or defaults that the form is for, in another state of the sheet. @param {any} sheet */
const row = (sheet) => (tab === "defaults" ? sheet.defaults : sheet[tab].find((/** @type {any} */ each) => each.name === chosen[tab]));

/** @param {string} name @param {any} value Nothing: as if it were not there. */
function set(name, value) {
  book.change((draft) => {
    const one = row(draft);
    if (value === undefined || value === "") delete one[name];
    else one[name] = value;
  });
}

/** A whole number for a field; something else is told and not taken. @param {string} name @param {string} given @param {number} most */
function setNumber(name, given, most) {
  if (given === "" || (/^\d+$/.test(given) && Number(given) <= most)) return set(name, given === "" ? undefined : Number(given));
  showForm();
  $("trouble").textContent = `${given} is not a whole number from 0 to ${most}.`;
}

/** @param {any} one @param {string} unset */
function slots(one, unset) {
  const otherwise = tab === "items" ? book.sheet.defaults : {};
  const size = text(one.size === undefined ? "" : String(one.size), (value) => setNumber("size", value, LARGEST));
  size.inputMode = "numeric";
  const told = otherwise.size === undefined ? `0 to ${LARGEST}; a larger number is a larger thing` : `0 to ${LARGEST}; left empty, ${otherwise.size}`;
  return [
    field("size", "Size", size, told),
    ...book.slots.map((slot) => {
      const word = tab === "defaults" ? unset : otherwise[slot] ? `${unset} (${otherwise[slot].join(", ") || "none"})` : "Not given, and there is no default";
      return names(`slot-${slot}`, capital(slot), { value: one[slot], otherwise: otherwise[slot], known: role(slot), unset: word }, (value) => set(slot, value));
    }),
  ];
}

/** @param {Item} item */
function itemForm(item) {
  const kind = item.picture === undefined ? "drawing" : "picture";
  const look = select(kind === "drawing" ? ["", ...opened.drawings] : [...new Set(["", item.picture ?? "", ...opened.pictures])], item[kind] ?? "", (value) => set(kind, kind === "picture" ? value : value || undefined));
  const own = check("own", "A picture of your own, beside the file", kind === "picture", (on) => book.change((draft) => {
    const one = row(draft);
    delete one.drawing;
    delete one.picture;
    if (on) one.picture = opened.pictures[0] ?? "";
  }));
  if (!opened.pictures.length && kind === "drawing") own.firstChild.disabled = true;
  return [
    make("div", {},
      make("h2", {}, item.name),
      field("name", "Name", text(item.name, (name) => rename(name)), "It stands in the text view, so it tells what is seen"),
      field("look", capital(kind), look),
      own,
      ...slots(item, "As the defaults say"),
      buttons(["Copy", copy], ["Remove", remove]),
    ),
    make("figure", {}, make("figcaption", {}, "As it stands on a shelf"), make("img", { src: source(item.name), alt: `Drawing of ${item.name}` })),
  ];
}

/** @param {Property} property */
function propertyForm(property) {
  const has = book.having(property.name, property.role).length;
  const usual = named(book.sheet.defaults, property.role).includes(property.name);
  const inside = [
    make("h2", {}, property.name),
    field("name", "Name", text(property.name, (name) => rename(name))),
    field("role", "Role", select(Object.keys(opened.roles), property.role, (value) => book.recast(property, value, opened.roles[value]))),
    ...opened.roles[property.role].map((/** @type {keyof WORDS} */ name) => propertyField(property, name)),
  ];
  if (property.role === "size") inside.push(make("p", { className: "aside" }, "Items have it by their size."), buttons(["Remove", remove]));
  else if (property.generic) inside.push(make("p", { className: "aside" }, "Every item has it."));
  else {
    inside.push(make("p", { className: "aside" }, `${has} of ${book.sheet.items.length} items name it${usual ? ", and it is a default" : ""}.`));
    inside.push(buttons(["Give it to all items", () => book.give(property)], ["Take it from all items", () => book.take(property)], ["Remove it, also from all items", remove]));
  }
  return [make("div", {}, ...inside)];
}

/** @param {Property} property @param {keyof WORDS} name */
function propertyField(property, name) {
  const id = `field-${name}`;
  const value = property[name];
  if (name === "number") return field(id, WORDS.number, select(NUMBERS, value ?? "singular", (given) => set(name, given === "singular" ? undefined : given)));
  if (name === "asked") return check(id, WORDS.asked, value ?? true, (on) => set(name, on ? undefined : false));
  if (name === "physics" || name === "generic") return check(id, WORDS[name], Boolean(value), (on) => set(name, on || undefined));
  if (name === "rank") return field(id, WORDS.rank, text(String(value ?? ""), (given) => setNumber(name, given, LAST)), "Lower ones stand first");
  if (name === "also" || name === "sizes") {
    const parts = (/** @type {string} */ given) => given.split(",").map((part) => part.trim()).filter(Boolean);
    const read = (/** @type {string} */ given) => (name === "sizes" ? parts(given).map(Number).filter(Number.isInteger) : parts(given));
    return field(id, WORDS[name], text((value ?? []).join(", "), (given) => set(name, read(given).length ? read(given) : undefined)), "Parted by commas");
  }
  return field(id, WORDS[name], text(value ?? "", (given) => set(name, given)));
}

/** @param {...[string, () => void]} what */
function buttons(...what) {
  return make("div", { className: "row" }, ...what.map(([label, work]) => {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", work);
    return button;
  }));
}

/** @param {string} name */
function rename(name) {
  const old = chosen[tab];
  if (!name || name === old) return show();
  if (rowNamed(name)) {
    show();
    $("trouble").textContent = `There already is ${tab === "items" ? "an item" : "a property"} ${name}: choose another name.`;
    return;
  }
  const property = rowNamed(old);
  chosen[tab] = name;
  if (tab === "properties") book.rename(property, name);
  else book.change((draft) => (rowIn(draft, old).name = name));
}

/** @param {any} sheet @param {string} name */
const rowIn = (sheet, name) => sheet[tab].find((/** @type {any} */ each) => each.name === name);
/** @param {string} name @returns {Property} */
const rowNamed = (name) => rowIn(book.sheet, name);

function copy() {
  const item = rowNamed(chosen.items);
  const name = book.free(book.sheet.items, `${item.name} copy`);
  chosen.items = name;
  book.change((draft) => draft.items.splice(draft.items.findIndex((each) => each.name === item.name) + 1, 0, { ...structuredClone(item), name }));
  $("name")?.focus();
}

function remove() {
  const gone = chosen[tab];
  const at = rows().findIndex((each) => each.name === gone);
  const property = rowNamed(gone);
  chosen[tab] = (rows()[at + 1] ?? rows()[at - 1])?.name ?? "";
  if (tab === "properties") book.drop(property);
  else book.change((draft) => (draft.items = draft.items.filter((each) => each.name !== gone)));
  tell(`${gone} is removed. Undo brings it back.`);
  $("form").focus();
}

$("add").addEventListener("click", () => {
  const name = book.free(rows(), tab === "items" ? "new item" : "new property");
  chosen[tab] = name;
  $("search").value = "";
  if (tab === "items") book.change((draft) => draft.items.push({ name, drawing: opened.drawings[0] }));
  else book.change((draft) => draft.properties.push({ name, role: "quality", adjective: name, rank: 1 }));
  document.querySelector('#list [aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  $("name")?.focus();
});

function showForm() {
  if (tab !== "defaults" && !row(book.sheet)) chosen[tab] = rows()[0]?.name ?? "";
  const one = row(book.sheet);
  const active = document.activeElement?.id;
  $("form").classList.toggle("wide", tab !== "items");
  if (!one) $("form").replaceChildren(make("p", { className: "aside" }, "There is nothing yet."));
  else if (tab === "items") $("form").replaceChildren(...itemForm(one));
  else if (tab === "properties") $("form").replaceChildren(...propertyForm(one));
  else $("form").replaceChildren(make("div", {}, make("h2", {}, "What an item has that does not say otherwise"), ...slots(one, "No default: every item must say")));
  if (active && $("form").contains($(active))) $(active).focus();
}

// What is said about it

/** @param {string} words */
const tell = (words) => {
  $("saved").textContent = words;
};

function showJudgement() {
  const { items, properties, questions, physics, superlatives, troubles, refusal } = judgement;
  const counted = troubles.length ? "what can be asked is not known until all is well" : `${questions} questions can be asked, ${physics} of them about what things do; ${superlatives} also with smallest or largest`;
  const now = `${items} items, ${properties} properties; ${counted}.`;
  if ($("count").textContent !== now) $("count").textContent = now;
  const faults = refusal ? [`The generator would refuse these items: ${refusal}`] : troubles;
  $("faults").hidden = !faults.length;
  const [summary, list] = $("faults").children;
  summary.textContent = refusal ? "The generator would refuse these items" : `${faults.length === 1 ? "One thing is" : `${faults.length} things are`} wrong`;
  list.replaceChildren(...faults.slice(0, 30).map((/** @type {string} */ fault) => make("li", {}, capital(fault))));
  $("faults").open ||= faults.length > 0 && faults.length <= 3;
  // Where there is no judgement, as nobody answered, Save asks for one.
  $("save").disabled = !book.unsaved || waiting || (judged === book.sheet && troubles.length > 0);
}

function show() {
  $("undo").disabled = !book.past.length;
  $("redo").disabled = !book.future.length;
  $("title").textContent = `${opened.file}${book.unsaved ? " (not saved)" : ""}`;
  showList();
  showForm();
  showJudgement();
}

function changed() {
  tell("");
  void trying(judge);
  show();
}

async function judge() {
  const number = ++asking;
  const sheet = book.sheet;
  waiting = true;
  try {
    await draw();
    const found = await ask("check", { sheet });
    if (number === asking) [judgement, judged] = [found, sheet];
  } finally {
    if (number === asking) {
      waiting = false;
      showJudgement();
    }
  }
}

$("save").addEventListener("click", () => trying(async () => {
  const sheet = book.sheet;
  if (judged !== sheet) await judge();
  if (judged !== sheet || judgement.troubles.length) return;
  const unfinished = Boolean(judgement.refusal);
  if (unfinished && !(await sure("The generator would refuse these items as they are. Save them all the same, to go on later?"))) return;
  const { version } = await ask("save", { sheet, version: opened.version, unfinished });
  opened.version = version;
  book.written = sheet;
  tell(`Saved as ${opened.file}.`);
  show();
}));
$("undo").addEventListener("click", () => book.undo());
$("redo").addEventListener("click", () => book.redo());
document.addEventListener("keydown", (event) => {
  const typing = /** @type {any} */ (event.target).matches?.("input[type=text]");
  if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) book.redo();
  else book.undo();
});
$("search").addEventListener("input", showList);
window.addEventListener("beforeunload", (event) => book?.unsaved && event.preventDefault());

await trying(async () => {
  opened = await ask("open");
  judgement = opened.judgement;
  book = new Book(opened.sheet, opened.slots, changed);
  judged = book.sheet;
  if (opened.new) book.written = /** @type {any} */ (null);
  const tabs = Object.entries(TABS).map(([value, label]) => make("label", {}, make("input", { type: "radio", name: "tab", value, checked: value === tab }), label));
  $("tabs").append(...tabs);
  $("tabs").addEventListener("change", (/** @type {any} */ event) => {
    tab = event.target.value;
    $("search").value = "";
    show();
  });
  $("desk").hidden = false;
  show();
  if (opened.closed) $("trouble").textContent = `${opened.file} is read-only: what you change cannot be saved.`;
  if (opened.new) tell(`${opened.file} is not there yet: it begins as a copy of ours when it is saved.`);
  await draw();
});
if (!book) $("count").textContent = "";
