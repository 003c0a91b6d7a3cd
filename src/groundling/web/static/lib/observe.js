// What the page observes beside the game, for analyses: device, focus, the first action, and typing time.

const MOST = 150; // messages of one page; the server stores at most 200 of a seat
const QUIET = 1000; // milliseconds in which the focus must not change before it is reported
const PAUSE = 5000; // a longer pause between two inputs is not typing
const GAMES = "groundling games";

/** How many-th game of this browser the page is, counting each game once. */
function order() {
  /** @type {string[]} */
  let games = [];
  try {
    games = JSON.parse(localStorage.getItem(GAMES) ?? "[]");
    if (!games.includes(location.pathname)) games.push(location.pathname);
    localStorage.setItem(GAMES, JSON.stringify(games));
  } catch {
    return 0; // the browser stores nothing for us
  }
  return games.indexOf(location.pathname) + 1;
}

const pointer = () =>
  ["fine", "coarse"].find((kind) => matchMedia(`(pointer: ${kind})`).matches) ?? "none";

export class Observer {
  /** @param {(message: any) => void} send */
  constructor(send) {
    this.deliver = send;
    this.sent = 0;
    this.active = false;
    this.focused = true;
    /** @type {number|null} When the game was first shown. */
    this.shownAt = null;
    this.acted = false;
    this.typed = 0;
    /** @type {number|null} */
    this.lastInput = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.resizing = undefined;
    for (const name of ["focus", "blur"]) addEventListener(name, () => this.settle());
    document.addEventListener("visibilitychange", () => this.settle());
    addEventListener("resize", () => {
      clearTimeout(this.resizing);
      this.resizing = setTimeout(() => this.report("device", this.device()), QUIET);
    });
    for (const name of ["pointerdown", "keydown", "input"])
      addEventListener(name, (event) => this.act(event), { capture: true, passive: true });
  }

  /** @param {string} what @param {any} [more] */
  report(what, more = {}) {
    if (!this.active || ++this.sent > MOST) return;
    this.deliver({ do: "observe", what, at: Math.round(performance.now()), ...more });
  }

  device() {
    return { width: innerWidth, height: innerHeight, pointer: pointer(), order: order() };
  }

  /**
   * The person has agreed and takes part; or the connection is new.
   * @param {boolean} wanted Whether the server stores observations. @param {boolean} playing
   */
  begin(wanted, playing) {
    if (wanted && !this.active) {
      this.active = true;
      this.report("device", this.device());
      if (!document.hasFocus()) this.settle();
    }
    if (playing) this.shownAt ??= performance.now();
  }

  /** The connection is lost: what is current is reported again when it is back. */
  pause() {
    this.active = false;
    this.focused = true;
  }

  /** Report a change of the focus once it lasts. */
  settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const focused = document.hasFocus() && !document.hidden;
      if (focused !== this.focused && this.active) {
        this.focused = focused;
        this.report(focused ? "focus" : "blur");
      }
    }, QUIET);
  }

  /** @param {Event} event */
  act(event) {
    const target = /** @type {any} */ (event.target);
    const inGame = target instanceof Element && target.closest("#table");
    if (this.shownAt !== null && !this.acted && this.active && inGame) {
      this.acted = true;
      this.report("first", { after: Math.round(performance.now() - this.shownAt) });
    }
    if (event.type === "input" && target?.id === "words") {
      const now = performance.now();
      if (this.lastInput !== null && now - this.lastInput < PAUSE) this.typed += now - this.lastInput;
      this.lastInput = now;
    }
  }

  /** Milliseconds typed since the last message, which is sent now; null where nothing was typed. */
  takeTyping() {
    const typed = this.lastInput === null ? null : Math.round(this.typed);
    this.typed = 0;
    this.lastInput = null;
    return typed;
  }
}
