// The studies that this server runs.

import { $, make } from "../lib/dom.js";
import { fillPage } from "../lib/page_state.js";
import { ask, recruitingTag } from "./studies_parts.js";

/** @param {any} study */
function card(study) {
  const work = study.stages.filter((/** @type {any} */ stage) => stage.wanted !== null);
  const answers = work.map((/** @type {any} */ stage) => `${stage.name} ${stage.answers} of ${stage.wanted}`);
  const came = study.people === 1 ? "1 person" : `${study.people.toLocaleString()} people`;
  return make(
    "li",
    { className: "card" },
    make("h2", {}, make("a", { className: "whole", href: `/admin/studies/${study.name}` }, study.title)),
    make("p", { className: "aside" }, study.name),
    make("p", {}, recruitingTag(study)),
    make("p", {}, `${came} came, ${study.now.toLocaleString()} ${study.now === 1 ? "takes" : "take"} part now.`),
    answers.length ? make("p", {}, `Answers: ${answers.join(", ")}.`) : null,
  );
}

await fillPage($("page-state"), async () => {
  const { studies } = await ask("/admin/api/studies");
  $("studies").replaceChildren(...studies.map(card));
  return studies.length ? undefined : "No study runs here. Start the server with --study DIR.";
});
