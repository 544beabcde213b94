import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventTexts } from '../../../../test/support/watch/read-events.js';
import { Answer } from '../../completion/answer.js';
import { ResponseEvents } from '../output/response-events.js';
import { EventFollower } from './event-follower.js';
import { EventLog } from './event-log.js';

const RUNS = 150;
const CUTS = 10;
const LEAST_CUTS = 1000;

let server: Server;
let log: EventLog;
let cuts = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    new EventFollower(response, log, {
      from: Number(request.url!.slice(1)),
      heartbeatIntervalMs: 60_000,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

/** The texts of an answer's events, one growth of the log each. */
function growths(pieces: readonly (readonly [kind: 'text' | 'reasoning', piece: string])[]): string[] {
  const identity = { id: `resp_${'0'.repeat(32)}`, createdAt: 1, echo: { model: 'm' } };
  const events = new ResponseEvents({ identity, origins: new Map(), asSummary: true });
  const usage = { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedTokens: 0 };
  return [
    events.queued(),
    events.begin(),
    ...pieces.map(([kind, piece]) => events[kind](piece)),
    events.end(new Answer(), 'stop', usage),
  ];
}

/** Reads from an event on, and leaves after so many bytes. @returns the whole events received, and whether it was all */
async function read(from: number, maxBytes: number): Promise<{ events: string[]; isWhole: boolean }> {
  const { port } = server.address() as AddressInfo;
  const request = get({ port, path: `/${from}`, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const bytes: Buffer[] = [];
  let size = 0;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  response.on('data', (piece: Buffer) => {
    bytes.push(piece.subarray(0, Math.max(0, maxBytes - size)));
    size += piece.length;
    if (size >= maxBytes) {
      resolve(false);
    }
  });
  response.once('end', () => resolve(true));
  const isWhole = await promise;
  response.destroy();
  const text = Buffer.concat(bytes).toString('utf8');
  return { events: eventTexts(text.slice(0, text.lastIndexOf('\n\n') + 2)), isWhole };
}

/** A reader that is cut off again and again, and asks for what comes after the last whole event that it has. */
async function readWithCuts(limits: readonly number[]): Promise<string> {
  const received: string[] = [];
  for (const limit of [...limits, Infinity]) {
    const { events, isWhole } = await read(received.length, limit);
    received.push(...events);
    if (isWhole) {
      break;
    }
    cuts++;
  }
  return received.map((event) => `${event}\n\n`).join('');
}

const piece = fc.tuple(
  fc.constantFrom('text' as const, 'reasoning' as const),
  fc.string({ unit: 'grapheme' }),
);

it('gives a reader that is cut off and returns the events of the uncut stream, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 10, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: CUTS, maxLength: CUTS }),
      fc.integer({ min: 1, max: 5 }),
      async (pieces, limits, turns) => {
        const texts = growths(pieces);
        log = new EventLog(texts[0]);
        const reading = readWithCuts(limits);
        for (const text of texts.slice(1)) {
          for (let turn = 0; turn < turns; turn++) {
            await nextTurn();
          }
          log.append(text);
        }
        log.end();
        expect(await reading).toBe(texts.join(''));
        // Whoever comes later reads the same.
        expect(await readWithCuts([])).toBe(texts.join(''));
      },
    ),
    { numRuns: RUNS },
  );
  expect(cuts).toBeGreaterThanOrEqual(LEAST_CUTS);
});
