// The socket of a seat's page. It reconnects for as long as the room exists, and the server then sends
// everything again.

import { palette } from "./palette.js";

/** @typedef {{undo: () => void, done: () => void, again: (() => void) | undefined}} Pending */

const FIRST_WAIT = 250; // milliseconds until the first attempt to reconnect
const LONGEST_WAIT = 5000;
const ANSWER_WAIT = 10_000; // after moves, an open connection that stays silent for longer counts as lost

const GONE = new Map([
  [4403, "This browser does not hold this seat. A link works once: continue where you opened it first."],
  [4404, "This room does not exist any more, so the game cannot continue."],
]);

export class SeatSocket {
  /**
   * @param {string} path
   * @param {(message: any) => void} handleMessage
   * @param {(state: "open" | "lost" | "elsewhere" | "closed", why: string) => void} changed
   */
  constructor(path, handleMessage, changed) {
    this.path = path;
    this.handleMessage = handleMessage;
    this.changed = changed;
    this.number = 0;
    this.wait = FIRST_WAIT;
    this.stopped = false;
    /** @type {Map<number, Pending>} */
    this.pending = new Map();
    /** @type {number[]} Moves whose fate is unknown because the connection was lost. */
    this.unknown = [];
    this.connect();
    const hurry = () => {
      if (!document.hidden && (this.socket?.readyState ?? WebSocket.CLOSED) > 1) this.connect();
    };
    addEventListener("online", hurry);
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", hurry);
  }

  connect() {
    if (this.stopped) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(new URL(this.path, location.href.replace(/^http/, "ws")));
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lost(event.code);
    });
  }

  isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** @param {any} message */
  receive(message) {
    clearTimeout(this.silence);
    if (message.type === "hello") {
      this.wait = FIRST_WAIT;
      // What is shown next says whether these were taken.
      for (const [id, each] of this.pending) {
        if (each.again) continue;
        each.done();
        this.pending.delete(id);
      }
      this.unknown = [...this.pending.keys()];
      this.changed("open", "");
    }
    if (message.type === "elsewhere")
      this.stop("This seat was opened in another window. Continue there, or take it back.", "elsewhere");
    if (message.type === "replaced") this.stopped = true;
    if (message.type === "refused" && this.pending.has(message.id)) {
      this.pending.get(message.id)?.undo();
      this.pending.delete(message.id);
    }
    for (const id of message.taken ?? []) {
      this.pending.get(id)?.done();
      this.pending.delete(id);
    }
    this.handleMessage(message);
    if (message.type === "show")
      for (const id of this.unknown.splice(0)) {
        this.pending.get(id)?.again?.();
        this.pending.delete(id);
      }
  }

  /** @param {number} [code] */
  lost(code) {
    clearTimeout(this.silence);
    if (this.stopped) return;
    const gone = GONE.get(code ?? 0);
    if (gone) return this.stop(gone);
    this.changed(
      "lost",
      navigator.onLine ? "The connection is lost. Reconnecting…" : "You are offline. Reconnecting…",
    );
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  /** Give up a connection that may be dead; the browser itself would notice only after minutes. */
  drop() {
    const socket = this.socket;
    if (!socket || socket.readyState > 1) return;
    this.socket = undefined;
    socket.close();
    this.lost();
  }

  /** @param {string} why @param {"elsewhere" | "closed"} [state] */
  stop(why, state = "closed") {
    this.stopped = true;
    this.socket?.close();
    this.changed(state, why);
  }

  /** @param {any} message */
  send(message) {
    if (this.isOpen()) this.socket?.send(JSON.stringify(message));
  }

  /**
   * @param {any[]} moves
   * @param {number|null} first When the person first did something in this turn, by the page's clock.
   * @param {() => void} [undo] Called where they are refused, or could not be sent.
   * @param {() => void} [done] Called where they were taken.
   * @param {() => void} [again] Called instead where the connection was lost meanwhile, once everything is shown
   *   again.
   * @param {number|null} [typing] Milliseconds in which the person typed.
   */
  move(moves, first, undo = () => {}, done = () => {}, again = undefined, typing = null) {
    if (!this.isOpen()) return undo();
    const id = ++this.number;
    this.pending.set(id, { undo, done, again });
    this.send({ do: "move", id, moves, at: Math.round(performance.now()), first, palette: palette(), typing });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.drop(), ANSWER_WAIT);
  }
}
