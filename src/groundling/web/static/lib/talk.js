// What was said, as a talk or as numbered steps.

import { $, make } from "./dom.js";

const WHO = { me: "You", partner: "Partner", "": "" };

/** @typedef {{who: "me"|"partner"|"", text: string, current: boolean, aside: boolean}} Line */

/** @param {Line[]} lines @param {boolean} steps */
export function showTalk(lines, steps) {
  $("talk").classList.toggle("steps", steps);
  $("talk-title").textContent = steps ? "Steps" : "What was said";
  const items = lines.map((each) => {
    const who = WHO[each.who];
    const name = who && (!steps || each.aside) ? make("span", { className: "who" }, `${who}: `) : null;
    const item = make(
      "li",
      { className: `${each.who || "nobody"}${each.current ? " current" : ""}${each.aside ? " aside" : ""}` },
      name,
      make("span", { className: "words" }, each.text),
    );
    if (each.current) item.setAttribute("aria-current", "step");
    return item;
  });
  // Only what is new is added, so that a screen reader reads no more than that.
  const there = [...$("talk").children];
  const same = items.findIndex((item, number) => !there[number]?.isEqualNode(item));
  const start = same < 0 ? items.length : same;
  there.slice(start).forEach((item) => item.remove());
  $("talk").append(...items.slice(start));
  $("talk").scrollTop = $("talk").scrollHeight;
}

/**
 * What a person who carries out instructions has to do: the step that is marked, or what the partner said last.
 * It stays there while the partner has the turn, so that nothing moves. Empty for those who give instructions.
 * @param {{talk?: Line[], turn: boolean, tool: string}} shown
 */
export function instruction({ talk = [], turn, tool }) {
  if (!talk.length) return turn ? "" : "What your partner says appears here.";
  const at = talk.findIndex((each) => each.current);
  if (at >= 0) {
    const answers = talk.slice(at + 1).filter((each) => each.aside && each.who === "partner");
    return [talk[at], ...answers].map((each) => each.text).join(" ");
  }
  const last = tool || talk[0].who === "partner" ? talk.findLast((each) => each.who === "partner") : null;
  return last?.text ?? "";
}

/**
 * A message with the whole talk, where it has only what was said since.
 * @param {any} shown @param {any} message
 */
export function whole(shown, message) {
  const { more, ...rest } = message;
  return more ? { ...rest, talk: [...(shown.talk ?? []), ...more] } : message;
}
