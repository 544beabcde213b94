import { randomUUID } from 'node:crypto';
import { type Page } from 'puppeteer';

interface Socket {
  send: (this: Socket, data: unknown) => void;
}

declare const WebSocket: { readonly prototype: Socket };

/**
 * Has each text frame that holds a placeholder changed before it leaves a page. For the documents that the page loads from
 * now on, not for their workers.
 * @param fill a frame with something in place of the placeholder; undefined leaves it as it is
 */
export async function fillFrames(
  page: Page,
  placeholder: string,
  fill: (frame: string) => string | undefined,
): Promise<void> {
  const name = `fill-${randomUUID()}`;
  await page.exposeFunction(name, (frame: string) => fill(frame) ?? frame);
  await page.evaluateOnNewDocument(holdFrames, placeholder, name);
}

/** Runs in the page before its scripts. It is sent as source text, so it must be self-contained. */
function holdFrames(placeholder: string, fillName: string): void {
  const fill = (globalThis as unknown as Record<string, (frame: string) => Promise<string>>)[fillName]!;
  const { prototype } = WebSocket;
  const send = prototype.send;
  /** When all is sent that a socket was given so far; for those with a frame that is held. */
  const sent = new WeakMap<Socket, Promise<void>>();
  prototype.send = function (data) {
    const before = sent.get(this);
    const isHeld = typeof data === 'string' && data.includes(placeholder);
    if (!before && !isHeld) {
      send.call(this, data);
      return;
    }
    const filled = isHeld ? fill(data) : data;
    const all = Promise.all([filled, before])
      .then(([frame]) => send.call(this, frame))
      .catch(() => undefined)
      .finally(() => sent.get(this) === all && sent.delete(this));
    sent.set(this, all);
  };
}
