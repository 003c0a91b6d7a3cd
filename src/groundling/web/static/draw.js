// An empty board to draw on, alone. What was drawn is kept here until it is saved as a whole.

import { $, capital, make, post, request } from "./lib/dom.js";
import { fillPage } from "./lib/page_state.js";
import { offerPalette } from "./lib/palette.js";
import { parse } from "./lib/picture.js";
import { tool } from "./lib/tools.js";

/** @type {any[]} */
const drawn = [];
let saved = true;
offerPalette($("palette"));

void fillPage($("page-state"), async () => {
  const desk = await request("canvas.json");
  const { open } = await tool(desk.tool);
  $("desk").hidden = false;
  document.title = `groundling: ${desk.title}, draw a new one`;
  const pictures = new Map(desk.panels.map((/** @type {any} */ panel) => [panel.name, parse(panel.svg)]));
  $("panels").replaceChildren(
    ...desk.panels.map((/** @type {any} */ panel) =>
      make("figure", {}, make("div", { className: "picture" }, pictures.get(panel.name))),
    ),
  );
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
});

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
