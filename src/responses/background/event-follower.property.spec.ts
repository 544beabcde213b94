import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventTexts } from '../../../test/support/watch/read-events.js';
import { Answer } from '../../chat/completion/answer.js';
import { type ToolOrigin } from '../dto/response-tools.js';
import { ResponseEvents } from '../output/response-events.js';
import { followEvents } from './event-follower.js';
import { EventLog } from './event-log.js';

const RUNS = 150;
const CUTS = 10;
const LEAST_CUTS = 1000;

let server: Server;
let log: EventLog;
let cuts = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    followEvents(response, { log, from: Number(request.url!.slice(1)) }, 60_000);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

/** Tools that the model knows by these names: a function, one of a namespace, and one that takes a text. */
const ORIGINS = new Map<string, ToolOrigin>([
  ['read', { kind: 'function', name: 'read' }],
  ['crm__find', { kind: 'function', name: 'find', namespace: 'crm' }],
  ['patch', { kind: 'custom', name: 'patch' }],
]);

/** One step of an answer: a piece of it, or of its call of that number. */
type Step = readonly [kind: 'text' | 'reasoning' | number, piece: string];

/**
 * The texts of an answer's events, one growth of the log each.
 * @param names of the tools that are called, in order; pieces of the calls may come in any order
 */
function growths(steps: readonly Step[], names: readonly string[]): string[] {
  const identity = { id: `resp_${'0'.repeat(32)}`, createdAt: 1, now: () => 2, repeated: { model: 'm' } };
  const events = new ResponseEvents({ identity, origins: ORIGINS, asSummary: true });
  const usage = { promptTokens: 1, completionTokens: 1, reasoningTokens: 0, cachedTokens: 0 };
  return [
    events.queued(),
    events.begin(),
    ...steps.map(([kind, piece]) =>
      typeof kind === 'number'
        ? events.toolCall({ index: kind, id: `call_${kind}`, name: names[kind], arguments: piece })
        : events[kind](piece),
    ),
    events.end(new Answer(), names.length > 0 ? 'tool_calls' : 'stop', usage),
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

const text = fc.string({ unit: 'grapheme' });
const words: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom('text' as const, 'reasoning' as const), text);

interface Script {
  readonly steps: readonly Step[];
  readonly names: readonly string[];
}

/** Words, then up to three calls whose pieces are mixed. */
const script: fc.Arbitrary<Script> = fc
  .tuple(
    fc.array(words, { minLength: 5, maxLength: 25 }),
    fc.array(fc.constantFrom(...ORIGINS.keys()), { maxLength: 3 }),
  )
  .chain(([said, names]) => {
    const pieces = fc.array(fc.tuple(fc.nat(Math.max(0, names.length - 1)), text), { maxLength: 15 });
    return pieces.map((called) => ({ steps: names.length > 0 ? [...said, ...called] : said, names }));
  });

/** Number of call events in all runs: shows that calls were among them. */
let callEvents = 0;

it('gives a reader that is cut off and returns the events of the uncut stream, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: CUTS, maxLength: CUTS }),
      fc.integer({ min: 1, max: 5 }),
      async ({ steps, names }, limits, turns) => {
        const texts = growths(steps, names);
        log = new EventLog(texts[0]);
        const reading = readWithCuts(limits);
        for (const text of texts.slice(1)) {
          for (let turn = 0; turn < turns; turn++) {
            await nextTurn();
          }
          log.append(text);
        }
        log.end();
        const received = await reading;
        expect(received).toBe(texts.join(''));
        // Whoever comes later reads the same.
        expect(await readWithCuts([])).toBe(received);
        callEvents += received.match(/^event: response\.(?:function|custom)/gm)?.length ?? 0;
      },
    ),
    { numRuns: RUNS },
  );
  expect(cuts).toBeGreaterThanOrEqual(LEAST_CUTS);
  expect(callEvents).toBeGreaterThanOrEqual(RUNS);
});
