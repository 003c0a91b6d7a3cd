// The socket of a seat's page. It reconnects by itself, and the server then sends everything again.

import { palette } from "./palette.js";

/** @typedef {{undo: () => void, done: () => void, again: (() => void) | undefined}} Pending */

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
    this.wait = 250;
    this.failures = 0;
    this.stopped = false;
    /** @type {Map<number, Pending>} */
    this.pending = new Map();
    /** @type {number[]} Moves whose fate is unknown because the connection was lost. */
    this.unknown = [];
    this.connect();
    addEventListener("online", () => this.socket && this.socket.readyState > 1 && this.connect());
  }

  connect() {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.socket = new WebSocket(new URL(this.path, location.href.replace(/^http/, "ws")));
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.lost(event));
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "hello") {
      this.wait = 250;
      this.failures = 0;
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

  /** @param {CloseEvent} event */
  lost(event) {
    if (this.stopped) return;
    if (event.code === 4403 || event.code === 4404)
      return this.stop("This page is not your seat. Open the link that you were given.");
    // A browser does not say whether it was refused or the server was down.
    const hint = ++this.failures > 4 ? " If this does not help, open the link that you were given again." : "";
    this.changed("lost", `The connection is lost. Trying again…${hint}`);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(5000, this.wait * 1.7);
  }

  /** @param {string} why @param {"elsewhere" | "closed"} [state] */
  stop(why, state = "closed") {
    this.stopped = true;
    this.socket?.close();
    this.changed(state, why);
  }

  /** @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
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
    if (this.socket?.readyState !== WebSocket.OPEN) return undo();
    const id = ++this.number;
    this.pending.set(id, { undo, done, again });
    this.send({ do: "move", id, moves, at: Math.round(performance.now()), first, palette: palette(), typing });
  }
}
