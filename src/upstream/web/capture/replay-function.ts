/** The request that the page is to send, and the limit of its reports. */
export interface ReplayOrder {
  readonly url: string;
  readonly init: Readonly<Record<string, unknown>>;
  /** Unacknowledged characters above which the page stops reading. */
  readonly window: number;
}

/** Name of the function in the page's isolated world that delivers a report to the gateway. */
export const REPORT_FUNCTION = 'reportToGateway';

interface ReplayGlobals {
  readonly [REPORT_FUNCTION]: (report: string) => void;
  acknowledge: (characters: number) => void;
  cancel: () => void;
}

/**
 * Runs in an isolated world of the page. It is sent as source text, so it must be self-contained. Sends a request and
 * reports its response; each report begins with a letter: `h` head (JSON), `d` text, `e` end, `x` failure. Reading stops
 * while more than the window is unacknowledged, and TCP's flow control then stops the site.
 */
export function replay(order: ReplayOrder): void {
  const globals = globalThis as unknown as ReplayGlobals;
  const report = globals.reportToGateway;
  let unacknowledged = 0;
  let resume = (): void => undefined;
  const control = new AbortController();
  globals.cancel = () => control.abort();
  globals.acknowledge = (characters) => {
    unacknowledged -= characters;
    resume();
  };
  const send = async (): Promise<void> => {
    const response = await fetch(order.url, { ...order.init, signal: control.signal });
    report('h' + JSON.stringify({ status: response.status, headers: Object.fromEntries(response.headers) }));
    const decoder = new TextDecoder();
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      const text = decoder.decode(value, { stream: !done });
      if (text !== '') {
        report('d' + text);
        unacknowledged += text.length;
      }
      if (done) {
        break;
      }
      while (unacknowledged > order.window) {
        await new Promise<void>((resolve) => (resume = resolve));
      }
    }
    report('e');
  };
  send().catch((error: unknown) => report('x' + String(error)));
}
