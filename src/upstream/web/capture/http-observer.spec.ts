import { describe, expect, it } from '@jest/globals';
import { type CDPSession, type Protocol } from 'puppeteer';
import { RunControl } from './answer-capture.js';
import { HttpObserver } from './http-observer.js';

const TEXT = 'data: é👋 \u2028漢\n\n';
const BYTES = Buffer.from(TEXT);

/** Text of a body at the sink of an observer: `buffered` came before its streaming began, the rest after. */
async function readBody(buffered: Buffer, later: readonly Buffer[]): Promise<string> {
  const texts: string[] = [];
  const run = new RunControl();
  const sink = {
    isFinished: false,
    head: () => undefined,
    data: (text: string) => void texts.push(text),
    message: () => undefined,
    end: () => undefined,
  };
  const observer = new HttpObserver('1', sink, { isEventSource: false, run, onActivity: () => undefined });
  const session = { send: () => Promise.resolve({ bufferedData: buffered.toString('base64') }) };
  const response = { status: 200, headers: {} } as Protocol.Network.Response;
  const event = { requestId: '1' };
  observer.onResponse(
    { ...event, response } as Protocol.Network.ResponseReceivedEvent,
    session as unknown as CDPSession,
  );
  later.forEach((bytes) =>
    observer.onData({ ...event, data: bytes.toString('base64') } as Protocol.Network.DataReceivedEvent),
  );
  observer.onFinished(event as Protocol.Network.LoadingFinishedEvent);
  await run.finished;
  return texts.join('');
}

describe('HttpObserver', () => {
  it('brings a body whole, wherever its bytes are split and whatever came before it was streamed', async () => {
    for (let at = 0; at <= BYTES.length; at++) {
      for (let end = at; end <= BYTES.length; end++) {
        const [start, ...later] = [BYTES.subarray(0, at), BYTES.subarray(at, end), BYTES.subarray(end)];
        expect(await readBody(start ?? BYTES, later)).toBe(TEXT);
      }
    }
  });
});
