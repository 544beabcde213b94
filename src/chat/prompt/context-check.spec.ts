import { describe, expect, it } from '@jest/globals';
import { ContextWindowExceededError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { Tokenizer } from '../completion/tokens/tokenizer.js';
import { checkContext } from './context-check.js';

const tokenizer = new Tokenizer();
const FIELD_NAMES = { messages: 'input', schema: 'schema' };

function check(text: string, contextWindow: number, signal = new AbortController().signal): Promise<void> {
  const model: Model = {
    id: 'svc-max',
    contextWindow,
    maxOutputTokens: 10,
    thinking: true,
    upstreamModel: 'svc-max',
  };
  return checkContext(text, { model, fieldNames: FIELD_NAMES }, tokenizer, signal);
}

/** A tokenizer that must not be called: a text with no more bytes than the window has tokens fits. */
class ForbiddenTokenizer extends Tokenizer {
  override count(): Promise<number> {
    throw new Error('counted');
  }
}

describe('checkContext', () => {
  it('accepts a prompt that fits exactly', async () => {
    const text = ' word'.repeat(100);
    await expect(check(text, 100)).resolves.toBeUndefined();
  });

  it('refuses a prompt with one token more, in the wording that coding agents act on', async () => {
    const error: unknown = await check(' word'.repeat(101), 100).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContextWindowExceededError);
    expect(error).toMatchObject({
      code: 'context_window_exceeded',
      param: 'input',
      message:
        "This model's maximum context length is 100 tokens. However, your messages resulted in 101 tokens by estimate " +
        '(model svc-max): the prompt is too long. Please reduce the length of the messages.',
    });
  });

  it('estimates a prompt that is far too long from its beginning', async () => {
    const words = 400_000;
    const error: unknown = await check(' word'.repeat(words), 1000).catch((thrown: unknown) => thrown);
    const estimate = Number(/resulted in (\d+) tokens/.exec((error as Error).message)?.[1]);
    expect(Math.abs(estimate - words)).toBeLessThan(words / 100);
  });

  it('measures bytes, not characters, before it skips the count', async () => {
    await expect(check('😀'.repeat(30), 100)).resolves.toBeUndefined();
    await expect(check('\u{1f9ff}'.repeat(30), 60)).rejects.toBeInstanceOf(ContextWindowExceededError);
  });

  it('counts nothing when the bytes already fit', async () => {
    const model = { id: 'm', contextWindow: 8, maxOutputTokens: 1, thinking: true, upstreamModel: 'm' };
    const { signal } = new AbortController();
    const request = { model, fieldNames: FIELD_NAMES };
    await checkContext('é'.repeat(4), request, new ForbiddenTokenizer(), signal);
    await expect(checkContext('é'.repeat(5), request, new ForbiddenTokenizer(), signal)).rejects.toThrow(
      'counted',
    );
  });

  it('stops counting when the caller leaves', async () => {
    const reason = new Error('gone');
    const text = 'lorem ipsum '.repeat(200_000);
    await expect(check(text, 390_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
