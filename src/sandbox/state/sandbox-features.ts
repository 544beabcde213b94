import { z } from 'zod';

/** Variants of the site's pages, each of which makes a driver's work harder in one way. */
export const featuresSchema = z.strictObject({
  /** Transport of the answers. */
  transport: z.enum(['fetch', 'worker', 'eventsource', 'websocket']),
  /** Whether the page paints each chunk at once, or collects chunks until the next animation frame. */
  painting: z.enum(['chunk', 'frame']),
  /** Shows answers as formatted text, which swallows tags and fences. */
  markdown: z.boolean(),
  /** Milliseconds from loading to hydration, which wipes earlier input; 0 is at once. */
  hydrationMs: z.int().min(0),
  /** A dialog covers the page at the first visit until it is dismissed. */
  welcome: z.boolean(),
  /** The page asks before it is left, once something was typed. */
  beforeUnload: z.boolean(),
  /** Characters to which the page silently truncates a prompt; 0 sends all. */
  promptLimit: z.int().min(0),
  /** Whether the stop button ends the answer at the server, or only its display on the page. */
  stop: z.enum(['server', 'page']),
  /** Milliseconds that a login takes. */
  loginMs: z.int().min(0),
  /** A login wants a code after the password, as from a mail. */
  loginCode: z.boolean(),
  /** A login ends with a page of terms that a person has to accept. */
  consent: z.boolean(),
});

export type SandboxFeatures = Readonly<z.infer<typeof featuresSchema>>;

/** A plain site that is easy to drive. */
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
  loginCode: false,
  consent: false,
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
