// The scripts for boards, fetched when one is needed.

const TOOLS = {
  letters: () => import("../tools/letters.js"),
  hexes: () => import("../tools/hexes.js"),
  scene: () => import("../tools/scene.js"),
};

/**
 * @param {string} name
 * @returns {Promise<{open: (bench: import("../play.js").Bench) => import("../play.js").Tool}>}
 */
export const tool = (name) => TOOLS[/** @type {keyof TOOLS} */ (name)]();
