// What was said, as a talk or as numbered steps.

import { $, make } from "./dom.js";

const WHO = { me: "You", partner: "Partner", "": "" };

/** @param {{who: "me"|"partner"|"", text: string, current: boolean}[]} lines @param {boolean} steps */
export function showTalk(lines, steps) {
  $("talk").classList.toggle("steps", steps);
  $("talk-title").textContent = steps ? "Steps" : "What was said";
  const items = lines.map((each) => {
    const who = WHO[each.who];
    const name = who && !steps ? make("span", { className: "who" }, `${who}: `) : null;
    const item = make(
      "li",
      { className: `${each.who || "nobody"}${each.current ? " current" : ""}` },
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
 * What is to be done now: the step that is marked, or what the partner said last.
 * @param {{who: string, text: string, current: boolean}[]} lines
 */
export function wanted(lines) {
  const last = lines.at(-1);
  return lines.find((each) => each.current)?.text ?? (last?.who === "partner" ? last.text : "");
}

/**
 * A message with the whole talk, where it has only what was said since.
 * @param {any} shown @param {any} message
 */
export function whole(shown, message) {
  const { more, ...rest } = message;
  return more ? { ...rest, talk: [...(shown.talk ?? []), ...more] } : message;
}
