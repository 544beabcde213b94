/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { FaultRig, readStream } from '../support/gateway/fault-rig.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { ProcessFaults } from '../support/watch/process-watch.js';

const RUNS = 300;

/** Response of an upstream: pieces of any length, then a proper end or a reset. */
interface Play {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Positions of the cuts, as shares of the length. */
  readonly cuts: readonly number[];
  readonly isReset: boolean;
  readonly isStream: boolean;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'Hello',
    '\ud83d',
    '<think>',
    '</think>',
    '\u2028',
    '\u0000',
    '<tool_call>',
    '{"a":1}',
    '😀',
  ),
);
const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 1e20, 1e308, 2 ** 53, '7', null, true, {}),
  fc.nat(10_000),
);
const usage = fc.record(
  {
    prompt_tokens: anyNumber,
    completion_tokens: anyNumber,
    total_tokens: anyNumber,
    prompt_tokens_details: fc.oneof(anyNumber, fc.record({ cached_tokens: anyNumber })),
  },
  { requiredKeys: [] },
);
const toolCall = fc.record(
  {
    index: anyNumber,
    id: fc.oneof(anyText, anyNumber),
    function: fc.oneof(anyNumber, fc.record({ name: anyText, arguments: fc.oneof(anyText, anyNumber) })),
  },
  { requiredKeys: [] },
);
const delta = fc.record(
  {
    content: fc.oneof(anyText, anyNumber, fc.array(fc.record({ type: fc.constant('text'), text: anyText }))),
    reasoning_content: fc.oneof(anyText, anyNumber),
    tool_calls: fc.oneof(anyNumber, fc.array(toolCall, { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
const reason = fc.constantFrom(null, 'stop', 'length', 'tool_calls', 'content_filter', 'error', 'nonsense');
const event = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(delta, reason).map(([piece, end]) => chunk(piece, end)) },
  { weight: 1, arbitrary: usage.map((counts) => ({ choices: [], usage: counts })) },
  { weight: 1, arbitrary: anyText.map((message) => ({ error: { message } })) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const part = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(event, lineEnd).map(([data, eol]) => `data: ${JSON.stringify(data)}${eol}${eol}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ': comment\n\n',
      '\n',
      'data: [DONE]\n\n',
      'data\n\n',
      'event: error\n',
      '\ufeff',
    ),
  },
  { weight: 1, arbitrary: anyText },
);
const bytes = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: part.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((raw) => Buffer.from(raw)) },
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));
const whole = fc
  .tuple(delta, reason, usage)
  .map(([message, end, counts]) =>
    Buffer.from(JSON.stringify({ choices: [{ index: 0, message, finish_reason: end }], usage: counts })),
  );
const plays: fc.Arbitrary<Play> = fc.record({
  contentType: fc.constantFrom('text/event-stream', 'text/event-stream', 'application/json', 'text/html'),
  bytes: fc.oneof({ weight: 5, arbitrary: bytes }, { weight: 1, arbitrary: whole }),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  isReset: fc.boolean(),
  isStream: fc.boolean(),
});

function planOf({ contentType, bytes: all, cuts, isReset }: Play): StubPlan {
  const places = [...cuts.map((share) => Math.floor(share * all.length)), all.length].sort((a, b) => a - b);
  return async (reply) => {
    reply.head(200, { 'content-type': contentType });
    let from = 0;
    for (const to of places) {
      if (to > from) {
        await reply.raw(all.subarray(from, to));
        await new Promise((resolve) => setImmediate(resolve));
        from = to;
      }
    }
    if (isReset) {
      reply.reset();
    } else {
      reply.end();
    }
  };
}

describe('any bytes of an upstream', () => {
  let rig: FaultRig;
  const faults = new ProcessFaults();

  beforeAll(async () => {
    rig = await FaultRig.start(1, { RETRY_MAX_ATTEMPTS: 1, RATE_LIMIT_COOLDOWN_MS: 1 });
  });
  afterAll(async () => {
    faults.stop();
    await rig.close();
  });

  /** Asks once, and checks that the caller gets an answer or an error, in whole characters. */
  async function play(one: Play): Promise<string> {
    rig.stub.answerWith(planOf(one));
    const { status, body, headers } = await rig.ask({ stream: one.isStream });
    expect([200, 400, 429, 500]).toContain(status);
    if (status === 200 && one.isStream) {
      const { text, isDone, error } = readStream(body);
      expect(text.isWellFormed()).toBe(true);
      expect(isDone).toBe(error === undefined);
    } else {
      const { usage: counts = {} } = JSON.parse(body) as { usage?: Record<string, unknown> };
      const numbers = Object.values(counts).filter((value) => typeof value !== 'object');
      expect(numbers.filter((value) => !Number.isSafeInteger(value) || Number(value) < 0)).toEqual([]);
    }
    return String(headers['x-request-id']);
  }

  it('end in one terminal record each, give every lease back, and leave the log writing', async () => {
    const ids: string[] = [];
    await fc.assert(
      fc.asyncProperty(plays, async (one) => {
        ids.push(await play(one));
        expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
        // The account serves at once, which also keeps the circuit closed.
        rig.stub.answerWith(answer({ pieces: ['well'] }));
        await eventually(PATIENCE_MS, async () => {
          const { status, headers } = await rig.ask();
          ids.push(String(headers['x-request-id']));
          expect(status).toBe(200);
        });
      }),
      { numRuns: RUNS },
    );
    expect(faults.seen).toEqual([]);
    const stored = await eventually(PATIENCE_MS, async () => {
      const entries = await allEntries();
      expect(entries.filter(({ outcome }) => outcome === 'pending')).toEqual([]);
      return entries;
    });
    expect(stored.map(({ id }) => id).sort()).toEqual(ids.sort());
    const metrics = await get('/metrics').then((response) => response.text());
    expect(metrics).toContain('gateway_log_records_dropped_total 0\n');
  });

  const get = (path: string): Promise<Response> =>
    fetch(`${rig.gateway.origin}${path}`, {
      headers: { authorization: `Bearer ${rig.gateway.settings.API_KEY}` },
    });

  async function allEntries(): Promise<RequestLogEntry[]> {
    const entries: RequestLogEntry[] = [];
    let next: string | null = '';
    while (next !== null) {
      const response = await get(`/log/json?limit=500&content=0${next && `&before=${next}`}`);
      const page = (await response.json()) as { entries: RequestLogEntry[]; next: string | null };
      entries.push(...page.entries);
      ({ next } = page);
    }
    return entries;
  }
});
