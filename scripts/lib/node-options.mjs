const DEFAULTS = [
  // The embedded store is a part of Node that still announces itself as new.
  '--disable-warning=ExperimentalWarning',
  // A half of the young generation, in MiB: of Node's own 32 a gateway has nothing but 80 MiB more at a peak.
  '--max-semi-space-size=16',
];

/**
 * `NODE_OPTIONS` of a gateway.
 * @param {string} [own] those of the person who starts it; they come last, and so win
 */
export function gatewayNodeOptions(own = process.env.NODE_OPTIONS ?? '') {
  return [...DEFAULTS, own].join(' ').trim();
}
