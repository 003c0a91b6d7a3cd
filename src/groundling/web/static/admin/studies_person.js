// What one person did in a study, and what researchers decide about them.

import { sure } from "../lib/choose.js";
import { $, capital, make } from "../lib/dom.js";
import { number } from "../lib/elements.js";
import { CALLS, act, ask, askFor, figure, row, table, tell } from "./studies_parts.js";

let shown = "";

/** Open the dialog of a person. @param {string} person @param {() => void} changed Called after a decision. */
export async function openPerson(person, changed) {
  try {
    await show(person, changed);
  } catch (error) {
    return tell(/** @type {Error} */ (error).message, true);
  }
  if (!$("person").open) $("person").showModal();
  $("person-title").focus();
}

/** @param {string} person @param {() => void} changed */
async function show(person, changed) {
  const found = await ask(`${CALLS}/people/${encodeURIComponent(person)}`);
  shown = person;
  const close = make("button", { type: "button", className: "small close" }, "Close");
  close.addEventListener("click", () => $("person").close());
  const trouble = make("p", { className: "trouble", role: "alert" });
  const decide = async (/** @type {any} */ action) => {
    await act(action);
    changed();
    if (shown === person) await show(person, changed);
  };
  const trying = async (/** @type {any} */ action, /** @type {string} */ question) => {
    if (question && !(await sure(question))) return;
    trouble.textContent = "";
    await decide(action).catch((error) => (trouble.textContent = `${capital(error.message)}.`));
  };
  $("person").replaceChildren(
    make(
      "div",
      { className: "row" },
      make("h2", { id: "person-title", tabIndex: -1 }, `Person ${person}`),
      close,
    ),
    facts({ ...found.summary, agreement: found.agreement }),
    trouble,
    decisions(found, trying, decide),
    section("Tasks", "Tasks of this person", tasks(found.tasks)),
    found.answers.length ? section("Answers", "Answers of this person", answers(found.answers)) : "",
    found.messages.length ? make("h3", {}, "Messages to them") : "",
    make("ul", { className: "plain" }, ...found.messages.map(message)),
  );
}

/** @param {string} title @param {string} label @param {Node} inside */
const section = (title, label, inside) =>
  make(
    "div",
    {},
    make("h3", {}, title),
    make("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": label }, inside),
  );

/** @param {any} each */
const message = (each) =>
  make("li", {}, `${new Date(each.at * 1000).toLocaleString()}: ${each.text}`);

/** @param {any} person */
function facts(person) {
  const told = /** @type {[string, string][]} */ ([
    ["state", [person.state, person.stage, person.reason].filter(Boolean).join(", ")],
    ["groups", person.groups.join(", ") || "—"],
    ["tasks", `${person.tasks}, of which ${person.answers} count as answers`],
    ["minutes", `${person.minutes.toFixed(1)} in tasks, ${person.waited.toFixed(1)} waiting`],
    ["earned", `${person.owed.toFixed(2)}, of which ${person.paid.toFixed(2)} are paid`],
    ["mean score", number(person.score)],
    ["agreement", number(person.agreement)],
    ["failed checks", String(person.attention_failed)],
  ]);
  const shownFacts = person.state === "erased" ? told.slice(0, 1) : told;
  return make(
    "dl",
    { className: "facts" },
    ...shownFacts.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]),
  );
}

/**
 * @param {any} found @param {(action: any, question: string) => Promise<void>} trying
 * @param {(action: any) => Promise<void>} decide
 */
function decisions(found, trying, decide) {
  const { person, state, undecided } = found.summary;
  const buttons = make("div", { className: "row" });
  const offer = (/** @type {string} */ label, /** @type {() => void} */ work) => {
    const button = make("button", { type: "button", className: "small" }, label);
    button.addEventListener("click", work);
    buttons.append(button);
  };
  if (state === "erased") return buttons;
  for (const name of undecided) {
    offer(`Qualify for ${name}`, () =>
      trying({ do: "qualify", person, group: name }, `Take ${person} into ${name}? This cannot be undone.`),
    );
    offer(`Refuse for ${name}`, () =>
      trying({ do: "refuse", person, group: name }, `Keep ${person} out of ${name}? This cannot be undone.`),
    );
  }
  if (state === "working" || state === "waiting")
    offer("Push on", () =>
      trying(
        { do: "release", person },
        `End the open ${state === "waiting" ? "wait" : "task"} of ${person}? They get the next task; a partner is paid.`,
      ),
    );
  offer("Message", () =>
    askFor(
      { title: `Message to ${person}`, about: "They read it on their page of the study.", label: "Text", button: "Send" },
      (text) => decide({ do: "message", person, text }),
    ),
  );
  if (state !== "excluded")
    offer("Exclude", () =>
      askFor(
        {
          title: `Exclude ${person}`,
          about: "Their answers no longer count, and others get their places. They keep what they earned. This cannot be undone.",
          label: "Reason",
          button: "Exclude",
          danger: true,
        },
        (reason) => decide({ do: "exclude", person, reason }),
      ),
    );
  return buttons;
}

/** @param {any[]} rows */
function tasks(rows) {
  if (!rows.length) return make("p", { className: "aside" }, "None.");
  const cells = rows.map((task) => {
    const end = task.end || "open";
    const how = [end, task.why, task.end === "submitted" && !task.counts ? "does not count" : ""];
    const minutes = task.ended === null ? null : (task.ended - task.assigned) / 60;
    const replays = task.rooms.map((/** @type {string} */ room, /** @type {number} */ n) =>
      make(
        "a",
        { className: "button small", href: `/admin/rooms/${room}/replay`, "aria-label": `Replay ${task.task}, game ${n + 1}` },
        "Replay",
      ),
    );
    return row(
      task.task,
      task.stage,
      make("span", { className: "n" }, number(task.score)),
      make("span", {}, ...replays),
      how.filter(Boolean).join(", "),
      figure(minutes),
      [task.items, task.condition, task.machine ? "with a program" : ""].filter(Boolean).join(", "),
      task.seat,
    );
  });
  return table("people", ["Task", "Stage", "Score", "Games", "End", "Minutes", "Items", "Seat"], cells);
}

/** @param {any[]} rows */
const answers = (rows) =>
  table(
    "answers",
    ["Task", "Question", "Answer", "Right"],
    rows.map((each) =>
      row(each.task, each.question || "drawing", each.answer.slice(0, 400), each.right === null ? "—" : each.right ? "yes" : "no"),
    ),
  );
