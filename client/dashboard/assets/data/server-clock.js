/** Milliseconds by which the gateway's clock is ahead of this machine's. */
let aheadMs = 0;

/** Differences below this are the rounding of `Date` and the way of the response. */
const TOLERANCE_MS = 2000;

/** Takes the gateway's clock from the `Date` header of a response, which counts whole seconds. */
export function noteServerTime(date) {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) {
    const ahead = at + 500 - Date.now();
    aheadMs = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead;
  }
}

/** The gateway's time, in Unix milliseconds. */
export function serverNow() {
  return Date.now() + aheadMs;
}
