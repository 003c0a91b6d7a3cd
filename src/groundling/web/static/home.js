// The first page: which game, which seat, and with whom.

import { $, capital, make, post, request, withArticle } from "./lib/dom.js";
import { keepInvitation, showLinks } from "./lib/links.js";
import { fillPage } from "./lib/page_state.js";

/**
 * @typedef {{partner: string, recorded: string[], help: string[], waiting: number}} Seat
 * @typedef {{title: string, about: string, settings: Record<string, any>, people: string[],
 *   seats: Record<string, Seat>}} Offer A game with settings that differ from the usual ones.
 * @typedef {{name: string, title: string, about: string, partners: string[], presets: Offer[]}} Game
 */

/** What a link to this page names: game, seat, stimuli, and settings. */
const asked = new URLSearchParams(location.search);
const [only, wish, instance, set] = ["game", "seat", "instance", "set"].map((name) => {
  const value = asked.get(name) ?? "";
  asked.delete(name);
  return value;
});

/**
 * Radio buttons; those of a form share its choice by name.
 * @param {string} name
 * @param {string} legend
 * @param {[string, string][]} options Values and labels.
 * @param {string} chosen
 */
function radios(name, legend, options, chosen) {
  const labels = options.map(([value, label]) => {
    const checked = { defaultChecked: value === chosen, autocomplete: "off" };
    return make("label", {}, make("input", { type: "radio", name, value, ...checked }), label);
  });
  return make(
    "fieldset",
    { className: "options", hidden: options.length < 2 },
    make("legend", {}, legend),
    ...labels,
  );
}

/** @param {Game} game */
function card(game) {
  const form = make("form");
  const value = (/** @type {string} */ name) => /** @type {string} */ (new FormData(form).get(name));
  const offer = () => game.presets[Number(value("preset"))];
  const mine = () => value("seat");
  const others = () => Object.keys(offer().seats).filter((role) => role !== mine());
  const trouble = make("p", { className: "trouble", role: "alert" });
  const invited = make("div", { className: "invite", hidden: true });
  const about = make("p", { className: "seat" });
  const help = make("p", { className: "seat", "aria-live": "polite" });
  const waiting = make("p", { className: "seat" });
  const partner = make("select", { "aria-label": "Partner" });
  const beside = make("label", { className: "row" }, "Partner", partner);
  const chairs = make("div");

  const choosePreset = () => {
    const { people, about: told } = offer();
    const first = people.includes(wish) ? wish : people[0];
    chairs.replaceChildren(
      radios("seat", "Your seat", people.map((role) => [role, capital(role)]), first),
    );
    about.textContent = told;
    about.hidden = !told;
    chairs.hidden = people.length < 2;
    choose();
  };
  const choose = () => {
    const { seats, people } = offer();
    help.textContent = seats[mine()].help[0];
    const built = others()
      .map((role) => seats[role].partner)
      .join(", ");
    partner.replaceChildren(
      make("option", { value: "" }, `built-in (${built})`),
      ...others().flatMap((role) => seats[role].recorded).map((name) =>
        make("option", { value: name }, `recorded (${name})`),
      ),
      ...game.partners.map((name) => make("option", {}, name)),
    );
    beside.hidden = partner.length < 2 || !others().length;
    inviting.hidden = people.length < 2;
    finding.hidden = people.length < 2 || Boolean(instance || set);
    const there = people.length < 2 ? 0 : others().reduce((sum, role) => sum + seats[role].waiting, 0);
    waiting.textContent = there
      ? `${there === 1 ? "Somebody is" : `${there} people are`} waiting for ${withArticle(mine())} right now.`
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
  /** A new room; its links, by seat. @param {Record<string, string>} seats */
  const open = async (seats) => {
    const { settings } = offer();
    const { links } = await post("/api/rooms", { game: game.name, seats, settings, instance, set });
    return links;
  };
  const play = trying(async () => {
    const seated = partner.value ? Object.fromEntries(others().map((role) => [role, partner.value])) : {};
    const links = await open({ ...seated, [mine()]: "person" });
    location.assign(links[mine()]);
  });
  const invite = trying(async () => {
    const links = await open(Object.fromEntries(offer().people.map((role) => [role, "person"])));
    showInvitation(invited, mine(), links);
  });

  const inviting = make("button", { type: "button", className: "quiet" }, "Invite somebody");
  inviting.addEventListener("click", invite);
  const finding = make("button", { type: "button" }, "Find me a partner");
  finding.addEventListener("click", () => {
    const settings = JSON.stringify(offer().settings);
    location.assign(
      `/wait#${game.name}/${mine()}${settings === "{}" ? "" : `/${encodeURIComponent(settings)}`}`,
    );
  });
  const ways = radios(
    "preset",
    "What to do",
    game.presets.map(({ title }, number) => [String(number), title]),
    "0",
  );
  ways.addEventListener("change", choosePreset);
  chairs.addEventListener("change", choose);
  // A person who was sent to this game has come to choose.
  const unfolded = Boolean(only) || location.hash === `#${game.name}`;
  form.append(
    make(
      "div",
      { className: "row" },
      make("button", { type: "submit", className: "primary" }, "Play now"),
      inviting,
    ),
    waiting,
    trouble,
    invited,
    make(
      "details",
      { open: unfolded },
      make("summary", {}, "More ways to play"),
      make("div", {}, ways, about, chairs, help, beside, make("div", { className: "row" }, finding)),
    ),
  );
  form.addEventListener("submit", play);
  choosePreset();
  const picture = make("img", {
    src: `/api/picture/${game.name}`,
    alt: `${game.title} in play`,
    loading: "lazy",
    width: 480,
    height: 272,
  });
  const words = make(
    "div",
    {},
    make("h2", {}, game.title),
    make("p", { className: "about" }, `${capital(game.about)}.`),
    form,
  );
  return make("li", { className: "game", id: game.name }, picture, words);
}

/** The game that a link names, with the settings of the link. @param {Game[]} games */
async function linked(games) {
  const query = new URLSearchParams([...asked, ["instance", instance], ["set", set]]);
  const offer = await request(`/api/games/${encodeURIComponent(only)}?${query}`);
  const told = asked.size ? `Settings of your link: ${[...asked].map((each) => each.join(" ")).join(", ")}.` : "";
  return games
    .filter((game) => game.name === only)
    .map((game) => ({ ...game, presets: asked.size ? [{ ...offer, about: told }] : game.presets }));
}

/** @param {any} place @param {string} mine @param {Record<string, string>} links */
function showInvitation(place, mine, links) {
  const others = Object.fromEntries(Object.entries(links).filter(([role]) => role !== mine));
  const sit = make("button", { type: "button", className: "primary" }, `Take your seat as ${mine}`);
  sit.addEventListener("click", () => {
    keepInvitation(others);
    location.assign(links[mine]);
  });
  place.replaceChildren(make("h3", {}, "Your game is ready"), ...showLinks(others), sit);
  place.hidden = false;
  place.querySelector("input")?.focus();
  place.querySelector(".link button")?.click(); // the link is copied at once
}

fillPage($("page-state"), async () => {
  /** @type {{games: Game[], runs: boolean, gallery: boolean, closed: boolean}} */
  const { games, runs, gallery, closed } = await request("/api/games");
  $("more").replaceChildren(
    ...[
      only && make("a", { href: "/" }, "All games"),
      gallery && make("a", { href: "/gallery/" }, "Galleries"),
      runs && make("a", { href: "/runs/" }, "Recorded games"),
    ].filter(Boolean),
  );
  if (closed) return "Games here are by invitation. Open the link that you were given.";
  const shown = only ? await linked(games) : games.filter((game) => game.presets.length);
  $("games").replaceChildren(...shown.map(card));
  if (location.hash) location.replace(location.hash);
  return shown.length ? "" : "No game can be played here.";
});
