import { describe, expect, it, jest } from '@jest/globals';
import { type NativeTools } from '../../upstream/upstream-driver.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { type ToolOffer } from '../tools/contract/tool-offer.js';
import { toolContract, toolReminder } from '../tools/contract/tool-prompt.js';
import { ConversationPrompt } from './conversation-prompt.js';

const CONTINUE = 'Write the next message of the assistant in this conversation, and nothing else.';
const text = { type: 'text' } as const;

const parameters = { type: 'object', properties: { path: { type: 'string' }, tag: {} }, required: ['path'] };
const read: ToolDefinition = { type: 'function', function: { name: 'read', parameters } };
const offer: ToolOffer = { definitions: [read], choice: 'auto', parallel: true };
const none: ToolOffer = { ...offer, choice: 'none' };
const contract = toolContract(offer)!;
const reminder = toolReminder(offer, true)!;
const refusal = toolReminder(none, true)!;

const hi: ChatMessage = { role: 'user', content: 'hi' };
const calling: ChatMessage = {
  role: 'assistant',
  content: 'Reading.',
  reasoning_content: 'hm',
  tool_calls: [
    { id: '1', type: 'function', function: { name: 'read', arguments: '{"path":"a","tag":"5"}' } },
    { id: '2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
  ],
};
const results: ChatMessage[] = [
  { role: 'tool', tool_call_id: '1', content: 'A' },
  { role: 'tool', tool_call_id: '2', content: 'B' },
];
const rendered = `Reading.
<tool_call>
<function=read>
<parameter=path>a</parameter>
<parameter=tag>"5"</parameter>
</function>
</tool_call>
<tool_call>
<function=read>
<parameter=path>b</parameter>
</function>
</tool_call>`;
const responses =
  '<tool_response name="read">\nA\n</tool_response>\n\n<tool_response name="read">\nB\n</tool_response>';

function promptOf(
  conversation: readonly ChatMessage[],
  format: ResponseFormat,
  offer?: ToolOffer,
  native?: NativeTools,
): ConversationPrompt {
  return new ConversationPrompt({ conversation, format, offer, native });
}

describe('ConversationPrompt', () => {
  it('leaves the conversation unchanged if the upstream knows tools', () => {
    const messages = [hi, calling, ...results];
    const prompt = promptOf(messages, text);
    expect(prompt.messages).toBe(messages);
    expect(prompt.text).toContain('<parameter=tag>5</parameter>');
    expect(prompt.corrected({ instruction: 'No.', rejected: 'bad' }).messages).toEqual([
      ...messages,
      { role: 'assistant', content: 'bad' },
      { role: 'user', content: 'No.' },
    ]);
  });

  it('has the user say results whose call was left out', () => {
    const messages = [hi, ...results];
    const unpaired = (content: string): unknown => ({
      role: 'user',
      content: expect.stringContaining(content),
    });
    expect(promptOf(messages, text).messages).toEqual([hi, unpaired('A'), unpaired('B')]);
    expect(promptOf(messages, text).text).toContain('<tool_response name="tool">\nA\n');
  });

  it('puts the contract first and the reminder last', () => {
    const prompt = promptOf([hi], text, offer);
    expect(prompt.text).toBe(
      `<system>\n${contract}\n</system>\n\n<user>\nhi\n</user>\n\n${CONTINUE} ${reminder}`,
    );
    expect(prompt.messages).toEqual([
      { role: 'system', content: contract },
      { role: 'user', content: `hi\n\n${reminder}` },
    ]);
  });

  it("puts the contract after the caller's instructions", () => {
    const system: ChatMessage = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] };
    const developer: ChatMessage = { role: 'developer', content: '' };
    expect(promptOf([system, hi], text, offer).text).toMatch(`<system>\nBe brief.\n\n${contract}\n</system>`);
    expect(promptOf([system, developer, hi], text, offer).messages).toEqual([
      system,
      { role: 'developer', content: contract },
      { role: 'user', content: `hi\n\n${reminder}` },
    ]);
    expect(promptOf([system], text, offer).messages).toEqual([
      { role: 'system', content: `Be brief.\n\n${contract}` },
      { role: 'user', content: reminder },
    ]);
  });

  it('shows past calls and results as text', () => {
    const prompt = promptOf([hi, calling, ...results], text, offer);
    expect(prompt.text).toBe(
      `<system>\n${contract}\n</system>\n\n<user>\nhi\n</user>\n\n<assistant>\n${rendered}\n</assistant>\n\n` +
        `${responses}\n\n${CONTINUE} ${reminder}`,
    );
    expect(prompt.messages).toEqual([
      { role: 'system', content: contract },
      hi,
      { role: 'assistant', content: rendered, reasoning_content: 'hm' },
      { role: 'user', content: `${responses}\n\n${reminder}` },
    ]);
  });

  it('keeps pictures in messages that become text', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:,' } } as const;
    const seen: ChatMessage = {
      ...results[0]!,
      content: [{ type: 'text', text: 'A' }, picture],
    };
    const { messages, text: rendering } = promptOf([hi, calling, seen, results[1]!], text, offer);
    expect(messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '<tool_response name="read">\nA[image]\n</tool_response>' },
        picture,
        { type: 'text', text: '<tool_response name="read">\nB\n</tool_response>' },
        { type: 'text', text: reminder },
      ],
    });
    expect(rendering).toContain('A[image]');
    const asked: ChatMessage = { role: 'user', content: [picture] };
    const [, , third] = promptOf([hi, calling, results[0]!, asked], text, none).messages;
    expect(third).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '<tool_response name="read">\nA\n</tool_response>' },
        picture,
        { type: 'text', text: refusal },
      ],
    });
  });

  it('merges results with neighbouring user messages only', () => {
    const { messages } = promptOf([hi, hi, calling, ...results, hi, hi], text, none);
    expect(messages).toEqual([
      hi,
      hi,
      { role: 'assistant', content: rendered, reasoning_content: 'hm' },
      { role: 'user', content: `${responses}\n\nhi` },
      { role: 'user', content: `hi\n\n${refusal}` },
    ]);
  });

  it('does not mention tools if none can be called and none was', () => {
    const prompt = promptOf([hi], text, none);
    expect(prompt.text).toBe('hi');
    expect(prompt.messages).toEqual([hi]);
    expect(promptOf([hi], text, { ...offer, definitions: [] }).text).toBe('hi');
  });

  it('renders past calls as text even if no tool can be called', () => {
    const prompt = promptOf([hi, calling, ...results], text, { ...none, definitions: [] });
    expect(prompt.text).not.toContain('# Tools');
    expect(prompt.text.endsWith(`${CONTINUE} ${refusal}`)).toBe(true);
  });

  it('ends with the latest correction, behind the rejected answer', () => {
    const first = promptOf([hi], text, offer).corrected({
      instruction: 'No.',
      rejected: '<tool_call>',
    });
    expect(first.text).toBe(
      `<system>\n${contract}\n</system>\n\n<user>\nhi\n</user>\n\n<assistant>\n<tool_call>\n</assistant>\n\n` +
        `${CONTINUE} ${reminder}\n\nNo.`,
    );
    expect(first.messages.slice(1)).toEqual([
      hi,
      { role: 'assistant', content: '<tool_call>' },
      { role: 'user', content: `${reminder}\n\nNo.` },
    ]);
    const second = first.corrected({ instruction: 'Again.' });
    expect(second.text).toBe(
      `<system>\n${contract}\n</system>\n\n<user>\nhi\n</user>\n\n${CONTINUE} ${reminder}\n\nAgain.`,
    );
    expect(second.messages.at(-1)).toEqual({ role: 'user', content: `hi\n\n${reminder}\n\nAgain.` });
  });

  it('exempts tool calls from the response format', () => {
    const format = { type: 'json_object' } as const;
    expect(promptOf([hi], format, offer).text).toContain('\n\nUnless you call a tool, answer with one');
    expect(promptOf([hi, calling], format, none).text).toContain('\n\nAnswer with one');
  });

  it('counts definitions that the upstream adds as input, also behind a correction', () => {
    expect(promptOf([hi], text, offer).input).toBe(promptOf([hi], text, offer).text);
    const native = { definitions: [read], choice: 'auto', parallel: true };
    const prompt = promptOf([hi], text, undefined, native);
    const definitions = JSON.stringify([read]);
    expect(prompt.input).toBe(`hi\n\n${definitions}`);
    const corrected = prompt.corrected({ instruction: 'No.' });
    expect(corrected.input).toBe(`${corrected.text}\n\n${definitions}`);
  });

  it.each([
    ['lets go of its texts until they are read again', undefined, 2],
    ['keeps its texts where it tells of tools', none, 1],
  ])('%s', (_what, tools, renderings) => {
    const content = jest.fn(() => 'hi');
    const message = Object.defineProperty({ role: 'user' }, 'content', { get: content, enumerable: true });
    const prompt = promptOf([message as ChatMessage], text, tools);
    const { input } = prompt;
    const reads = content.mock.calls.length;
    prompt.releaseTexts();
    expect(prompt.input).toBe(input);
    expect(content).toHaveBeenCalledTimes(renderings * reads);
  });

  it('gives the same bytes at every read', () => {
    const make = (): ConversationPrompt => promptOf([hi, calling, ...results], text, offer);
    expect(make().text).toBe(make().text);
    expect(JSON.stringify(make().messages)).toBe(JSON.stringify(make().messages));
  });
});
