import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type EdgeApp, startEdgeApp } from '../support/gateway/edge-app.js';
import { CONTENT_TYPE_CASES, JSON_CASES, TEXT_CASES } from '../support/hostile/body-cases.js';
import { exchange } from '../support/hostile/raw-http.js';
import { BROWSER_CASES, ROUTE_CASES } from '../support/hostile/request-cases.js';
import { WIRE_CASES } from '../support/hostile/wire-cases.js';

const RUNS = 1500;

let edge: EdgeApp;
let seeds: readonly Buffer[];

beforeAll(async () => {
  edge = await startEdgeApp({ API_KEY: 'k', BODY_LIMIT: 2 ** 20 });
  const options = { host: `127.0.0.1:${edge.port}`, authorization: 'Bearer k' };
  seeds = [JSON_CASES, TEXT_CASES, CONTENT_TYPE_CASES, ROUTE_CASES, BROWSER_CASES, WIRE_CASES]
    .flat()
    .map(({ request }) => request(options))
    .filter(({ length }) => length < 2000);
});

afterAll(async () => {
  await edge?.app.close();
});

type Mutation = (bytes: Buffer) => Buffer;

/** Bytes changed, cut out, doubled, or taken from another request. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]): Mutation => (bytes) => {
    const changed = Buffer.from(bytes);
    changed[at % Math.max(1, bytes.length)] = byte;
    return changed;
  }),
  fc.tuple(fc.nat(), fc.nat(40)).map(([at, length]): Mutation => (bytes) => {
    const start = at % Math.max(1, bytes.length);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
  }),
  fc.tuple(fc.nat(), fc.nat(40)).map(([at, length]): Mutation => (bytes) => {
    const start = at % Math.max(1, bytes.length);
    return Buffer.concat([bytes.subarray(0, start + length), bytes.subarray(start)]);
  }),
  fc.tuple(fc.nat(), fc.nat()).map(([at, other]): Mutation => (bytes) => {
    const donor = seeds[other % seeds.length] ?? bytes;
    return Buffer.concat([
      bytes.subarray(0, at % Math.max(1, bytes.length)),
      donor.subarray(other % Math.max(1, donor.length)),
    ]);
  }),
);

test('the HTTP edge gives every mutated request one whole answer below 500, and none to blank input', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (seed, mutations) => {
        const start = seeds[seed % seeds.length] ?? Buffer.alloc(0);
        const bytes = mutations.reduce((current, mutate) => mutate(current), start);
        if (bytes.toString('latin1').trim() === '') {
          return;
        }
        const { status, body, headers } = await exchange(edge.port, bytes, {
          halfClose: true,
          isHead: bytes.subarray(0, 20).toString('latin1').trimStart().startsWith('HEAD '),
        });
        statuses.add(status);
        expect(status).toBeLessThan(500);
        expect(headers.get('x-request-id')).toHaveLength(1);
        if (status >= 400 && body !== '') {
          expect(JSON.parse(body)).toEqual({
            error: expect.objectContaining({ code: expect.any(String), type: expect.any(String) }),
          });
        }
      },
    ),
    { numRuns: RUNS, seed: 20260101 },
  );
  const canary = await fetch(`${edge.url}/v1/models`, { headers: { authorization: 'Bearer k' } });
  expect(canary.status).toBe(200);
  // Mutations reach past the parser: a run of 400s alone would prove nothing.
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 415]));
});
