import { describe, expect, it } from '@jest/globals';
import { Answer } from '../completion/answer.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { lastUserText, toContentRecord, toGrowingRecord } from './content-record.js';
import { parametersRecord } from './parameters-record.js';

const LONG = 'x'.repeat(501);

function answered(): Answer {
  const answer = new Answer();
  answer.addReasoning('Why.');
  answer.addText(LONG);
  return answer;
}

const CONVERSATION: ChatMessage[] = [
  { role: 'system', content: [{ type: 'text', text: LONG }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: LONG } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Text.' },
];

const TOOL = { type: 'function', function: { name: 'read', description: 'Reads.' } } as const;

function asked(messages: ChatMessage[], more: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    model: { id: 'm', upstreamModel: 'm', thinking: true, contextWindow: 9, maxOutputTokens: 9 },
    messages,
    stream: true,
    thinking: true,
    params: { temperature: 0.7, topP: 0.9, maxTokens: 1000, stop: [] },
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    responseFormat: { type: 'text' },
    fieldNames: { messages: 'messages', schema: 'schema' },
    ...more,
  };
}

describe('toContentRecord', () => {
  it('keeps what the model said before it refused, and the refusal', () => {
    const answerOf = (text: string): unknown => {
      const answer = new Answer();
      answer.addText(text);
      answer.addRefusal('I will not.');
      return toContentRecord(asked(CONVERSATION), answer, 'full')?.answer;
    };
    expect([answerOf(''), answerOf('Well.')]).toEqual(['I will not.', 'Well.\n\nI will not.']);
  });

  it('keeps nothing, a preview of each text, or everything', () => {
    const record = (text: string, cut: object) => ({
      messages: [
        { role: 'system', content: text, ...cut },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'read', arguments: text, ...cut }] },
        { role: 'tool', content: 'Text.', toolCallId: 'c1' },
      ],
      reasoning: 'Why.',
      answer: text,
      ...('chars' in cut && { answerChars: 501 }),
    });
    expect(toContentRecord(asked(CONVERSATION), answered(), 'none')).toBeUndefined();
    expect(toContentRecord(asked(CONVERSATION), answered(), 'preview')).toEqual(
      record('x'.repeat(500), { chars: 501 }),
    );
    expect(toContentRecord(asked(CONVERSATION), answered(), 'full')).toEqual(record(LONG, {}));
  });

  it('names what a message showed besides text', () => {
    const image_url = { url: 'data:image/png;base64,AAAA' };
    const shown = asked([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look: ' },
          { type: 'image_url', image_url },
        ],
      },
    ]);
    expect(toContentRecord(shown, answered(), 'full')?.messages).toEqual([
      { role: 'user', content: 'Look: [image]', media: ['image'] },
    ]);
  });

  it('leaves out the middle of a long conversation in a preview only', () => {
    const messages = Array.from({ length: 15 }, (_, index): ChatMessage => ({
      role: 'user',
      content: `${index}`,
    }));
    const texts = (mode: 'preview' | 'full') =>
      toContentRecord(asked(messages), new Answer(), mode)?.messages.map(({ content }) => content);
    expect(texts('full')).toHaveLength(15);
    expect(texts('preview')).toEqual(['0', '1', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14']);
    expect(toContentRecord(asked(messages), new Answer(), 'preview')?.omittedMessages).toBe(3);
    expect(toContentRecord(asked(messages), new Answer(), 'full')?.omittedMessages).toBeUndefined();
  });

  it('names the tools, and keeps parameters with texts whole or not at all', () => {
    const request = asked([], {
      tools: [TOOL],
      params: {
        ...{ temperature: 0, topP: 1, maxTokens: 5, stop: ['END'], seed: 7 },
        further: { top_k: 3, user: 'somebody' },
      },
      responseFormat: { type: 'json_object' },
      thinking: false,
    });
    expect(toContentRecord(request, new Answer(), 'preview')).toEqual({
      messages: [],
      reasoning: '',
      answer: '',
      toolNames: ['read'],
    });
    expect(toContentRecord(request, new Answer(), 'full')?.texts).toEqual({
      top_k: 3,
      user: 'somebody',
      tools: [TOOL],
      stop: ['END'],
      response_format: { type: 'json_object' },
    });
    expect(parametersRecord(request)).toEqual({
      max_tokens: 5,
      temperature: 0,
      top_p: 1,
      seed: 7,
      top_k: 3,
      reasoning_effort: 'none',
      tool_choice: 'auto',
      parallel_tool_calls: true,
    });
  });

  it.each([
    [
      { reasoning_effort: 'high', verbosity: 'low' },
      { reasoning_effort: 'high', verbosity: 'low' },
    ],
    [{ reasoning_effort: 'as Ann does', thinking: { type: 'enabled' } }, {}],
  ])('keeps words of the formats among %j, and no other text', (further, kept) => {
    const request = asked([], { params: { maxTokens: 5, stop: [], further } });
    expect(parametersRecord(request)).toEqual({ max_tokens: 5, ...kept });
  });
});

describe('lastUserText', () => {
  const asked: ChatMessage[] = [
    { role: 'user', content: 'First.' },
    { role: 'user', content: 'Last.' },
  ];
  const result: ChatMessage = { role: 'tool', tool_call_id: 'c', content: 'r' };

  it('is the newest text of the user', () => {
    expect(lastUserText(CONVERSATION)).toBe('');
    expect(lastUserText([...asked, ...CONVERSATION])).toBe('Last.');
  });

  it('is none of what agents add', () => {
    const reminder = '<system-reminder>Be good.</system-reminder>';
    expect(lastUserText([...asked, result, { role: 'user', content: reminder }])).toBe('Last.');
    expect(lastUserText([{ role: 'user', content: `${reminder}\n\nHello.` }])).toBe('\n\nHello.');
  });
});

describe('toGrowingRecord', () => {
  it('says at any time what there is so far, as far as it may be kept', () => {
    const answer = new Answer();
    const record = toGrowingRecord(asked(CONVERSATION), () => answer, 'preview');
    const now = (): unknown => JSON.parse(JSON.stringify(record));
    expect(now()).toEqual(toContentRecord(asked(CONVERSATION), answer, 'preview'));
    answer.addReasoning('Why.');
    answer.addText(LONG);
    expect(now()).toEqual(toContentRecord(asked(CONVERSATION), answer, 'preview'));
    expect(toGrowingRecord(asked(CONVERSATION), () => answer, 'none')).toBeUndefined();
  });
});
