// The way back to the study that a game belongs to.

import { make } from "./dom.js";

/** A link to the study, where the address of the page names one. @returns {HTMLElement|null} */
export function studyLink() {
  const study = new URLSearchParams(location.search).get("study");
  if (!study) return null;
  const href = `/study/${encodeURIComponent(study)}`;
  return make("a", { className: "button primary", href }, "Continue with the study");
}
