// Links that let people in, to be copied.

import { make } from "./dom.js";

const KEPT = "invitation";

/** Keep the links for the others, for the page of the seat that this person takes next. @param {any} links */
export const keepInvitation = (links) => sessionStorage.setItem(KEPT, JSON.stringify(links));

/** They belong to the seat at this path. @param {string} path */
export function claimInvitation(path) {
  const links = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  if (links) sessionStorage.setItem(`${KEPT} ${path}`, links);
}

/** The links that this person can send again, by seat. @returns {Record<string, string>} */
export const invitation = () => JSON.parse(sessionStorage.getItem(`${KEPT} ${location.pathname}`) ?? "{}");

/** @param {Record<string, string>} links By seat. @returns {any[]} */
export function showLinks(links) {
  return Object.entries(links).flatMap(([role, link]) => {
    const whole = new URL(link, location.href).href;
    const field = make("input", {
      type: "text",
      readOnly: true,
      value: whole,
      "aria-label": `Link for the ${role}`,
    });
    field.addEventListener("focus", () => field.select());
    const copy = make("button", { type: "button" }, "Copy");
    copy.addEventListener("click", async () => {
      field.select();
      // Only pages served over HTTPS, or from this machine, may write to the clipboard.
      const copied = navigator.clipboard
        ? await navigator.clipboard.writeText(whole).then(
            () => true,
            () => false,
          )
        : document.execCommand("copy");
      copy.textContent = copied ? "Copied" : "Press Ctrl+C";
    });
    return [
      make("p", {}, `Send this link to the person who will be the ${role}. It works once.`),
      make("div", { className: "link" }, field, copy),
    ];
  });
}
