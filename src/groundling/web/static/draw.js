// An empty board to draw on, alone. What was drawn is kept here until it is saved as a whole.

import { $, make, capital, post } from "./lib/dom.js";
import { get } from "./lib/queries.js";
import { offerPalette } from "./lib/palette.js";
import { parse } from "./lib/picture.js";
import { tool } from "./lib/tools.js";

/** @type {any[]} */
const drawn = [];
let saved = true;
offerPalette($("palette"));

try {
  const desk = await get("canvas.json");
  $("name").textContent = `${desk.title}: draw a new one`;
  const pictures = new Map(desk.panels.map((/** @type {any} */ panel) => [panel.name, parse(panel.svg)]));
  $("panels").replaceChildren(
    ...desk.panels.map((/** @type {any} */ panel) =>
      make("figure", {}, make("div", { className: "picture" }, pictures.get(panel.name))),
    ),
  );
  const { open } = await tool(desk.tool);
  open({
    svg: pictures.get("work"),
    facts: desk.facts,
    send: (moves, _, done) => {
      drawn.push(...moves);
      saved = false;
      done?.();
    },
    note: (text) => ($("trouble").textContent = text),
    room: $("tool"),
    active: true,
    changedByPerson: () => {},
    alone: true,
  });
  $("called").maxLength = desk.most;
  $("now").textContent = `${desk.now} Then give it a name and save it: others can play it.`;
  $("save").hidden = false;
} catch (error) {
  $("now").textContent = /** @type {Error} */ (error).message;
}

$("save").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  $("trouble").textContent = "";
  try {
    await post("drawn", { name: $("called").value, moves: drawn });
    saved = true;
    location.assign("./?of=drawn+here");
  } catch (error) {
    $("trouble").textContent = `${capital(/** @type {Error} */ (error).message)}.`;
  }
});
addEventListener("beforeunload", (event) => saved || event.preventDefault());
