// The form for a new room: game, way to play, settings, seats and stimuli.

import { $, capital, make, post, request } from "../lib/dom.js";
import { showLinks } from "../lib/links.js";
import { settingForm } from "../lib/settings.js";

/** @param {Record<string, string>} links By seat. */
export function showRoomLinks(links) {
  $("links").replaceChildren(make("h3", {}, "The room is ready"), ...showLinks(links));
  $("links").scrollIntoView({ block: "nearest" });
}

/**
 * @param {any} listing
 * @param {(work: () => Promise<any>) => Promise<void>} trying Says what went wrong.
 * @param {() => Promise<void>} look Brings the lists up to date.
 */
export function showNewRoom(listing, trying, look) {
  const game = make(
    "select",
    { id: "new-game" },
    ...Object.entries(listing.games).map(([value, { title }]) => make("option", { value }, title)),
  );
  const preset = make("select", { id: "new-preset" });
  const chairs = make("div", { className: "stack" });
  const set = make("select", { id: "new-set" });
  const options = make("div");
  const address = make("a", { id: "new-address" });
  const instance = make("input", { type: "text", id: "new-instance", autocomplete: "off" });
  const minutes = make("input", {
    type: "text",
    id: "new-minutes",
    inputMode: "numeric",
    autocomplete: "off",
  });
  /** @type {Record<string, any>} */
  let who = {};
  let settings = settingForm([], () => {});
  /** What is chosen, as in a link; a set or an instance only if one is. @param {Record<string, string>} more */
  const query = (more) => {
    const all = new URLSearchParams({ ...more, ...settings.chosen() });
    if (set.value) all.set("set", set.value);
    if (instance.value.trim()) all.set("instance", instance.value.trim());
    return all;
  };
  /** The seats that the game has with these settings; somebody who was chosen for one stays chosen. */
  const seat = async () => {
    const path = () => `/admin/api/games/${encodeURIComponent(game.value)}?${query({})}`;
    const asked = path();
    const { seats, people } = await request(asked);
    if (asked !== path()) return; // somebody has chosen something else meanwhile
    const before = who;
    who = {};
    const meant = listing.games[game.value].presets[preset.value].seats;
    const lines = Object.entries(seats).map(([role, { partner, recorded }]) => {
      const players = [...(people.includes(role) ? ["person"] : []), partner];
      players.push(...[...recorded, ...listing.partners].filter((each) => each !== partner));
      who[role] = make("select", { id: `new-${role}` }, ...players.map((each) => make("option", {}, each)));
      if (players.includes(before[role]?.value)) who[role].value = before[role].value;
      else if (meant.length && !meant.includes(role)) who[role].value = partner;
      return make("div", {}, make("label", { htmlFor: `new-${role}` }, capital(role)), who[role]);
    });
    chairs.replaceChildren(...lines);
    address.href = `/?${query({ game: game.value })}`;
    address.textContent = address.href;
  };
  const fill = () => {
    who = {};
    settings.fill(listing.games[game.value].presets[preset.value].settings);
    void trying(seat);
  };
  const choose = () => {
    const { fields, presets, sets } = listing.games[game.value];
    set.replaceChildren(
      make("option", { value: "" }, "any"),
      ...Object.entries(sets).map(([value, count]) => make("option", { value }, `${value} (${count})`)),
    );
    preset.replaceChildren(
      ...presets.map((/** @type {any} */ each, /** @type {number} */ value) =>
        make("option", { value }, each.title),
      ),
    );
    settings = settingForm(fields, () => trying(seat));
    options.replaceChildren(settings.element);
    fill();
  };
  game.addEventListener("change", choose);
  preset.addEventListener("change", fill);
  for (const each of [set, instance]) each.addEventListener("change", () => trying(seat));
  choose();
  const field = (/** @type {any} */ input, /** @type {string} */ label) =>
    make("div", {}, make("label", { htmlFor: input.id }, label), input);
  $("new").replaceChildren(
    field(game, "Game"),
    field(preset, "Way to play"),
    make("details", { id: "new-settings" }, make("summary", {}, "Settings"), options),
    chairs,
    field(set, "Set"),
    field(instance, "Instance (an id; empty for a random one)"),
    field(minutes, "Minutes (empty for the game's default)"),
    make(
      "div",
      { className: "row" },
      make("button", { type: "submit", className: "primary" }, "Create room"),
    ),
    make("p", { className: "aside" }, "Home page with these settings: ", address),
  );
  $("new").onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void trying(async () => {
      await seat();
      const seated = Object.fromEntries(Object.entries(who).map(([role, select]) => [role, select.value]));
      /** @type {Record<string, any>} */
      const order = {
        game: game.value,
        seats: seated,
        set: set.value,
        instance: instance.value.trim(),
        settings: settings.chosen(),
      };
      if (minutes.value.trim()) order.minutes = Number(minutes.value);
      if (Number.isNaN(order.minutes)) throw new Error(`${minutes.value} is not a number of minutes`);
      const { links } = await post("/admin/api/rooms", order);
      showRoomLinks(links);
      await look();
    });
  };
}
