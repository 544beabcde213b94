import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestLog } from '../../src/logs/request-log.js';
import { MAX_BUFFERED_BYTES } from '../../src/logs/stream/stream-follower.js';
import { ms, report } from '../support/gateway/fault-rig.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const SCRIPT = join(import.meta.dirname, '..', 'support', 'gateway', 'log-readers.mjs');
const READERS = 2000;
const STALLED = 100;
const REQUESTS = 200;
/** A request makes two events. */
const EVERY_MS = 20;

interface Seen {
  readonly fewest: number;
  readonly most: number;
  readonly lagMs: number;
}

describe('2,000 readers of the log', () => {
  let gateway: StubGateway;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    gateway = await StubGateway.start({ POOL_MAX_SESSIONS_PER_ACCOUNT: 16 });
    gateway.stub.answerWith(answer({ pieces: 10 }));
  });
  afterEach(async () => {
    if (child) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await gateway.close();
  });

  /** The next message of the readers; rejects if their process ends. */
  function message(readers: ChildProcess): Promise<unknown> {
    return new Promise((resolve, reject) => {
      readers.once('message', resolve);
      readers.once('exit', (code) => reject(new Error(`The readers ended with ${code}.`)));
    });
  }

  /** Milliseconds of each answer, shortest first; one is asked for every 20 ms. */
  async function ask(requests: number): Promise<readonly number[]> {
    const times: number[] = [];
    const one = async (): Promise<void> => {
      const began = performance.now();
      expect((await gateway.complete(ASK)).status).toBe(200);
      times.push(performance.now() - began);
    };
    const asked: Promise<void>[] = [];
    while (asked.length < requests) {
      asked.push(one());
      // The rate of the requests, not a wait for anything.
      await pause(EVERY_MS);
    }
    await Promise.all(asked);
    return times.sort((a, b) => a - b);
  }
  const at = (times: readonly number[], part: number): number => times[Math.floor(times.length * part)] ?? 0;

  it('F30: get every entry soon, and delay no completion', async () => {
    await ask(50);
    const alone = await ask(REQUESTS);
    child = fork(SCRIPT, [new URL(gateway.origin).port, String(READERS), String(STALLED)]);
    await message(child);
    const watched = await ask(REQUESTS);
    let seen: Seen | undefined;
    await eventually(PATIENCE_MS, async () => {
      child?.send('report');
      seen = (await message(child!)) as Seen;
      expect([seen.fewest, seen.most]).toEqual([REQUESTS, REQUESTS]);
    });
    report(
      'F30',
      `answers took ${ms(at(alone, 0.5))} (p99 ${ms(at(alone, 0.99))}) alone, ${ms(at(watched, 0.5))} ` +
        `(p99 ${ms(at(watched, 0.99))}) with ${READERS} readers`,
      `entries came within ${ms(seen?.lagMs)} (p99)`,
      `${MAX_BUFFERED_BYTES / 1024} KiB for each who does not read`,
    );
    // Generous, since readers and gateway share the processors of this machine.
    await processPace.expectWithin(at(watched, 0.5) - 3 * at(alone, 0.5), 30);
  });
});

describe('streams of one key that begin with all that it missed, and are not read', () => {
  const STREAMS = 20;
  let keyed: KeyedGateway;
  let sockets: Socket[] = [];

  beforeEach(async () => {
    keyed = await KeyedGateway.start({ LOG_CONTENT: 'full' });
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await keyed.close();
  });

  /** Reads until texts come. */
  function follow(key: string): { readonly socket: Socket; begun: boolean; ended: boolean } {
    const socket = connect(keyed.gateway.port, '127.0.0.1');
    const stream = { socket, begun: false, ended: false };
    socket.write(
      `GET /log/stream?after=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    socket.on('data', (data) => {
      if (data.includes('\nid: ')) {
        stream.begun = true;
        socket.pause();
      }
      stream.ended = data.toString('latin1').endsWith('0\r\n\r\n');
    });
    return stream;
  }

  it('hold one page in memory, and no place of others', async () => {
    const key = await keyed.make('caller');
    const other = await keyed.make('other');
    for (let at = 0; at < 10; at++) {
      keyed.gateway.app
        .get(RequestLog)
        .open({ id: `req_${at}`, method: 'POST', path: '/v1/chat/completions', key: 'caller' })
        .finish('ok', { content: { messages: [], reasoning: '', answer: 'x'.repeat(2 ** 21) } });
    }
    const streams = Array.from({ length: STREAMS }, () => follow(key));
    sockets = streams.map(({ socket }) => socket);
    await eventually(PATIENCE_MS, () =>
      expect(streams.filter(({ ended }) => ended)).toHaveLength(STREAMS - 1),
    );
    expect(streams.filter(({ begun }) => begun)).toHaveLength(1);
    expect(keyed.gateway.logReaders).toBe(1);
    for (const reader of [other, OPERATOR]) {
      expect((await keyed.ask('GET', '/log/json', reader)).status).toBe(200);
    }
  });
});
