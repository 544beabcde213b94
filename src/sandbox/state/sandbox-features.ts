import { z } from 'zod';

/** How the site's pages are built. */
export const featuresSchema = z.strictObject({
  /** How the page gets its answers. */
  transport: z.enum(['fetch', 'worker', 'eventsource', 'websocket']),
  /** Whether the page shows each chunk as it comes, or at the next animation frame what has come by then. */
  painting: z.enum(['chunk', 'frame']),
  /** Shows answers as formatted text, which swallows tags and fences. */
  markdown: z.boolean(),
  /** Milliseconds after loading at which the page comes alive and wipes what was put in before; 0 is at once. */
  hydrationMs: z.int().min(0),
  /** A dialog covers the page at the first visit until it is dismissed. */
  welcome: z.boolean(),
  /** The page asks before it is left, once something was put in. */
  beforeUnload: z.boolean(),
  /** Characters that the page sends of a longer prompt, without a word; 0 sends all. */
  promptLimit: z.int().min(0),
  /** Whether the stop button ends the answer at the server, or only what the page shows of it. */
  stop: z.enum(['server', 'page']),
  /** Milliseconds that a login takes. */
  loginMs: z.int().min(0),
});

export type SandboxFeatures = Readonly<z.infer<typeof featuresSchema>>;

/** A plain site, with nothing in a driver's way. */
export const DEFAULT_FEATURES: SandboxFeatures = {
  transport: 'fetch',
  painting: 'chunk',
  markdown: false,
  hydrationMs: 0,
  welcome: false,
  beforeUnload: false,
  promptLimit: 0,
  stop: 'server',
  loginMs: 0,
};

/** The features in their wire form, as the pages read them. */
export function featuresToWire(features: SandboxFeatures): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(features).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
