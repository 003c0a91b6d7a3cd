// A button on the page of a game that belongs to a study: instructions, report the partner, leave.

import { make, post } from "./dom.js";
import { ask, askLeave, askReport, guideParts } from "./study_dialogs.js";
import { loadTexts } from "./study_texts.js";

/** What the study's page does first when it is opened, in the same tab. @param {string} path */
export const pendingAction = (path) => `pending ${path}`;

/** @param {string} study @param {any} row Where the button goes. */
export function offerStudy(study, row) {
  const path = `/study/${encodeURIComponent(study)}`;
  const button = make("button", { type: "button", className: "small", id: "study" }, "Study");
  row.prepend(button);
  document.body.classList.add("of-study");
  button.addEventListener("click", async () => {
    const language = localStorage.getItem(`language ${path}`) ?? "";
    const page = await post(`${path}/act?language=${encodeURIComponent(language)}`, { do: "open" });
    const action = await offerActions(page, await loadTexts(path, page.language));
    if (!action) return;
    if (action.do !== "open") sessionStorage.setItem(pendingAction(path), JSON.stringify(action));
    location.assign(path);
  });
}

/** @param {any} page @param {import("./study_texts.js").StudyTexts} texts @returns {Promise<any>} */
async function offerActions(page, texts) {
  if (page.page !== "game") return { do: "open" };
  const earned = `${texts.say("page.earned")}: ${texts.money(page.owed, page.currency)}`;
  const parts = [...guideParts(page, texts), page.pays ? make("p", { className: "aside" }, earned) : null];
  const chosen = await ask(texts.say("guide.heading"), parts.filter(Boolean), [
    [texts.say("report.no"), null, "primary"],
    .../** @type {[string, any][]} */ (page.live ? [[texts.say("report.open"), "report"]] : []),
    [texts.say("page.leave"), "leave"],
  ]);
  if (chosen === "report") return askReport(page, texts);
  return chosen === "leave" ? askLeave(page, texts) : null;
}
