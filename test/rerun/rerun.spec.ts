import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { differences } from '../../src/chat/record/decisions.js';
import { type RecordedCompletion } from '../../src/chat/record/recorded-completion.js';
import { TaggedValueReader } from '../../src/chat/tools/grammar/tagged/tagged-value-reader.js';
import { type Chunking } from '../../src/rerun/chunking.js';
import { rerun } from '../../src/rerun/rerun.js';
import { recordCases } from './record-cases.js';
import { CASES } from './recorded-cases.js';
import { rerunTools } from './rerun-tools.js';

const CHUNKINGS: readonly Chunking[] = ['recorded', 'whole', 1, 7, 64];

const tools = rerunTools();
const { signal } = new AbortController();

/** Names of the cases in which a run decides otherwise than the recorded one, with the differences. */
async function otherwise(
  recordings: ReadonlyMap<string, RecordedCompletion>,
  chunking: Chunking,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, recorded] of recordings) {
    const now = await rerun(recorded, tools, { chunking, signal });
    const differing = differences(recorded.decisions, now);
    if (differing.length > 0) {
      found[name] = differing;
    }
  }
  return found;
}

describe('a recorded completion', () => {
  let recordings: ReadonlyMap<string, RecordedCompletion>;

  beforeAll(async () => {
    recordings = await recordCases(CASES);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('comes of 200 answers with tools, echoes, cuts and errors', () => {
    const decisions = [...recordings.values()].map((recorded) => recorded.decisions);
    expect(recordings.size).toBeGreaterThanOrEqual(200);
    const counts = {
      calls: decisions.filter(({ toolCalls }) => toolCalls.length > 0).length,
      corrected: decisions.filter(({ corrections }) => corrections.length > 0).length,
      failed: decisions.filter(({ outcome }) => outcome === 'failed').length,
      retried: decisions.filter(({ attempts }) => attempts.length > 1).length,
    };
    expect(Object.values(counts).every((count) => count >= 10)).toBe(true);
  });

  it.each(CHUNKINGS)('is decided in the same way when it is run again, cut: %s', async (chunking) => {
    expect(await otherwise(recordings, chunking)).toEqual({});
  });

  it('betrays a fault in the reader of tool calls', async () => {
    const reader = TaggedValueReader.prototype as unknown as Seeded;
    const { passText } = reader;
    jest.spyOn(reader, 'passText').mockImplementation(function (this: Seeded, text: string) {
      passText.call(this, text.replace('\n', ' '));
    });
    const found = await otherwise(recordings, 'recorded');
    expect(Object.keys(found).length).toBeGreaterThan(5);
    expect(JSON.stringify(found)).toContain('toolCalls[0].arguments');
  });
});

/** The part of the reader in which a fault is planted. */
interface Seeded {
  passText: (text: string) => void;
}
