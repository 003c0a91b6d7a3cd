// The first page: which game, which seat, and with whom.

import { $, capital, make, post } from "./lib/dom.js";
import { showLinks } from "./lib/links.js";

/**
 * @typedef {{partner: string, recorded: string[], help: string[], waiting: number}} Seat
 * @typedef {{name: string, title: string, about: string, seats: Record<string, Seat>}} Game
 */

/** What a link to this page names. */
const asked = new URLSearchParams(location.search);
const [only, set, instance] = ["game", "set", "instance"].map((name) => asked.get(name) ?? "");

/** @param {Game} game @param {string[]} partners Others than the game's own. */
function card(game, partners) {
  const roles = Object.keys(game.seats);
  const form = make("form");
  const mine = () => /** @type {string} */ (new FormData(form).get("seat"));
  const others = () => roles.filter((role) => role !== mine());
  const trouble = make("p", { className: "trouble", role: "alert" });
  const invited = make("div", { className: "invite", hidden: true });
  const help = make("p", { className: "seat", "aria-live": "polite" });
  const waiting = make("p", { className: "seat" });
  const partner = make("select", { "aria-label": "Partner" });
  const choosing = make("label", { className: "row" }, "Partner", partner);

  const seats = roles.map((role, number) => {
    const choice = make("input", {
      type: "radio",
      name: "seat",
      value: role,
      defaultChecked: number === 0,
      autocomplete: "off",
    });
    return make("label", {}, choice, capital(role));
  });
  const choose = () => {
    help.textContent = game.seats[mine()].help[0];
    const built = others()
      .map((role) => game.seats[role].partner)
      .join(", ");
    partner.replaceChildren(
      make("option", { value: "" }, `built-in (${built})`),
      ...others().flatMap((role) => game.seats[role].recorded).map((name) =>
        make("option", { value: name }, `recorded (${name})`),
      ),
      ...partners.map((name) => make("option", {}, name)),
    );
    choosing.hidden = partner.length < 2;
    const there = others().reduce((sum, role) => sum + game.seats[role].waiting, 0);
    waiting.textContent = there
      ? `${there === 1 ? "Somebody is" : `${there} people are`} waiting for a ${mine()} right now.`
      : "";
    waiting.hidden = !there;
    invited.hidden = true;
  };
  /** @param {(...any: any[]) => Promise<void>} work */
  const trying = (work) => async (/** @type {Event} */ event) => {
    event.preventDefault();
    trouble.textContent = "";
    try {
      await work();
    } catch (error) {
      trouble.textContent = `${capital(/** @type {Error} */ (error).message)}.`;
    }
  };
  const play = trying(async () => {
    const seated = partner.value ? Object.fromEntries(others().map((role) => [role, partner.value])) : {};
    const { links } = await post("/api/rooms", {
      game: game.name,
      seats: { ...seated, [mine()]: "person" },
      set,
      instance,
    });
    location.assign(links[mine()]);
  });
  const invite = trying(async () => {
    const { links } = await post("/api/rooms", {
      game: game.name,
      seats: Object.fromEntries(roles.map((role) => [role, "person"])),
      set,
      instance,
    });
    showInvitation(invited, mine(), links);
  });

  const inviting = make("button", { type: "button" }, "Invite somebody");
  inviting.addEventListener("click", invite);
  const finding = make("button", { type: "button" }, "Find me a partner");
  finding.hidden = Boolean(set || instance);
  finding.addEventListener("click", () => location.assign(`/wait#${game.name}/${mine()}`));
  const chairs = make("fieldset", { className: "options" }, make("legend", {}, "Your seat"), ...seats);
  chairs.addEventListener("change", choose);
  form.append(
    chairs,
    help,
    choosing,
    make(
      "div",
      { className: "row" },
      make("button", { type: "submit", className: "primary" }, "Play now"),
      inviting,
      finding,
    ),
    waiting,
    trouble,
  );
  form.addEventListener("submit", play);
  choose();
  const picture = make("img", {
    src: `/api/picture/${game.name}`,
    alt: `What ${game.name} looks like`,
    loading: "lazy",
    width: 320,
    height: 200,
  });
  const words = make(
    "div",
    {},
    make("h2", {}, game.title),
    make("p", { className: "about" }, `${capital(game.about)}.`),
    form,
    invited,
  );
  return make("li", { className: "game", id: game.name }, picture, words);
}

/** @param {any} place @param {string} mine @param {Record<string, string>} links */
function showInvitation(place, mine, links) {
  const others = Object.fromEntries(Object.entries(links).filter(([role]) => role !== mine));
  const sit = make("button", { type: "button", className: "primary" }, `Take your seat as ${mine}`);
  sit.addEventListener("click", () => location.assign(links[mine]));
  place.replaceChildren(make("h3", {}, "Your game is ready"), ...showLinks(others), sit);
  place.hidden = false;
  place.querySelector("input")?.focus();
}

try {
  const answer = await fetch("/api/games");
  if (!answer.ok) throw new Error();
  /** @type {{games: Game[], partners: string[], runs: boolean, gallery: boolean, closed: boolean}} */
  const { games, partners, runs, gallery, closed } = await answer.json();
  const shown = games.filter((game) => !closed && (!only || game.name === only));
  $("games").replaceChildren(...shown.map((game) => card(game, partners)));
  $("more").append(
    ...[
      gallery && make("a", { href: "/gallery/" }, "Galleries"),
      runs && make("a", { href: "/runs/" }, "Recorded games"),
    ].filter(Boolean),
  );
  if (closed) $("status").textContent = "Games here are by invitation. Open the link that you were given.";
  else $("status").textContent = shown.length ? "" : `There is no game ${only} here.`;
  if (location.hash) location.replace(location.hash);
} catch {
  $("status").textContent = "The server cannot be reached. Reload this page in a moment.";
}
