// The scripts for boards, with their style sheets, fetched when one is needed.

import { make } from "./dom.js";

const TOOLS = {
  letters: () => import("../tools/letters.js"),
  hexes: () => import("../tools/hexes.js"),
  scene: async () => (await Promise.all([import("../tools/scene.js"), addStyles("../tools/scene.css")]))[0],
};

/** @param {string} path @returns {Promise<void>|undefined} */
function addStyles(path) {
  const { href } = new URL(path, import.meta.url);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  return new Promise((done) =>
    document.head.append(
      make("link", { rel: "stylesheet", href, onload: () => done(), onerror: () => done() }),
    ),
  );
}

/**
 * @param {string} name
 * @returns {Promise<{open: (bench: import("../play.js").Bench) => import("../play.js").Tool}>}
 */
export const tool = (name) => TOOLS[/** @type {keyof TOOLS} */ (name)]();
