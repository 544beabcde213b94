import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type CompletionDecisions } from '../../src/chat/record/decisions.js';
import { parseRecording } from '../../src/chat/record/recorded-completion.js';
import { rerun } from '../../src/rerun/rerun.js';
import { rerunTools } from './rerun-tools.js';

/** Recordings that `npm run rerun -- <id> --keep` has kept: each was an incident, or shows how one is read. */
const FOLDER = new URL('../recorded/', import.meta.url);

const tools = rerunTools();
const { signal } = new AbortController();

/** The wording of prompts may change, and with it their tokens. */
function withoutWording({ prompts: _, usage: __, ...others }: CompletionDecisions): object {
  return others;
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const recorded = parseRecording(readFileSync(new URL(name, FOLDER), 'utf8'));

  it.each(['recorded', 'whole', 1, 7] as const)('is decided as it was, cut: %s', async (chunking) => {
    const now = await rerun(recorded, tools, { chunking, signal });
    expect(withoutWording(now)).toEqual(withoutWording(recorded.decisions));
  });
});
