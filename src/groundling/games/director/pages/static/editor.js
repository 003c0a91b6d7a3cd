// The items editor: a list and a form. The server checks every change and writes the file.

import { sure } from "/static/lib/choose.js";
import { $, capital, make, post } from "/static/lib/dom.js";
import { fillPage } from "/static/lib/page_state.js";
import { Book, named } from "./book.js";
import { Drawings } from "./drawings.js";
import { buttons, check, field, names, select, text } from "./fields.js";
import { propertyField } from "./property_fields.js";

/** @typedef {import("./book.js").Item} Item @typedef {import("./book.js").Property} Property */
/** @typedef {import("./property_fields.js").FieldName} FieldName */

const TABS = { items: "Items", properties: "Properties", defaults: "Defaults" };
const LARGEST = 20; // size

/** @type {any} */
let opened = {};
let book = /** @type {Book} */ (/** @type {any} */ (undefined));
/** @type {keyof TABS} */
let tab = "items";
/** @type {Record<string, string>} The chosen name, by tab. */
const chosen = { items: "", properties: "", defaults: "" };
/** @type {any} */
let judgement = {};
/** @type {any} The sheet that was judged. */
let judged = null;
let asking = 0;
/** Whether a check is running. */
let waiting = false;

/** @param {string} call @param {any} [body] */
const ask = (call, body = {}) => post(`call/${call}`, body);
const drawings = new Drawings((body) => ask("looks", body));

/** @param {() => Promise<void>} work */
async function trying(work) {
  try {
    $("trouble").textContent = "";
    await work();
  } catch (error) {
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
  }
}

// The list

const rows = () => (tab === "defaults" ? [] : /** @type {(Item & Property)[]} */ (book.sheet[tab]));
/** @param {string} name */
const role = (name) => {
  return book.sheet.properties.filter((each) => each.role === name && !each.generic).map((each) => each.name);
};

/** @param {any} row */
const about = (row) => {
  if (tab === "properties") return `${row.role}${row.physics ? ", physics" : ""}`;
  return book.slots.flatMap((slot) => row[slot] ?? book.sheet.defaults[slot] ?? []).join(", ");
};

/** @param {any} row @param {string} wanted Words that must all occur in the text about the row. */
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
    const image = () => make("img", { src: drawings.source(row.name), alt: "", loading: "lazy" });
    const blank = () => make("span", { className: "nothing" });
    const picture = tab !== "items" ? null : drawings.has(row.name) ? image() : blank();
    const words = make("span", {}, row.name, make("span", { className: "about" }, about(row)));
    const button = make("button", { type: "button" }, picture, words);
    if (row.name === chosen[tab]) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(row.name));
    return make("li", {}, button);
  }));
  $("list").scrollTop = place;
}

/** @param {string} name */
function choose(name) {
  chosen[tab] = name;
  show();
}

async function draw() {
  if (!(await drawings.update(book.sheet))) return;
  showList();
  const preview = /** @type {any} */ (document.querySelector("#form figure img"));
  if (preview) preview.src = drawings.source(chosen.items);
}

// The forms

/** The item, property or defaults that the form is for, in a state of the sheet. @param {any} sheet */
const row = (sheet) => (tab === "defaults" ? sheet.defaults : rowIn(sheet, chosen[tab]));

/** @param {string} name @param {any} value An empty value removes the field. */
function set(name, value) {
  book.change((draft) => {
    const one = row(draft);
    if (value === undefined || value === "") delete one[name];
    else one[name] = value;
  });
}

/**
 * Set a field to a whole number; show an error for anything else.
 * @param {string} name @param {string} given @param {number} most
 */
function setNumber(name, given, most) {
  if (given === "") return set(name, undefined);
  if (/^\d+$/.test(given) && Number(given) <= most) return set(name, Number(given));
  showForm();
  $("trouble").textContent = `${given} is not a whole number from 0 to ${most}.`;
}

/** @param {any} one @param {string} unset */
function slots(one, unset) {
  const otherwise = tab === "items" ? book.sheet.defaults : {};
  const now = one.size === undefined ? "" : String(one.size);
  const size = text(now, (value) => setNumber("size", value, LARGEST));
  size.inputMode = "numeric";
  const usualSize = otherwise.size;
  const more = usualSize === undefined ? "a larger number is a larger item" : `left empty, ${usualSize}`;
  return [
    field("size", "Size", size, `0 to ${LARGEST}; ${more}`),
    ...book.slots.map((slot) => {
      const usual = otherwise[slot];
      let word = unset;
      if (tab !== "defaults") {
        word = usual ? `${unset} (${usual.join(", ") || "none"})` : "Not given, and there is no default";
      }
      const state = { value: one[slot], otherwise: usual, known: role(slot), unset: word };
      return names(`slot-${slot}`, capital(slot), state, (value) => set(slot, value));
    }),
  ];
}

/** @param {Item} item */
function itemForm(item) {
  const kind = item.picture === undefined ? "drawing" : "picture";
  const pictures = [...new Set(["", item.picture ?? "", ...opened.pictures])];
  const choices = kind === "drawing" ? ["", ...opened.drawings] : pictures;
  const look = select(choices, item[kind] ?? "", (value) => {
    set(kind, kind === "picture" ? value : value || undefined);
  });
  const own = check("own", "Your own picture, next to the file", kind === "picture", (on) => {
    book.change((draft) => {
      const one = row(draft);
      delete one.drawing;
      delete one.picture;
      if (on) one.picture = opened.pictures[0] ?? "";
    });
  });
  const hint = "It appears in the text view, so it describes what is seen";
  if (!opened.pictures.length && kind === "drawing") own.firstChild.disabled = true;
  return [
    make("div", {},
      make("h2", {}, item.name),
      field("name", "Name", text(item.name, (name) => rename(name)), hint),
      field("look", capital(kind), look),
      own,
      ...slots(item, "As the defaults say"),
      buttons(["Copy", copy], ["Remove", remove]),
    ),
    make("figure", {},
      make("figcaption", {}, "On the shelf"),
      make("img", { src: drawings.source(item.name), alt: `Drawing of ${item.name}` }),
    ),
  ];
}

/** @param {Property} property */
function propertyForm(property) {
  const has = book.having(property.name, property.role).length;
  const usual = named(book.sheet.defaults, property.role).includes(property.name);
  const recast = (/** @type {string} */ value) => book.recast(property, value, opened.roles[value]);
  const aside = (/** @type {string} */ words) => make("p", { className: "aside" }, words);
  const inside = [
    make("h2", {}, property.name),
    field("name", "Name", text(property.name, (name) => rename(name))),
    field("role", "Role", select(Object.keys(opened.roles), property.role, recast)),
    ...opened.roles[property.role].map((/** @type {FieldName} */ name) => {
      return propertyField(property, name, set, setNumber);
    }),
  ];
  if (property.role === "size") {
    inside.push(aside("Items have it by their size."), buttons(["Remove", remove]));
  } else if (property.generic) inside.push(aside("Every item has it."));
  else {
    const also = usual ? ", and it is a default" : "";
    inside.push(aside(`${has} of ${book.sheet.items.length} items name it${also}.`));
    inside.push(buttons(
      ["Give it to all items", () => book.give(property)],
      ["Take it from all items", () => book.take(property)],
      ["Remove it, also from all items", remove],
    ));
  }
  return [make("div", {}, ...inside)];
}

/** @param {string} name */
function rename(name) {
  const old = chosen[tab];
  if (!name || name === old) return show();
  if (rowNamed(name)) {
    show();
    const what = tab === "items" ? "an item" : "a property";
    $("trouble").textContent = `There already is ${what} ${name}: choose another name.`;
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
  book.change((draft) => {
    const at = draft.items.findIndex((each) => each.name === item.name);
    draft.items.splice(at + 1, 0, { ...structuredClone(item), name });
  });
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
  else {
    const title = make("h2", {}, "Defaults for all items");
    $("form").replaceChildren(make("div", {}, title, ...slots(one, "No default: every item must say")));
  }
  if (active && $("form").contains($(active))) $(active).focus();
}

// Messages and the judgement

/** @param {string} words */
const tell = (words) => {
  $("saved").textContent = words;
};

function showJudgement() {
  const { items, properties, questions, physics, superlatives, troubles, refusal } = judgement;
  const counted = troubles.length
    ? "the number of questions is known once all problems are fixed"
    : `${questions} questions can be asked, ${physics} of them about how items behave; ` +
      `${superlatives} also with smallest or largest`;
  const now = `${items} items, ${properties} properties; ${counted}.`;
  if ($("count").textContent !== now) $("count").textContent = now;
  const faults = refusal ? [`The generator would refuse these items: ${refusal}`] : troubles;
  $("faults").hidden = !faults.length;
  const [summary, list] = $("faults").children;
  const wrong = faults.length === 1 ? "1 problem" : `${faults.length} problems`;
  summary.textContent = refusal ? "The generator would refuse these items" : wrong;
  const lines = faults.slice(0, 30).map((/** @type {string} */ fault) => make("li", {}, capital(fault)));
  list.replaceChildren(...lines);
  $("faults").open ||= faults.length > 0 && faults.length <= 3;
  // Without a judgement, because the server did not answer, Save requests one.
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
  const warning =
    "The generator would refuse these items as they are. Save them anyway, to continue later?";
  if (unfinished && !(await sure(warning))) return;
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

await fillPage($("page-state"), async () => {
  opened = await ask("open");
  judgement = opened.judgement;
  book = new Book(opened.sheet, opened.slots, changed);
  judged = book.sheet;
  if (opened.new) book.written = /** @type {any} */ (null);
  const tabs = Object.entries(TABS).map(([value, label]) => {
    const radio = make("input", { type: "radio", name: "tab", value, checked: value === tab });
    return make("label", {}, radio, label);
  });
  $("tabs").append(...tabs);
  $("tabs").addEventListener("change", (/** @type {any} */ event) => {
    tab = event.target.value;
    $("search").value = "";
    show();
  });
  $("page-state").hidden = true;
  $("desk").hidden = $("edits").hidden = false;
  show();
  void trying(draw);
  if (opened.closed) {
    $("trouble").textContent = `${opened.file} is read-only: what you change cannot be saved.`;
  }
  if (opened.new) tell(`${opened.file} does not exist yet: saving creates it as a copy of the built-in items.`);
});
