// A short sound when a partner is found and when a turn begins. People can switch it off; the browser remembers.

const KEY = "sound";
const LOUDNESS = 0.08;
const LASTS = 0.25; // seconds

/** @returns {boolean} */
export function soundIsOn() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true; // a browser may keep nothing
  }
}

/** @type {AudioContext|undefined} */
let audio;

/**
 * Play two notes. Browsers allow no sound before the person has done something on the page.
 * @returns {number} Milliseconds that it takes.
 */
export function chime() {
  if (!soundIsOn() || !navigator.userActivation?.hasBeenActive) return 0;
  audio ??= new AudioContext();
  [660, 880].forEach((frequency, number) => {
    if (!audio) return;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + number * 0.12;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LASTS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LASTS);
  });
  return 1000 * (LASTS + 0.12);
}

/** A button that switches it. @param {any} button */
export function offerSound(button) {
  const show = () => button.setAttribute("aria-pressed", String(soundIsOn()));
  button.addEventListener("click", () => {
    try {
      localStorage.setItem(KEY, soundIsOn() ? "off" : "on");
    } catch {
      return;
    }
    show();
    chime();
  });
  show();
}
