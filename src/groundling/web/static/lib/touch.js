// Where a finger drags something, the page does not scroll; elsewhere it does.

/**
 * @param {any} element
 * @param {(touch: Touch) => boolean} holds Whether a finger that comes down here drags something.
 * @param {AbortSignal} [signal]
 */
export function scrollElsewhere(element, holds, signal) {
  element.addEventListener(
    "touchstart",
    (/** @type {TouchEvent} */ event) => {
      if (holds(event.changedTouches[0])) event.preventDefault();
    },
    { passive: false, signal },
  );
}
