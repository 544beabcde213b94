import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig } from '../support/gateway/cluster-rig.js';
import {
  CLEAN,
  conversation,
  echoesUntilCorrected,
  endsWithCorrection,
  streamedText,
} from '../support/gateway/echo-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const API_KEY = 'one-key-for-all';
const CUT = 'cut before any byte';

interface Asked {
  readonly question: string;
  readonly stream: boolean;
}

const asked = fc.record({
  question: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  stream: fc.boolean(),
});

let rig: ClusterRig;
let one: ChildGateway;
let other: ChildGateway;
let rounds = 0;

beforeEach(async () => {
  rig = await ClusterRig.start();
  rig.stub.answerWith(echoesUntilCorrected());
  const settings = { API_KEY, ECHO_ACTION: 'drop', UPSTREAM_API_KEYS: 'k1' };
  [one, other] = await Promise.all([rig.add(settings), rig.add(settings)]);
  await Promise.all([one, other].map((node) => rig.ready(node)));
});

afterEach(() => rig.close());

/** @returns the text of the answer as it came over the wire, without what differs between any two */
async function answerOf(node: ChildGateway, { question, stream }: Asked): Promise<string> {
  const response = await fetch(`${node.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
    body: JSON.stringify({ ...conversation(question), stream }),
  }).catch(() => undefined);
  const text = (await response?.text()) ?? CUT;
  return text
    .replaceAll(/"id":"[^"]*"/g, '"id":""')
    .replaceAll(/"(created|prompt_tokens|total_tokens)":\d+/g, '"$1":0');
}

/** The answer to a conversation that the same node has dropped before. */
const correctedAnswer = (stream: boolean): Promise<string> =>
  eventually(PATIENCE_MS, async () => {
    const text = await answerOf(one, { question: 'How long is it?', stream });
    expect(stream ? streamedText(text) : text).toContain(CLEAN);
    return text;
  });

const answersOf = (node: ChildGateway, all: readonly Asked[]): Promise<string[]> =>
  Promise.all(all.map((one) => answerOf(node, one)));

async function changesOfEchoes(): Promise<number> {
  const sql = `SELECT version FROM shared_versions WHERE topic = 'echoes'`;
  return Number((await rig.query<{ version: string }>(sql))[0]!.version);
}

/**
 * Has one node drop conversations, and asks another for them once it could have heard of it. Each time they are others,
 * since the other node knows by itself what it has dropped too early.
 */
async function droppedThenAsked(first: ChildGateway, second: ChildGateway, like: readonly Asked[]) {
  rounds += 1;
  const all = like.map(({ question, stream }, at) => ({ question: `${rounds}.${at} ${question}`, stream }));
  const before = await changesOfEchoes();
  const dropped = await answersOf(first, all);
  await eventually(PATIENCE_MS, async () =>
    expect(await changesOfEchoes()).toBeGreaterThanOrEqual(before + all.length),
  );
  await rig.afterBeats();
  rig.stub.requests.length = 0;
  const answered = await answersOf(second, all);
  return { dropped, answered, prompts: rig.stub.requests.map((request) => endsWithCorrection(request)) };
}

describe('a conversation that one node has dropped for an echo', () => {
  it('is answered by another as by the one: corrected at the first prompt, and with no byte of the echo', async () => {
    const [whole, streamed] = [await correctedAnswer(false), await correctedAnswer(true)];
    const batches = fc.array(asked, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.boolean(), async (like, isReverse) => {
        const [first, second] = isReverse ? [other, one] : [one, other];
        // The news may come late, then the other node drops it once more.
        await eventually(PATIENCE_MS, async () => {
          expect(await droppedThenAsked(first, second, like)).toEqual({
            dropped: like.map(() => CUT),
            answered: like.map(({ stream }) => (stream ? streamed : whole)),
            prompts: like.map(() => true),
          });
        });
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
