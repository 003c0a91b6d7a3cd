// Which colours a person has chosen to see, for all pages of this browser.

const KEY = "palette";

/** @returns {"usual" | "safe"} */
export function palette() {
  try {
    return localStorage.getItem(KEY) === "safe" ? "safe" : "usual";
  } catch {
    return "usual"; // a browser may keep nothing
  }
}

function apply() {
  document.documentElement.classList.toggle("safe-colours", palette() === "safe");
}

/**
 * A button that switches them.
 * @param {any} button
 * @param {() => void} [changed] Called when they are, and at once.
 */
export function offerPalette(button, changed) {
  const show = () => {
    apply();
    changed?.();
    button.setAttribute("aria-pressed", String(palette() === "safe"));
  };
  button.addEventListener("click", () => {
    try {
      localStorage.setItem(KEY, palette() === "safe" ? "usual" : "safe");
    } catch {
      return;
    }
    show();
  });
  addEventListener("storage", show);
  show();
}

apply();
