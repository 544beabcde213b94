import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { type ChildGateway, type ChildRig, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const CALLERS = 30;
const BODY = JSON.stringify({ model: 'svc-max', stream: true, messages: [{ role: 'user', content: 'hi' }] });
const HEAD = [
  'POST /v1/chat/completions HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  '\r\n',
].join('\r\n');
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** A connection of a caller, and all that it brings. */
class Line {
  private text = '';
  private readonly ended: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (piece: string) => (this.text += piece));
    this.ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', ({ message }) => (this.text += message));
  }

  static async open(gateway: ChildGateway): Promise<Line> {
    const line = new Line(connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1'));
    await once(line.socket, 'connect');
    return line;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Sends a request and waits for the beginning of its answer. */
  async isLive(): Promise<void> {
    this.send(LIVE);
    await once(this.socket, 'data');
    this.text = '';
  }

  /** Reads to the end. */
  async all(): Promise<string> {
    await this.ended;
    return this.text;
  }
}

describe('a gateway that is told to end while requests arrive', () => {
  let rig: ChildRig;
  let child: ChildGateway;

  useChildRig((made) => {
    rig = made;
    rig.stub.answerWith(answer());
  });

  async function start(): Promise<void> {
    child = await rig.start({ POOL_MAX_SESSIONS: String(CALLERS) });
  }

  const lines = (): Promise<Line[]> => Promise.all(Array.from({ length: CALLERS }, () => Line.open(child)));

  /** The gateway has accepted all earlier connections, and read what they have brought. */
  const hasCaughtUp = async (): Promise<void> => (await Line.open(child)).isLive();

  async function expectAnswers(callers: readonly Line[]): Promise<void> {
    const texts = await Promise.all(callers.map((line) => line.all()));
    const whole = texts.filter(
      (text) =>
        text.startsWith('HTTP/1.1 200 ') && text.includes('data: [DONE]') && /connection: close/i.test(text),
    );
    expect([whole.length, texts.find((text) => !whole.includes(text))]).toEqual([CALLERS, undefined]);
    expect(await child.ended).toEqual([0, null]);
    expect(await outcomes()).toEqual(Array.from({ length: CALLERS }, () => 'ok'));
  }

  /** Requests in the log by outcome, as the next process finds them. */
  async function outcomes(): Promise<string[]> {
    child = await rig.start();
    const response = await fetch(new URL('/log/json?kind=request&limit=500', child.baseUrl));
    const { entries } = (await response.json()) as { entries: RequestLogEntry[] };
    return entries.map(({ outcome }) => outcome);
  }

  it('answers what waits in the kernel, on new connections', async () => {
    await start();
    await child.freeze();
    const callers = await lines();
    callers.forEach((line) => line.send(HEAD + BODY));
    child.signal('SIGTERM');
    child.signal('SIGCONT');
    await expectAnswers(callers);
  });

  it('answers what waits in the kernel, on connections that were idle', async () => {
    await start();
    const callers = await lines();
    await Promise.all(callers.map((line) => line.isLive()));
    await child.freeze();
    callers.forEach((line) => line.send(HEAD + BODY));
    child.signal('SIGTERM');
    child.signal('SIGCONT');
    await expectAnswers(callers);
  });

  it('answers requests whose bodies are on their way', async () => {
    await start();
    const callers = await lines();
    callers.forEach((line) => line.send(HEAD));
    await hasCaughtUp();
    const log = await fetch(new URL('/log/stream', child.baseUrl));
    child.signal('SIGTERM');
    // The signal was heard.
    await log.text();
    callers.forEach((line) => line.send(BODY));
    await expectAnswers(callers);
  });

  it('refuses requests whose bodies do not come in time, and logs them', async () => {
    child = await rig.start({ DRAIN_MS: '1' });
    const callers = await lines();
    callers.forEach((line) => line.send(HEAD));
    await hasCaughtUp();
    child.signal('SIGTERM');
    const texts = await Promise.all(callers.map((line) => line.all()));
    expect(texts.filter((text) => !text.includes('x-gateway-reason: shutting_down'))).toEqual([]);
    expect(texts.filter((text) => !/retry-after: 1\r/i.test(text))).toEqual([]);
    expect(await child.ended).toEqual([0, null]);
    expect(await outcomes()).toEqual(Array.from({ length: CALLERS }, () => 'shutdown'));
  });
});
