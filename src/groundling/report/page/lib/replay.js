// Steps through one episode: views, words, and the score by turn. Reports and the server share it.

import { make, mark, number } from "./elements.js";
import { brought, changed, drawn } from "./picture.js";

/**
 * @typedef {import("./picture.js").Patch} Patch
 * @typedef {{kind: string, event: number, role?: string, text?: string, boards?: Record<string, Patch>,
 *   turn?: Record<string, number>, labels?: Record<string, string>, notes?: string[],
 *   clauses?: [string, number, number][]} &
 *   Record<string, any>} Step
 * @typedef {{seats: Record<string, string>, steps: Step[], scores: [string, number][], measure: string,
 *   top: number}} Episode
 *   The data of report/replay_data.py: one complete picture, then patches.
 */

/** Milliseconds per step during playback; the second value is for reduced motion. */
const PACE = [900, 2500];
/** Complete pictures are kept every this many steps, so that going back is fast. */
const KEPT = 50;
const look = new CSSStyleSheet();
look.replaceSync(":host{display:block} svg{display:block;max-width:100%;height:auto;margin:0 auto}");

export class Viewer {
  /**
   * @param {HTMLElement} room The element to show it in.
   * @param {(step: number, event: number) => string} link Returns the fragment of the address of a step.
   * @param {boolean} alone The page has no other content, so all keys belong to the viewer.
   */
  constructor(room, link, alone) {
    this.room = room;
    this.link = link;
    this.alone = alone;
    this.heading = alone ? "h2" : "h4"; // below the heading of the page, or of an episode in a report
    /** @type {Episode|null} */
    this.episode = null;
    this.step = 0;
    /** @type {CSSStyleSheet[]} Style sheets for the pictures. */
    this.sheets = [look];
    /** @type {any[]} Each seat's picture … */
    this.now = [];
    /** @type {number} … after this step. */
    this.at = -1;
    /** @type {Map<number, any[]>} */
    this.kept = new Map();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @param {string} id @param {string} sign @param {string} label @param {() => void} work */
    const button = (id, sign, label, work) => {
      const made = make("button", { type: "button", id, "aria-label": label }, sign);
      made.addEventListener("click", work);
      return made;
    };
    this.back = button("back", "◀", "One step back", () => this.go(this.step - 1));
    this.on = button("on", "▶", "One step on", () => this.go(this.step + 1));
    this.playing = button("play", "Play", "Play", () => (this.timer ? this.pause() : this.play()));
    this.slider = make("input", { type: "range", id: "slider", min: 0, value: 0, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.where = make("output", { id: "where" });
    this.where.htmlFor = "slider";
    this.anchor = make("a", { id: "link", href: "#" }, "link to this step");
    this.turn = make("p", { id: "turn" });
    this.curve = make("div", { id: "curve" });
    this.boards = make("div", { id: "boards" });
    this.said = make("ol", { id: "said" });
    this.numbers = make("dl", { id: "numbers" });
    room.replaceChildren(
      make(
        "div",
        { className: "controls" },
        ...[this.back, this.slider, this.on, this.playing, this.where, this.anchor],
      ),
      this.curve,
      this.turn,
      this.boards,
      make(this.heading, {}, "What was said"),
      this.said,
      make(this.heading, {}, "Scores of this episode"),
      this.numbers,
    );
    addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {Episode} episode @param {number} step */
  open(episode, step) {
    this.pause();
    this.episode = episode;
    this.at = -1;
    this.kept.clear();
    this.hosts = Object.keys(episode.seats).map((role) => {
      const host = make("div", { className: "picture", id: `board-${role}` });
      host.attachShadow({ mode: "open" }).adoptedStyleSheets = this.sheets;
      return host;
    });
    this.boards.replaceChildren(
      ...Object.entries(episode.seats).map(([role, player], seat) => {
        const heading = make(this.heading, {}, role, " ", make("span", {}, player));
        const labels = { className: "board", "aria-label": `What ${role} sees` };
        return make("section", labels, heading, this.hosts?.[seat]);
      }),
    );
    this.lines = episode.steps.map((step, at) => {
      const line = make("button", { type: "button" }, ...told(step));
      line.addEventListener("click", () => this.go(at));
      return line;
    });
    this.said.replaceChildren(...this.lines.map((line) => make("li", {}, line)));
    this.numbers.replaceChildren(
      ...episode.scores.map(([name, value]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, number(value))),
      ),
    );
    this.slider.max = episode.steps.length - 1;
    this.draw();
    this.go(step);
  }

  /** Show the pictures with another style sheet. @param {CSSStyleSheet|null} sheet */
  dress(sheet) {
    this.sheets = sheet ? [look, sheet] : [look];
    for (const host of this.hosts ?? []) host.shadowRoot.adoptedStyleSheets = this.sheets;
  }

  /** The step that an event belongs to. @param {number} event */
  stepOf(event) {
    const steps = this.episode?.steps ?? [];
    const next = steps.findIndex((step) => step.event > event);
    return (next < 0 ? steps.length : next) - 1;
  }

  /** @param {number} wanted */
  go(wanted) {
    const { episode, lines, hosts } = this;
    if (!episode || !lines || !hosts) return;
    const last = episode.steps.length - 1;
    const step = (this.step = Math.max(0, Math.min(last, wanted)));
    const here = episode.steps[step];
    for (const [seat, picture] of this.pictures(step).entries()) {
      const host = hosts[seat];
      if (host.shadowRoot.firstChild !== picture) host.shadowRoot.replaceChildren(picture);
      host.parentNode.classList.toggle("turn", host.id === `board-${here.role}`);
    }
    for (const host of hosts) {
      // what does not fit can be scrolled by keyboard
      if (host.scrollHeight > host.clientHeight) host.tabIndex = 0;
      else host.removeAttribute("tabindex");
    }
    this.slider.value = step;
    this.where.textContent = `step ${step} of ${last}`;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${last}, ${here.role ?? here.kind}`);
    this.back.disabled = step === 0;
    this.on.disabled = step === last;
    const turns = episode.steps.slice(0, step + 1).filter((each) => each.turn);
    const scores = Object.entries(turns.at(-1)?.turn ?? {});
    const values = scores.map(([name, value]) => `${name} ${number(value)}`);
    for (const [name, value] of Object.entries(turns.at(-1)?.labels ?? {})) values.push(`${name}: ${value}`);
    this.turn.textContent = turns.length ? `after turn ${turns.length}: ${values.join(" · ")}` : "";
    this.cursor?.setAttribute("transform", `translate(${this.across(step)},0)`);
    if (this.line) mark(this.line, false);
    mark((this.line = lines[step]), true);
    // scrollIntoView would scroll the page as well
    const { said: list } = this;
    const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (list.children[step]);
    const top = offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
    this.anchor.href = `#${this.link(step, here.event)}`;
    history.replaceState(null, "", this.anchor.href);
    if (step === last) this.pause();
  }

  /** Each seat's picture at a step. @param {number} step @returns {any[]} */
  pictures(step) {
    const steps = this.episode?.steps ?? [];
    if (step < this.at || this.at < 0) {
      const near = Math.max(-1, ...[...this.kept.keys()].filter((each) => each <= step));
      this.now = near < 0 ? [] : (this.kept.get(near) ?? []).map((picture) => picture.cloneNode(true));
      this.at = near;
    }
    const roles = Object.keys(this.episode?.seats ?? {});
    const patches = steps
      .slice(this.at + 1, step + 1)
      .flatMap(({ boards = {} }) => roles.filter((role) => role in boards).map((role) => boards[role]));
    const nodes = brought(patches);
    while (this.at < step) {
      const boards = steps[++this.at].boards ?? {};
      for (const [seat, role] of roles.entries()) {
        const before = this.now[seat] ?? this.now[0]?.cloneNode(true);
        this.now[seat] = role in boards ? changed(before, boards[role], nodes) : before;
      }
      if (this.at % KEPT === 0 && !this.kept.has(this.at)) {
        const copies = this.now.map((picture) => picture.cloneNode(true));
        this.kept.set(this.at, copies);
      }
    }
    return this.now;
  }

  // The curve of the score

  /** @param {number} step */
  across(step) {
    return 8 + (584 * step) / Math.max(1, (this.episode?.steps.length ?? 1) - 1);
  }

  draw() {
    const { steps = [], measure = "", top = 1 } = this.episode ?? {};
    const points = steps.flatMap((step, at) => {
      return step.turn?.[measure] === undefined ? [] : [{ at, value: step.turn[measure] }];
    });
    this.curve.hidden = points.length < 2;
    if (this.curve.hidden) return;
    const least = Math.min(0, ...points.map((point) => point.value));
    const most = Math.max(top, ...points.map((point) => point.value));
    const down = (/** @type {number} */ value) => 82 - (74 * (value - least)) / (most - least || 1);
    const values = points.map((point) => number(point.value)).join(", ");
    const label = `${measure} after each turn: ${values}; at most ${number(top)}`;
    const svg = drawn("svg", { viewBox: "0 0 600 90", role: "img", "aria-label": label });
    svg.append(
      drawn("line", { class: "top", x1: 8, x2: 592, y1: down(top), y2: down(top) }),
      drawn("line", { class: "axis", x1: 8, x2: 592, y1: down(least), y2: down(least) }),
    );
    const path = points.map((point) => `${this.across(point.at)},${down(point.value)}`).join(" ");
    svg.append(drawn("polyline", { class: "line", points: path }));
    this.cursor = drawn("line", { class: "cursor", x1: 0, x2: 0, y1: 2, y2: 88 });
    svg.append(this.cursor);
    for (const point of points) {
      const r = points.length > 60 ? 2 : 4;
      const dot = drawn("circle", { cx: this.across(point.at), cy: down(point.value), r });
      dot.addEventListener("click", () => this.go(point.at));
      svg.append(dot);
    }
    const caption = `${measure} by turn, from ${number(least)} to ${number(most)}`;
    this.curve.replaceChildren(make("p", {}, caption), svg);
  }

  // Playback and keyboard

  play() {
    if (!this.episode) return;
    if (this.step === this.episode.steps.length - 1) this.go(0);
    const pace = PACE[matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 0];
    const next = () => {
      this.timer = setTimeout(next, pace);
      this.go(this.step + 1);
    };
    this.timer = setTimeout(next, pace);
    this.name("Pause");
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.name("Play");
  }

  /** @param {string} name */
  name(name) {
    this.playing.textContent = name;
    this.playing.setAttribute("aria-label", name);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.episode || target.closest?.("input, select, textarea, .scroll")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const ends = this.alone || this.room.contains(target);
    const to = {
      ArrowLeft: this.step - 1,
      ArrowRight: this.step + 1,
      Home: ends ? 0 : null,
      End: ends ? this.episode.steps.length : null,
    }[event.key];
    if (to === null || to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}

/** The nodes that describe a step. @param {Step} step @returns {Node[]} */
function told(step) {
  /** @param {string} who @param {string} words @param {string} kind */
  const line = (who, words, kind) => [
    make("span", { className: "who" }, who),
    make("span", { className: kind }, words),
  ];
  const { role = "", text = "" } = step;
  const aside = (/** @type {string} */ words, bad = false) =>
    make("span", { className: bad ? "aside refused" : "aside" }, words);
  const notes = (step.notes ?? []).map((note) => aside(`note: ${note}`));
  if (step.kind === "opened") return [...line("start", "the game starts", "words"), ...notes];
  if (step.kind === "closed") {
    const score = step.score === null ? ", no result" : `, score ${number(step.score)}`;
    return [...line("end", text + score, "words"), ...notes];
  }
  if (step.kind === "failed") {
    return [...line(role, `failed (${step.boundary}): ${text}`, "words refused"), ...notes];
  }
  const asides = (step.dropped ?? []).map((/** @type {string} */ piece) => aside(`left out: ${piece}`));
  if (step.strict) asides.push(aside(`taken, though strictly: ${step.strict}`));
  if (step.verdict === "refused") asides.push(aside(`refused: ${step.complaint}`, true));
  if (step.verdict === "open") asides.push(aside("neither played nor refused: the run stopped here", true));
  if (step.seconds !== undefined) asides.push(aside(`${number(step.seconds)} s`));
  if (step.clauses) asides.push(aside("shades: what each clause gave the panel, or took from it"));
  const [who, words] = line(role, text, text.includes("\n") ? "words grid" : "words");
  if (step.clauses) words.replaceChildren(...shaded(text, step.clauses));
  return [who, words, ...asides, ...notes];
}

/** The text with its clauses shaded by their credit. @param {string} text @param {[string, number, number][]} clauses */
function shaded(text, clauses) {
  /** @type {(string|Node)[]} */
  const parts = [];
  let done = 0;
  for (const [clause, share, credit] of clauses) {
    const at = text.indexOf(clause, done);
    if (at < 0) continue;
    const told = credit > 0 ? `lost without this: ${number(credit)}` : `gained without this: ${number(-credit)}`;
    const part = make("span", { className: credit > 0 ? "clause" : "clause against", title: told }, clause);
    part.style.setProperty("--share", String(Math.min(1, 0.25 + Math.abs(share))));
    parts.push(text.slice(done, at), part);
    done = at + clause.length;
  }
  return [...parts, text.slice(done)];
}
