import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '../common/time/clock.js';
import { type KeyRegistry } from '../keys/key-registry.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { KeyAllowance } from './key-allowance.js';

const model = { id: 'm', contextWindow: 100, maxOutputTokens: 9, thinking: true, upstreamModel: 'm' };

/** Reserves for a key that has so much left; tells what was set aside and how often the prompt was read. */
async function reserve(
  tokensLeft: number | undefined,
  maxTokens = 9,
): Promise<{ readonly held: number[]; readonly reads: number }> {
  const held: number[] = [];
  const keys = {
    tokensLeft: () => tokensLeft,
    reserve: (_key: unknown, tokens: number) => void held.push(tokens),
  } as unknown as KeyRegistry;
  let reads = 0;
  const prompt = {
    get input(): string {
      reads++;
      return 'Say hello.';
    },
  };
  const request = { model, params: { maxTokens, stop: [] } } as unknown as CompletionRequest;
  const allowance = new KeyAllowance(keys, new Tokenizer(), new SystemClock());
  const key = { name: 'k', role: 'caller', digest: '' } as const;
  await allowance.reserve(key, request, prompt, new AbortController().signal);
  return { held, reads };
}

describe('KeyAllowance', () => {
  it('sets the prompt and the limit of the answer aside', async () => {
    expect(await reserve(639)).toEqual({ held: [12], reads: 1 });
  });

  it('takes the bytes of a prompt for its tokens where there are plenty', async () => {
    expect(await reserve(640)).toEqual({ held: [19], reads: 1 });
  });

  it('counts a short prompt whose answer may take more than is left', async () => {
    expect(await reserve(10_000, 9990)).toEqual({ held: [10_000], reads: 1 });
    expect(await reserve(10_000, 9991)).toEqual({ held: [9994], reads: 1 });
  });

  it('gives an answer without a limit what is left', async () => {
    const keys = {
      tokensLeft: () => 60,
      reserve: (_key: unknown, wanted: number, least: number) => ({ tokens: Math.min(wanted, 60), least }),
    } as unknown as KeyRegistry;
    const allowance = new KeyAllowance(keys, new Tokenizer(), new SystemClock());
    const request = { model, params: { maxTokens: 65_536, stop: [] }, isLimitDefault: true };
    const held = await allowance.reserve(
      { name: 'k', role: 'caller', digest: '' },
      request as unknown as CompletionRequest,
      { input: 'Say hello.' },
      new AbortController().signal,
    );
    expect(held).toMatchObject({ promptTokens: 3, answerTokens: 57 });
  });

  it('leaves the prompt of a key without a limit unread', async () => {
    expect(await reserve(undefined)).toEqual({ held: [], reads: 0 });
  });
});
