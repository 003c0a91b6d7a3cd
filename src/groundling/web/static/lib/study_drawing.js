// A blank board of a game, on which a participant draws.

import { make } from "./dom.js";
import { parse } from "./picture.js";
import { tool } from "./tools.js";

/**
 * What is drawn is only on the page until it is sent, so the browser asks before it leaves the page.
 * @param {any} page
 * @param {import("./study_texts.js").StudyTexts} texts
 * @param {(why: string) => void} note
 * @param {(moves: any[]) => Promise<void>} send
 * @returns {any[]}
 */
export function drawingParts(page, texts, note, send) {
  /** @type {any[]} */
  const moves = [];
  const pictures = new Map(page.panels.map((/** @type {any} */ panel) => [panel.name, parse(panel.svg)]));
  const bench = make("div", {});
  void tool(page.tool).then(({ open }) =>
    open({
      svg: pictures.get("work"),
      facts: page.facts,
      send: (drawn, _, taken) => {
        moves.push(...drawn);
        note(""); // what was wrong may be right now
        taken?.();
      },
      note,
      room: bench,
      active: true,
      changedByPerson: () => {},
      alone: true,
    }),
  );
  addEventListener("beforeunload", (event) => moves.length && bench.isConnected && event.preventDefault());
  const figures = [...pictures.values()].map((svg) => make("figure", {}, make("div", { className: "picture" }, svg)));
  const done = make("button", { type: "button", className: "primary" }, texts.say("draw.send"));
  done.addEventListener("click", () => void send(moves));
  return [make("p", {}, page.now_text), ...figures, bench, make("div", { className: "row" }, done)];
}
