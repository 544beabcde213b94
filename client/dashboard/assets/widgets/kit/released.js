const ENDS = ['pointerup', 'pointercancel', 'keyup', 'blur'];

/** Longest press that holds a redraw back. */
const LIMIT_MS = 5000;

/**
 * Resolves once nothing is pressed, at once if nothing is. Awaited before a redraw that nobody asked for: a button that
 * is replaced between press and release gets no click.
 */
export async function released() {
  if (!document.querySelector(':active')) {
    return;
  }
  const listening = new AbortController();
  await new Promise((resolve) => {
    ENDS.forEach((type) => addEventListener(type, resolve, { capture: true, signal: listening.signal }));
    setTimeout(resolve, LIMIT_MS);
  });
  listening.abort();
  // The click comes after the release.
  await new Promise((resolve) => setTimeout(resolve));
}
