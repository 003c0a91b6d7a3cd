// Links that let people in, to be copied.

import { make } from "./dom.js";

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
