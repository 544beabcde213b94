import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { ConversationPrompt } from '../prompt/conversation-prompt.js';
import { planToFit } from './plan-to-fit.js';

const says = (role: ChatMessage['role'], content: string): ChatMessage => ({ role, content });
const calling: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: ['1', '2'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  })),
};
const found = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'found '.repeat(30) });
const LONG = 'word '.repeat(100);

interface Outcome {
  readonly sent: readonly ChatMessage[];
  readonly truncatedMessages: number | undefined;
  readonly plans: number;
}

/** Plans over a window in which a token is a word. */
async function fit(
  messages: readonly ChatMessage[],
  contextWindow: number,
  { truncates = true, maxTokens = 10 } = {},
): Promise<Outcome> {
  const model = { id: 'm', contextWindow, maxOutputTokens: 500, thinking: true, upstreamModel: 'm' };
  const request = { model, messages, params: { maxTokens, stop: [] }, truncates };
  const sent: (readonly ChatMessage[])[] = [];
  const plan = await planToFit(request as unknown as CompletionRequest, {
    plan: async (asked) => {
      sent.push(asked.messages);
      const prompt = new ConversationPrompt({ conversation: asked.messages, format: { type: 'text' } });
      return { prompt, guards: [], condensed: [] };
    },
    countTokens: async (text) => text.split(/\s+/).length,
  });
  return { sent: sent.at(-1)!, truncatedMessages: plan.truncatedMessages, plans: sent.length };
}

describe('planToFit', () => {
  const system = says('system', 'Be brief.');
  const conversation = [
    system,
    says('user', LONG),
    calling,
    found('1'),
    found('2'),
    says('assistant', 'Yes.'),
    says('user', LONG),
    says('assistant', LONG),
    says('user', 'Go on.'),
  ];

  it('leaves a request as it is that fits, or that must not be truncated', async () => {
    const whole = { sent: conversation, truncatedMessages: undefined, plans: 1 };
    expect(await fit(conversation, 9000)).toEqual(whole);
    expect(await fit(conversation, 50, { truncates: false })).toEqual(whole);
  });

  it.each([
    [400, [system, ...conversation.slice(2)]],
    [300, [system, ...conversation.slice(5)]],
    [200, [system, ...conversation.slice(7)]],
    [60, [system, conversation[8]]],
  ])('leaves out the oldest turns for a window of %d, calls with their results', async (window, sent) => {
    const outcome = await fit(conversation, window);
    expect(outcome.sent).toEqual(sent);
    expect(outcome.truncatedMessages).toBe(conversation.length - sent.length);
    expect(outcome.plans).toBeLessThanOrEqual(3);
  });

  it('keeps room for the answer, but no more than a quarter', async () => {
    const two = [says('user', LONG), says('assistant', 'Yes.'), says('user', LONG)];
    expect((await fit(two, 300, { maxTokens: 10 })).truncatedMessages).toBeUndefined();
    expect((await fit(two, 280, { maxTokens: 9000 })).truncatedMessages).toBe(1);
  });

  it('leaves out calls with all that is shown right behind their results', async () => {
    const shown = says('user', LONG);
    const asked = says('user', 'Go on.');
    const messages = [system, says('user', LONG), calling, found('1'), found('2'), shown];
    const outcome = await fit([...messages, says('assistant', 'Yes.'), asked], 60);
    expect(outcome.sent).toEqual([system, says('assistant', 'Yes.'), asked]);
  });

  it.each([
    ['which is the last', [system, says('user', LONG)]],
    ['of which there is none', [system]],
    ['before calls', [says('user', 'Read.'), calling, found('1'), found('2')]],
    [
      'before what is shown of results',
      [says('user', 'Read.'), calling, found('1'), found('2'), says('user', 'This is what it shows:')],
    ],
  ])('keeps all from the newest message that the user wrote on, %s', async (_where, messages) => {
    expect(await fit(messages, 20)).toEqual({ sent: messages, truncatedMessages: undefined, plans: 1 });
  });
});
