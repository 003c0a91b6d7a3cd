// Replace what a part of a page shows, without taking the focus from it.

/** What has the focus keeps it. @param {any} place @param {...Node} inside */
export function put(place, ...inside) {
  const label = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute("aria-label")
    : null;
  place.replaceChildren(...inside);
  if (label) place.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus();
}
