// A task of annotation: one item a screen with its context, the labels, and a last look before all are sent. What was
// said is kept in the browser until then.

import { describeValue, fieldPart } from "./annotate_fields.js";
import { make, post } from "./dom.js";
import { showProblem } from "./page_state.js";
import { parse } from "./picture.js";
import { ask, proseParts } from "./study_dialogs.js";

/**
 * @typedef {import("./study_texts.js").StudyTexts} Texts
 * @typedef {{values: Record<string, any>, skipped: string, seconds: number}} Answer
 */

const KEPT = `labels ${location.pathname} `;
/** @param {any} page */
const keptKey = (page) => `${KEPT}${page.task} ${page.until}`;
/** What was said in this task before the page was loaded. @param {any} page @returns {Answer[]} */
const keptAnswers = (page) => JSON.parse(localStorage.getItem(keptKey(page)) ?? "[]");
/** @param {any} task @returns {string[]} */
const boardNames = (task) =>
  task.fields.filter((/** @type {any} */ field) => field.kind === "board").map((/** @type {any} */ field) => field.name);

/** Annotators, for those who settle what they said. */
const NAMES = "ABCDEFGHIJ";

/** The form that is open now; only it hears keys. @type {AnnotationForm|null} */
let open = null;

class AnnotationForm {
  /**
   * @param {any} task The items, the fields and the guidelines.
   * @param {any} page
   * @param {Texts} texts
   * @param {(labels: Answer[]) => void} send
   * @param {(at: number) => void} reload Draws the form again, with the boards that the answers make.
   */
  constructor(task, page, texts, send, reload) {
    this.task = task;
    this.page = page;
    this.texts = texts;
    this.send = send;
    this.reload = reload;
    this.key = keptKey(page);
    for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT) && key !== this.key) localStorage.removeItem(key);
    const kept = keptAnswers(page);
    this.boards = boardNames(task);
    /** @type {Answer[]} */
    this.answers = task.items.map((/** @type {any} */ item, /** @type {number} */ number) => {
      const answer = kept[number] ?? { values: { ...item.agreed }, skipped: "", seconds: 0 };
      for (const name of this.boards) {
        item.painted = answer.values[name] ?? [];
        answer.values[name] = item.painted;
      }
      return answer;
    });
    /** @type {{at: number, answer: string, boards: boolean}[]} What was said before each change. */
    this.past = [];
    this.at = 0;
    this.shownAt = performance.now();
    this.screens = task.items.map((/** @type {any} */ item, /** @type {number} */ number) => this.screen(item, number));
    this.place = make("div", { className: "item", tabIndex: -1 });
    this.count = make("p", { className: "count", role: "status" });
    this.bar = make("progress", { max: task.items.length, value: 0, "aria-label": texts.say("annotate.progress") });
    this.back = this.button("annotate.back", () => this.go(this.at - 1));
    this.undone = this.button("annotate.undo", () => this.undo());
    this.skip = this.button("annotate.skip", () => this.askSkip());
    this.next = this.button("annotate.next", () => this.forward(), "primary");
    this.trouble = make("p", { className: "trouble", role: "alert" });
    const keys = make("p", { className: "aside keys" }, texts.say("annotate.keys"));
    const row = make("div", { className: "row actions" }, this.trouble, this.back, this.undone, task.skip ? this.skip : null, this.next);
    const main = make("div", { className: "stack" }, make("div", { className: "row spread" }, this.count, this.bar), this.place, row, keys);
    this.element = make("div", { className: "annotation" }, main, this.guidelines());
  }

  /** Begin at an item, or at the first that is not done. @param {number} [at] */
  start(at) {
    this.go(at ?? Math.max(0, this.answers.findIndex((_, number) => !this.isDone(number))));
  }

  /** @param {string} name @param {() => void} press @param {string} [className] */
  button(name, press, className = "") {
    const found = make("button", { type: "button", className }, this.texts.say(name));
    found.addEventListener("click", press);
    return found;
  }

  guidelines() {
    if (!this.task.guidelines.length) return null;
    const summary = make("summary", {}, this.texts.say("annotate.guidelines"));
    const wide = matchMedia("(min-width: 64rem)").matches;
    return make("details", { className: "guidelines", open: wide }, summary, ...proseParts(this.task.guidelines, this.texts));
  }

  // One item
  // ----------------------------------------------------------------------------------------------------------

  /** @param {any} item @param {number} number */
  screen(item, number) {
    const language = this.page.own_language;
    const parts = this.task.fields.map((/** @type {any} */ field) =>
      fieldPart(field, item, `label-${number}-${field.name}`, this.texts, language, (value) => this.change(number, field, value)),
    );
    const marks = this.task.fields[0].kind === "spans"; // the text to mark is then the first thing on the page
    const before = item.before.map((/** @type {string} */ text) => make("li", {}, text));
    const facts = Object.entries(item.facts).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]);
    const pictures = item.pictures.map((/** @type {any} */ { title, svg, src }) => {
      const picture = svg ? parse(svg) : make("img", { src, alt: title || this.texts.say("annotate.picture") });
      return make("figure", {}, title ? make("figcaption", {}, title) : null, make("div", { className: "picture" }, picture));
    });
    const context = make(
      "div",
      { className: "stack", lang: language },
      before.length ? make("ol", { className: "before", "aria-label": this.texts.say("annotate.before") }, ...before) : null,
      item.text && !marks ? make("p", { className: "said" }, item.text) : null,
      facts.length ? make("dl", { className: "facts" }, ...facts) : null,
      pictures.length ? make("div", { className: "pictures" }, ...pictures) : null,
    );
    return { parts, nodes: [context, this.sides(item), ...parts.map((/** @type {any} */ part) => part.box)].filter(Boolean) };
  }

  /** What annotators said, for those who settle it. @param {any} item */
  sides(item) {
    if (!item.said) return null;
    const cards = item.said.map((/** @type {any} */ values, /** @type {number} */ number) => {
      const rows = this.task.fields.flatMap((/** @type {any} */ field) => {
        const differs = item.said.some((/** @type {any} */ other) => JSON.stringify(other[field.name]) !== JSON.stringify(values[field.name]));
        const value = make("dd", { className: differs ? "differs" : "" }, describeValue(field, item, values[field.name]));
        return [make("dt", {}, field.text || field.name), value];
      });
      const letter = NAMES[number] ?? "";
      const name = this.texts.say("annotate.annotator", { name: letter || number + 1 });
      const take = this.button("annotate.take", () => this.take(values));
      if (letter) take.prepend(make("kbd", { "aria-hidden": "true" }, letter), " ");
      return make("section", { className: "card side" }, make("h3", {}, name), make("dl", { className: "values" }, ...rows), take);
    });
    return make("div", { className: "sides" }, ...cards);
  }

  /** Settle an item as an annotator labelled it. @param {any} values */
  take(values) {
    this.keep(true);
    const taken = { ...values };
    for (const name of this.boards) taken[name] = values[name]?.moves ?? [];
    Object.assign(this.answers[this.at], { values: taken, skipped: "" });
    this.tick();
    if (this.boards.length) this.reload(this.at);
    else this.show();
  }

  /** @param {number} number @param {any} field @param {any} value */
  change(number, field, value) {
    if (field.kind !== "board") this.keep(); // strokes are undone on the board
    const answer = this.answers[number];
    if (value === undefined) delete answer.values[field.name];
    else answer.values[field.name] = value;
    answer.skipped = "";
    this.save();
    this.show();
  }

  /** @param {any} field @param {Answer} answer */
  isAsked(field, answer) {
    return Object.entries(field.when).every(([name, labels]) =>
      [answer.values[name] ?? []].flat().some((label) => labels.includes(String(label))),
    );
  }

  /** The first field without an answer. @param {number} number */
  missing(number) {
    const answer = this.answers[number];
    if (answer.skipped) return undefined;
    return this.task.fields.find((/** @type {any} */ field) => {
      const value = answer.values[field.name];
      const empty = value === undefined && !["spans", "several"].includes(field.kind);
      return this.isAsked(field, answer) && !field.optional && empty;
    });
  }

  /** @param {number} number */
  isDone(number) {
    const answer = this.answers[number];
    return Boolean(answer.skipped || (answer.seconds > 0 && !this.missing(number)));
  }

  /** What is sent of an item: only what is asked. @param {Answer} answer */
  said(answer) {
    if (answer.skipped) return { skipped: answer.skipped, seconds: answer.seconds };
    const values = Object.fromEntries(
      this.task.fields
        .filter((/** @type {any} */ field) => this.isAsked(field, answer))
        .map((/** @type {any} */ field) => [field.name, answer.values[field.name] ?? (["spans", "several"].includes(field.kind) ? [] : undefined)])
        .filter((/** @type {any} */ [, value]) => value !== undefined),
    );
    return { values, seconds: answer.seconds };
  }

  // The way through the items
  // ----------------------------------------------------------------------------------------------------------

  /** @param {number} at */
  go(at) {
    this.tick();
    this.at = Math.min(this.task.items.length, Math.max(0, at));
    this.trouble.textContent = "";
    this.place.replaceChildren(...(this.at < this.task.items.length ? this.screens[this.at].nodes : this.overview()));
    this.show();
    this.place.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "start" });
  }

  show() {
    const items = this.task.items.length;
    const last = this.at === items;
    const done = this.answers.filter((_, number) => this.isDone(number)).length;
    this.bar.value = done;
    this.count.textContent = last ? this.texts.say("annotate.check") : this.texts.say("annotate.item", { at: this.at + 1, n: items });
    this.back.disabled = this.at === 0;
    this.undone.disabled = !this.past.length;
    this.skip.hidden = last;
    this.next.textContent = this.texts.say(last ? "annotate.send" : "annotate.next");
    if (last) return;
    const answer = this.answers[this.at];
    this.skip.textContent = this.texts.say(answer.skipped ? "annotate.unskip" : "annotate.skip");
    for (const part of this.screens[this.at].parts) {
      part.fill(answer.values[part.field.name]);
      part.box.hidden = Boolean(answer.skipped) || !this.isAsked(part.field, answer);
    }
    this.trouble.textContent = answer.skipped ? this.texts.say("annotate.skipped", { reason: answer.skipped }) : "";
  }

  forward() {
    this.tick();
    if (this.at === this.task.items.length) return this.finish();
    const missing = this.missing(this.at);
    if (missing) {
      this.trouble.textContent = this.texts.say("annotate.missing", { field: missing.text || missing.name });
      this.screens[this.at].parts[this.task.fields.indexOf(missing)].box.scrollIntoView({ block: "center" });
      return undefined;
    }
    return this.go(this.at + 1);
  }

  finish() {
    const open = this.answers.findIndex((_, number) => !this.isDone(number));
    if (open >= 0) return this.go(open);
    this.next.disabled = true;
    return Promise.resolve(this.send(this.answers.map((answer) => /** @type {any} */ (this.said(answer))))).finally(() => {
      this.next.disabled = false;
    });
  }

  /** All items, each with a way back to it. */
  overview() {
    const rows = this.task.items.map((/** @type {any} */ item, /** @type {number} */ number) => {
      const answer = this.answers[number];
      const told = answer.skipped
        ? this.texts.say("annotate.skipped", { reason: answer.skipped })
        : this.task.fields
            .filter((/** @type {any} */ field) => this.isAsked(field, answer) && field.labels.length && field.kind !== "spans")
            .map((/** @type {any} */ field) => [answer.values[field.name] ?? []].flat().join(", "))
            .filter(Boolean)
            .join(" · ");
      const change = make("button", { type: "button", className: "small" }, this.texts.say("annotate.change", { n: number + 1 }));
      change.addEventListener("click", () => this.go(number));
      const short = item.text.length > 80 ? `${item.text.slice(0, 79)}…` : item.text;
      return make("li", { className: "row" }, change, make("span", { lang: this.page.own_language }, short), make("b", {}, this.isDone(number) ? told : this.texts.say("annotate.open")));
    });
    return [make("ul", { className: "plain overview" }, ...rows)];
  }

  async askSkip() {
    const answer = this.answers[this.at];
    if (answer.skipped) {
      this.keep();
      answer.skipped = "";
      this.save();
      return this.show();
    }
    const reason = make("textarea", { id: "reason", rows: 2, maxLength: 1000, required: true });
    const label = make("label", { htmlFor: "reason" }, this.texts.say("annotate.reason"));
    const said = await ask(this.texts.say("annotate.skip_heading"), [label, reason], [
      [this.texts.say("annotate.skip"), () => reason.value.trim(), "primary"],
      [this.texts.say("annotate.cancel"), null],
    ]);
    if (!said) return undefined;
    this.keep();
    answer.skipped = said;
    this.save();
    return this.go(this.at + 1);
  }

  // What was said before
  // ----------------------------------------------------------------------------------------------------------

  /** @param {boolean} [boards] Whether undoing restores boards, too: their strokes are undone on the board. */
  keep(boards = false) {
    this.past.push({ at: this.at, answer: JSON.stringify(this.answers[this.at]), boards });
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    const now = this.answers[before.at];
    const then = JSON.parse(before.answer);
    if (!before.boards) for (const name of this.boards) then.values[name] = now.values[name];
    this.answers[before.at] = { ...then, seconds: now.seconds };
    this.save();
    if (before.boards && this.boards.length) this.reload(before.at);
    else this.go(before.at);
  }

  /** Count the time for which an item was on the screen. */
  tick() {
    const now = performance.now();
    const answer = this.answers[this.at];
    if (answer && !document.hidden) answer.seconds = Math.round(10 * answer.seconds + (now - this.shownAt) / 100) / 10;
    this.shownAt = now;
    if (answer) this.save();
  }

  save() {
    localStorage.setItem(this.key, JSON.stringify(this.answers));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {any} */ (event.target);
    const writes = target.matches?.("textarea, input[type=text], select") || target.closest?.("dialog, svg");
    if (event.defaultPrevented || event.altKey || writes) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") this.undo();
    else if (event.ctrlKey || event.metaKey) return;
    else if (/^[0-9]$/.test(event.key) && this.at < this.task.items.length && !this.answers[this.at].skipped) {
      if (!this.pressDigit(event.key, target)) return;
    } else if (this.task.items[this.at]?.said?.[NAMES.indexOf(event.key.toUpperCase())]) {
      this.take(this.task.items[this.at].said[NAMES.indexOf(event.key.toUpperCase())]);
    } else if (event.key === "Enter" && this.at < this.task.items.length && !target.matches?.("button, a, summary")) this.forward();
    else if (event.key === "Backspace") this.go(this.at - 1);
    else return;
    event.preventDefault();
  }

  /**
   * A label of the words or boxes that have the focus, else of the first field without an answer, else of the field
   * with the focus.
   * @param {string} key
   * @param {any} target
   */
  pressDigit(key, target) {
    const answer = this.answers[this.at];
    const asked = this.screens[this.at].parts.filter(
      (/** @type {any} */ { field }) => this.isAsked(field, answer) && (field.labels.length || field.kind === "count"),
    );
    const focused = asked.find((/** @type {any} */ part) => part.box.contains(target));
    const empty = asked.find(
      (/** @type {any} */ { field }) => field.kind !== "spans" && answer.values[field.name] === undefined,
    );
    const takesMore = focused && ["spans", "several"].includes(focused.field.kind);
    const part = takesMore ? focused : (empty ?? focused ?? asked[0]);
    return part?.press(key) ?? false;
  }
}

addEventListener("keydown", (event) => open?.element.isConnected && open.press(event));
document.addEventListener("visibilitychange", () => {
  if (!open?.element.isConnected) return;
  if (document.hidden) open.tick();
  open.shownAt = performance.now();
});

/**
 * The task of a page, which is loaded first.
 * @param {any} page
 * @param {Texts} texts
 * @param {(labels: any[]) => any} send
 */
export function annotationPart(page, texts, send) {
  const first = make("div", { className: "state loading small", role: "status" });
  /** @param {any} place @param {number} [at] @param {any[]} [past] */
  const load = async (place, at, past = []) => {
    try {
      const path = `${location.pathname}/items?language=${encodeURIComponent(page.language)}`;
      const kept = keptAnswers(page).map((answer) => answer.values);
      const task = await post(path, { task: page.task, kept });
      const form = new AnnotationForm(task, page, texts, send, (number) => void load(form.element, number, form.past));
      form.past = past;
      place.replaceWith(form.element);
      open = form;
      form.start(at);
    } catch (error) {
      if (place === first) showProblem(first, error, () => void load(first));
      else if (open) open.trouble.textContent = texts.say("problem.unreachable");
    }
  };
  void load(first);
  return first;
}
