// Words of a text that are marked with labels. Words are chosen by pointer, by tapping the first and the last, or with
// the arrow keys; then a label marks them.

import { make } from "./dom.js";

/** @typedef {{start: number, end: number, label: string}} Span */

const COLOURS = 6;
/** Marks over one word that are drawn apart; the list has them all. */
const MOST_LINES = 4;

/** Give a part of the page the line of a label: one of six colours, dashed from the seventh label on. @param {any} part @param {string[]} labels @param {string} label */
export function styleMark(part, labels, label) {
  const number = labels.indexOf(label);
  part.classList.add("mark");
  part.style.setProperty("--colour", `var(--c${number % COLOURS})`);
  part.style.borderBottomStyle = number < COLOURS ? "solid" : "dashed";
}

/** @param {string[]} labels @param {string} label */
export function markTag(labels, label) {
  const tag = make("span", { className: "tag" }, label);
  styleMark(tag, labels, label);
  return tag;
}

/** A line under a word, as a picture behind it. @param {string[]} labels @param {string} label */
function lineUnder(labels, label) {
  const number = labels.indexOf(label);
  const colour = `var(--c${number % COLOURS})`;
  return number < COLOURS ? `linear-gradient(${colour} 0 0)` : `repeating-linear-gradient(90deg, ${colour} 0 4px, transparent 4px 7px)`;
}

export class SpanEditor {
  /**
   * @param {string} text
   * @param {string[]} labels
   * @param {import("./study_texts.js").StudyTexts} texts
   * @param {(spans: Span[]) => void} changed
   * @param {string} language Of the text.
   */
  constructor(text, labels, texts, changed, language) {
    this.text = text;
    this.labels = labels;
    this.texts = texts;
    this.changed = changed;
    /** @type {Span[]} */
    this.spans = [];
    /** @type {[number, number]|null} The first and the last chosen word. */
    this.chosen = null;
    this.at = 0;
    // Python counts code points, a script counts UTF-16 units
    this.points = [0];
    for (const letter of text) for (let unit = 0; unit < letter.length; unit++) this.points.push((this.points.at(-1) ?? 0) + (unit === 0 ? 1 : 0));
    /** @type {any[]} */
    this.words = [];
    this.line = make("p", { className: "words", role: "listbox", "aria-multiselectable": "true", lang: language });
    this.line.setAttribute("aria-label", texts.say("annotate.words"));
    /** @type {any[]} What is between words; it is marked with them. */
    this.gaps = [];
    let done = 0;
    /** @param {number} [end] */
    const fillGap = (end) => {
      const gap = make("span", { className: "gap" }, text.slice(done, end));
      gap.dataset.start = String(done);
      gap.dataset.end = String(end ?? text.length);
      this.gaps.push(gap);
      this.line.append(gap);
    };
    for (const found of text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu)) {
      if (done < found.index) fillGap(found.index);
      const word = make("span", { className: "word", role: "option", tabIndex: this.words.length ? -1 : 0 }, found[0]);
      word.dataset.start = String(found.index);
      word.dataset.end = String((done = found.index + found[0].length));
      this.words.push(word);
      this.line.append(word);
    }
    if (done < text.length) fillGap();
    this.marks = make("ul", { className: "plain marks" });
    this.said = make("p", { className: "unseen", role: "status" });
    this.line.addEventListener("pointerdown", (/** @type {any} */ event) => this.begin(event));
    this.line.addEventListener("pointermove", (/** @type {any} */ event) => event.buttons && this.extend(this.under(event)));
    this.line.addEventListener("keydown", (/** @type {any} */ event) => this.press(event));
    this.show();
  }

  /** @param {any} event @returns {number} */
  under({ clientX, clientY }) {
    return this.words.indexOf(document.elementFromPoint(clientX, clientY)?.closest(".word"));
  }

  /** @param {any} event */
  begin(event) {
    const word = this.under(event);
    if (word < 0) return;
    // a tap after a tap on one word chooses all between them
    const single = this.chosen && this.chosen[0] === this.chosen[1] && this.chosen[0] !== word;
    if (single || event.shiftKey) this.extend(word);
    else this.choose(word, word);
    this.go(word);
  }

  /** @param {number} word */
  extend(word) {
    if (word < 0) return;
    if (!this.chosen) return this.choose(word, word);
    const [first, last] = this.chosen;
    return word < first ? this.choose(word, last) : this.choose(first, word);
  }

  /** @param {number} first @param {number} last */
  choose(first, last) {
    this.chosen = [first, last];
    this.show();
  }

  /** @param {number} word */
  go(word) {
    this.words[this.at].tabIndex = -1;
    this.at = word;
    this.words[word].tabIndex = 0;
    this.words[word].focus();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step) {
      const word = Math.min(this.words.length - 1, Math.max(0, this.at + step));
      if (event.shiftKey) {
        if (!this.chosen) this.choose(this.at, this.at);
        this.extend(word);
      } else this.choose(word, word);
      this.go(word);
    } else if (event.key === " ") this.choose(this.at, this.at);
    else if (event.key === "Escape") {
      this.chosen = null;
      this.show();
    } else return;
    event.preventDefault();
  }

  /** Mark the chosen words. @param {string} label @returns {boolean} */
  mark(label) {
    if (!this.chosen) {
      this.said.textContent = this.texts.say("annotate.choose_words");
      return false;
    }
    const [first, last] = this.chosen;
    const start = this.points[Number(this.words[first].dataset.start)];
    const end = this.points[Number(this.words[last].dataset.end)];
    const known = this.spans.some((span) => span.start === start && span.end === end && span.label === label);
    this.chosen = null;
    if (!known) this.set([...this.spans, { start, end, label }].sort((one, other) => one.start - other.start || one.end - other.end));
    else this.show();
    if (!known) this.changed(this.spans);
    return true;
  }

  /** @param {Span[]} spans */
  set(spans) {
    this.spans = spans;
    this.show();
  }

  /** @param {Span} span */
  words_of(span) {
    return [...this.text].slice(span.start, span.end).join("");
  }

  /** The line of each mark, so that marks which overlap are on different ones. @returns {Map<Span, number>} */
  layers() {
    /** @type {Map<Span, number>} */
    const layers = new Map();
    for (const span of this.spans) {
      const taken = [...layers].filter(([other]) => other.end > span.start && other.start < span.end).map(([, layer]) => layer);
      let layer = 0;
      while (taken.includes(layer)) layer += 1;
      layers.set(span, layer);
    }
    return layers;
  }

  show() {
    const layers = this.layers();
    for (const part of [...this.words, ...this.gaps]) {
      const [start, end] = [this.points[Number(part.dataset.start)], this.points[Number(part.dataset.end)]];
      const over = this.spans.filter((span) => span.start < end && span.end > start);
      const lines = over.filter((span) => (layers.get(span) ?? 0) < MOST_LINES);
      part.style.backgroundImage = lines.map((span) => lineUnder(this.labels, span.label)).join(", ");
      part.style.backgroundPosition = lines.map((span) => `0 calc(100% - ${5 * (MOST_LINES - 1 - (layers.get(span) ?? 0))}px)`).join(", ");
      part.title = over.map((span) => span.label).join(", ");
    }
    for (const [number, word] of this.words.entries()) {
      const chosen = this.chosen !== null && number >= this.chosen[0] && number <= this.chosen[1];
      word.setAttribute("aria-selected", String(chosen));
    }
    this.marks.replaceChildren(
      ...this.spans.map((span) => {
        const name = this.texts.say("annotate.unmark", { words: this.words_of(span), label: span.label });
        const remove = make("button", { type: "button", className: "small quiet", "aria-label": name }, "✕");
        remove.addEventListener("click", () => {
          this.set(this.spans.filter((each) => each !== span));
          this.changed(this.spans);
        });
        return make("li", {}, markTag(this.labels, span.label), ` “${this.words_of(span)}” `, remove);
      }),
    );
  }
}
