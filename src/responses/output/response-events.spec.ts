import { describe, expect, it } from '@jest/globals';
import { eventTexts, readEvents } from '../../../test/support/watch/read-events.js';
import { Answer } from '../../chat/completion/answer.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { InternalError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { type FinishReason } from '../../upstream/upstream-driver.js';
import { type ToolOrigin } from '../dto/response-tools.js';
import { type ResponseObject } from '../interfaces/response-object.js';
import { ResponseEvents } from './response-events.js';

/*
 * Names, members and order of the events: the format's OpenAPI document (github.com/openai/openai-openapi, schema
 * ResponseStreamEvent and its members), its guide "Streaming API responses", and the types of the `openai` package
 * (resources/responses/responses.d.ts), which are made from that document.
 */

const UNIQUE = '0123456789abcdef0123456789abcdef';
const id = `resp_${UNIQUE}`;
const END = 1_700_000_005;
const identity = { id, createdAt: 1_700_000_000, now: () => END, repeated: { model: 'svc-max' } };
const usage = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
const USAGE = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 1, cache_write_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 12,
};
const base = {
  id,
  object: 'response',
  created_at: 1_700_000_000,
  completed_at: null,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
  model: 'svc-max',
};
const origins = new Map<string, ToolOrigin>([
  ['read', { kind: 'function', name: 'read' }],
  ['crm__find', { kind: 'function', name: 'find', namespace: 'crm' }],
  ['patch', { kind: 'custom', name: 'patch' }],
  ['tool_search', { kind: 'tool_search', name: 'tool_search' }],
]);

class Recorder {
  text = '';
  readonly ended: ResponseObject[] = [];
  readonly events: ResponseEvents;

  constructor(asSummary = true, carriesReasoning = false, isSummary = false) {
    const onEnd = (response: ResponseObject): void => void this.ended.push(response);
    this.events = new ResponseEvents({ identity, origins, asSummary, carriesReasoning, isSummary, onEnd });
  }

  play(...steps: ((events: ResponseEvents) => string)[]): this {
    steps.forEach((step) => (this.text += step(this.events)));
    return this;
  }

  /** Each event as its type and its other members, the number checked. */
  get list(): [string, object][] {
    return readEvents(this.text).map(({ event, data }, index) => {
      const { type, sequence_number: number, ...rest } = data;
      expect([type, number]).toEqual([event, index]);
      return [String(type).replace(/^response\./, ''), rest];
    });
  }
}

const begin = (events: ResponseEvents): string => events.begin();
const says =
  (...pieces: string[]) =>
  (events: ResponseEvents): string =>
    pieces.map((piece) => events.text(piece)).join('');
const thinks =
  (...pieces: string[]) =>
  (events: ResponseEvents): string =>
    pieces.map((piece) => events.reasoning(piece)).join('');
const calls =
  (index: number, name: string, ...pieces: string[]) =>
  (events: ResponseEvents): string =>
    events.toolCall({ index, id: `call_${index}`, name, arguments: '' }) +
    pieces.map((piece) => events.toolCall({ index, arguments: piece })).join('');
const ends =
  (reason: FinishReason = 'stop') =>
  (events: ResponseEvents): string =>
    events.end(new Answer(), reason, usage);

const started: [string, object][] = [
  ['created', { response: { ...base, status: 'in_progress' } }],
  ['in_progress', { response: { ...base, status: 'in_progress' } }],
];
const part = (text: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text });
const messageOf = (index: number, text: string, status = 'completed'): object => ({
  id: `msg_${UNIQUE}${index}`,
  type: 'message',
  status,
  role: 'assistant',
  content: [part(text)],
});

/** The events of a whole message item. */
function message(index: number, pieces: readonly string[], status = 'completed'): [string, object][] {
  const at = { item_id: `msg_${UNIQUE}${index}`, output_index: index, content_index: 0 };
  const text = pieces.join('');
  const added = { ...messageOf(index, '', 'in_progress'), content: [] };
  return [
    ['output_item.added', { output_index: index, item: added }],
    ['content_part.added', { ...at, part: part('') }],
    ...pieces.map((delta): [string, object] => ['output_text.delta', { ...at, delta, logprobs: [] }]),
    ['output_text.done', { ...at, text, logprobs: [] }],
    ['content_part.done', { ...at, part: part(text) }],
    ['output_item.done', { output_index: index, item: messageOf(index, text, status) }],
  ];
}

const whole = { ...base, status: 'completed', completed_at: END, usage: USAGE };
const completed = (output: object[]): [string, object] => ['completed', { response: { ...whole, output } }];

describe('ResponseEvents', () => {
  it('writes each event with its name and its number, byte for byte', () => {
    const { text } = new Recorder().play(begin, says('Hi "😀"\u2028'), ends());
    const texts = eventTexts(text);
    const line = (type: string, members: string): string =>
      `event: response.${type}\ndata: {"type":"response.${type}",${members}}`;
    expect(texts[2]).toBe(
      line(
        'output_item.added',
        `"sequence_number":2,"output_index":0,"item":{"id":"msg_${UNIQUE}0","type":"message",` +
          '"status":"in_progress","role":"assistant","content":[]}',
      ),
    );
    expect(texts[4]).toBe(
      line(
        'output_text.delta',
        `"sequence_number":4,"item_id":"msg_${UNIQUE}0","output_index":0,"content_index":0,` +
          '"delta":"Hi \\"😀\\"\u2028","logprobs":[]',
      ),
    );
    expect(text.endsWith('\n\n')).toBe(true);
  });

  it('tells of text', () => {
    const { list, ended } = new Recorder().play(begin, says('Hel', 'lo'), ends());
    expect(list).toEqual([...started, ...message(0, ['Hel', 'lo']), completed([messageOf(0, 'Hello')])]);
    expect(ended).toMatchObject([{ status: 'completed', output: [messageOf(0, 'Hello')] }]);
  });

  it('tells of reasoning as a summary, before the text', () => {
    const { list } = new Recorder().play(begin, thinks('Why', '?'), says('So.'), ends());
    const at = { item_id: `rs_${UNIQUE}0`, output_index: 0, summary_index: 0 };
    const head = { id: `rs_${UNIQUE}0`, type: 'reasoning' };
    const summary = [{ type: 'summary_text', text: 'Why?' }];
    const item = { ...head, status: 'completed', summary };
    expect(list).toEqual([
      ...started,
      ['output_item.added', { output_index: 0, item: { ...head, status: 'in_progress', summary: [] } }],
      ['reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }],
      ['reasoning_summary_text.delta', { ...at, delta: 'Why' }],
      ['reasoning_summary_text.delta', { ...at, delta: '?' }],
      ['reasoning_summary_text.done', { ...at, text: 'Why?' }],
      ['reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text: 'Why?' } }],
      ['output_item.done', { output_index: 0, item }],
      ...message(1, ['So.']),
      completed([item, messageOf(1, 'So.')]),
    ]);
  });

  it('tells of reasoning as such where no summary was asked for', () => {
    const { list } = new Recorder(false).play(begin, thinks('Why?'), says('So.'), ends());
    const at = { item_id: `rs_${UNIQUE}0`, output_index: 0, content_index: 0 };
    const head = { id: `rs_${UNIQUE}0`, type: 'reasoning', summary: [] };
    const item = { ...head, status: 'completed', content: [{ type: 'reasoning_text', text: 'Why?' }] };
    expect(list).toEqual([
      ...started,
      ['output_item.added', { output_index: 0, item: { ...head, status: 'in_progress', content: [] } }],
      ['content_part.added', { ...at, part: { type: 'reasoning_text', text: '' } }],
      ['reasoning_text.delta', { ...at, delta: 'Why?' }],
      ['reasoning_text.done', { ...at, text: 'Why?' }],
      ['content_part.done', { ...at, part: { type: 'reasoning_text', text: 'Why?' } }],
      ['output_item.done', { output_index: 0, item }],
      ...message(1, ['So.']),
      completed([item, messageOf(1, 'So.')]),
    ]);
  });

  it('tells of calls, whose items are done at the very end', () => {
    const { list } = new Recorder().play(
      begin,
      says('I read.'),
      calls(0, 'read', '{"path":', '"a"}'),
      calls(1, 'crm__find', '{}'),
      ends('tool_calls'),
    );
    const call = (index: number, name: object, json: string, status: string): object => ({
      id: `fc_${UNIQUE}${index}`,
      type: 'function_call',
      status,
      call_id: `call_${index - 1}`,
      ...name,
      arguments: json,
    });
    const at = (index: number): object => ({ item_id: `fc_${UNIQUE}${index}`, output_index: index });
    const first = call(1, { name: 'read' }, '{"path":"a"}', 'completed');
    const second = call(2, { name: 'find', namespace: 'crm' }, '{}', 'completed');
    expect(list).toEqual([
      ...started,
      ...message(0, ['I read.']),
      ['output_item.added', { output_index: 1, item: call(1, { name: 'read' }, '', 'in_progress') }],
      ['function_call_arguments.delta', { ...at(1), delta: '{"path":' }],
      ['function_call_arguments.delta', { ...at(1), delta: '"a"}' }],
      ['function_call_arguments.done', { ...at(1), name: 'read', arguments: '{"path":"a"}' }],
      ['output_item.done', { output_index: 1, item: first }],
      [
        'output_item.added',
        { output_index: 2, item: call(2, { name: 'find', namespace: 'crm' }, '', 'in_progress') },
      ],
      ['function_call_arguments.delta', { ...at(2), delta: '{}' }],
      ['function_call_arguments.done', { ...at(2), name: 'find', arguments: '{}' }],
      ['output_item.done', { output_index: 2, item: second }],
      completed([messageOf(0, 'I read.'), first, second]),
    ]);
  });

  it('tells parallel calls one by one, whatever the order of their pieces', () => {
    const recorder = new Recorder().play(
      calls(0, 'read', '{"a'),
      calls(1, 'read', '{"b'),
      (events) => events.toolCall({ index: 0, arguments: '":1}' }),
      (events) => events.toolCall({ index: 1, arguments: '":2}' }),
    );
    expect(recorder.text).not.toContain('output_item.done');
    const { ended, list } = recorder.play(ends('tool_calls'));
    expect(ended[0]!.output).toMatchObject([{ arguments: '{"a":1}' }, { arguments: '{"b":2}' }]);
    const order = list.map(([type]) => type);
    expect(order.indexOf('output_item.done')).toBeLessThan(order.lastIndexOf('output_item.added'));
  });

  it.each([
    ['{"input":"*** Begin\\n"}', '*** Begin\n'],
    ['{"input":"cut', '{"input":"cut'],
    ['null', 'null'],
  ])('unwraps the input of a custom tool from %j', (json, input) => {
    const { list } = new Recorder().play(begin, calls(0, 'patch', ...json), ends('tool_calls'));
    const at = { item_id: `ctc_${UNIQUE}0`, output_index: 0 };
    const head = { id: `ctc_${UNIQUE}0`, type: 'custom_tool_call', call_id: 'call_0', name: 'patch' };
    const item = { ...head, status: 'completed', input };
    expect(list).toEqual([
      ...started,
      ['output_item.added', { output_index: 0, item: { ...head, status: 'in_progress', input: '' } }],
      ['custom_tool_call_input.delta', { ...at, delta: input }],
      ['custom_tool_call_input.done', { ...at, input }],
      ['output_item.done', { output_index: 0, item }],
      completed([item]),
    ]);
  });

  it('carries reasoning in what is opaque to the caller where that is asked for', () => {
    const { list, ended } = new Recorder(false, true).play(begin, thinks('Why', '?'), says('So.'), ends());
    const item = { type: 'reasoning', encrypted_content: carryText('Why?') };
    expect(ended[0]!.output[0]).toMatchObject(item);
    expect(list.find(([type]) => type === 'output_item.done')?.[1]).toMatchObject({ item });
    const [, added] = list.find(([type]) => type === 'output_item.added')!;
    expect(added).not.toHaveProperty('item.encrypted_content');
  });

  it.each<[json: string, args: object]>([
    ['{"query":"mail","limit":3}', { query: 'mail', limit: 3 }],
    ['', {}],
    ['{"query', { unreadable_input: '{"query' }],
  ])('writes a search for tools with the arguments %j as an object', (json, args) => {
    const { list } = new Recorder().play(begin, calls(0, 'tool_search', ...json), ends('tool_calls'));
    const head = { id: `tsc_${UNIQUE}0`, type: 'tool_search_call', call_id: 'call_0', execution: 'client' };
    const item = { ...head, status: 'completed', arguments: args };
    expect(list).toEqual([
      ...started,
      ['output_item.added', { output_index: 0, item: { ...head, status: 'in_progress', arguments: {} } }],
      ['output_item.done', { output_index: 0, item }],
      completed([item]),
    ]);
  });

  it('begins a new message for text after a call', () => {
    const { ended } = new Recorder().play(says('a'), calls(0, 'read', '{}'), says('b'), ends('tool_calls'));
    expect(ended[0]!.output).toMatchObject([
      { type: 'message', status: 'completed' },
      { type: 'function_call', status: 'completed' },
      { type: 'message', status: 'completed' },
    ]);
  });

  it('has an empty message where there is no text', () => {
    const { list } = new Recorder().play(begin, ends());
    expect(list).toEqual([...started, ...message(0, ['']), completed([messageOf(0, '')])]);
  });

  it.each([
    ['the limit of tokens', 'length', 'max_output_tokens'],
    ['a content filter', 'content_filter', 'content_filter'],
  ] as const)('is incomplete where %s cut it off', (_what, end, reason) => {
    const { list } = new Recorder().play(begin, says('Hel'), ends(end));
    expect(list).toEqual([
      ...started,
      ...message(0, ['Hel'], 'incomplete'),
      [
        'incomplete',
        {
          response: {
            ...base,
            status: 'incomplete',
            incomplete_details: { reason },
            output: [messageOf(0, 'Hel', 'incomplete')],
            usage: USAGE,
          },
        },
      ],
    ]);
  });

  it('fails without finishing its items', () => {
    const { list, ended } = new Recorder().play(begin, says('Hel'), (events) =>
      events.error(new InternalError('upstream_cut', 'it broke.', { cause: new Error('secret') })),
    );
    const response = {
      ...base,
      status: 'failed',
      error: { code: 'server_error', message: 'Internal server error: it broke.' },
      output: [messageOf(0, 'Hel', 'incomplete')],
    };
    const said = { ...response.error, param: null };
    const told = ['error', { ...said, error: { type: 'server_error', ...said } }];
    expect(list).toEqual([...started, ...message(0, ['Hel']).slice(0, 3), told, ['failed', { response }]]);
    expect(ended).toEqual([response]);
  });

  it('begins before it fails', () => {
    const fails = (events: ResponseEvents): string => events.error(new TooManyRequestsError('Busy.', 1000));
    const types = (...steps: ((events: ResponseEvents) => string)[]) =>
      new Recorder().play(...steps).list.map(([type]) => type);
    expect(types(fails)).toEqual(['created', 'in_progress', 'error', 'failed']);
    expect(types((events) => events.queued(), fails)).toEqual(['created', 'queued', 'error', 'failed']);
  });

  it('ends text where reasoning begins', () => {
    const { list, ended } = new Recorder(false).play(
      begin,
      thinks('Why'),
      says('A', 'B'),
      thinks('How'),
      says('C'),
      ends(),
    );
    expect(list.map(([type]) => type).filter((type) => type.startsWith('output_item'))).toEqual(
      Array.from({ length: 4 }, () => ['output_item.added', 'output_item.done']).flat(),
    );
    expect(ended[0]?.output).toMatchObject([
      { type: 'reasoning', content: [{ text: 'Why' }] },
      messageOf(1, 'AB'),
      { type: 'reasoning', content: [{ text: 'How' }] },
      messageOf(3, 'C'),
    ]);
  });

  it('tells of a refusal', () => {
    const refuse = (events: ResponseEvents): string => events.refusal('I ') + events.refusal('cannot.');
    const { list } = new Recorder().play(begin, refuse, ends());
    const at = { item_id: `msg_${UNIQUE}0`, output_index: 0, content_index: 0 };
    const refusal = (text: string): object => ({ type: 'refusal', refusal: text });
    const item = { ...messageOf(0, ''), content: [refusal('I cannot.')] };
    expect(list).toEqual([
      ...started,
      ['output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }],
      ['content_part.added', { ...at, part: refusal('') }],
      ['refusal.delta', { ...at, delta: 'I ' }],
      ['refusal.delta', { ...at, delta: 'cannot.' }],
      ['refusal.done', { ...at, refusal: 'I cannot.' }],
      ['content_part.done', { ...at, part: refusal('I cannot.') }],
      ['output_item.done', { output_index: 0, item }],
      completed([item]),
    ]);
  });

  describe('of a summary', () => {
    const summary = (): Recorder => new Recorder(true, false, true);
    const answer = new Answer();
    answer.addText('Done: a.');

    it('has it as one item, whatever the model thought', () => {
      const item = { id: `cmp_${UNIQUE}0`, type: 'compaction', encrypted_content: carryText('Done: a.') };
      const place = { item_id: item.id, output_index: 0 };
      const { list, ended } = summary().play(begin, thinks('Hm.'), says('Done', ': a.'), (events) =>
        events.end(answer, 'stop', usage),
      );
      expect(list.slice(2)).toEqual([
        ['output_item.added', { output_index: 0, item: { ...item, encrypted_content: '' } }],
        ['compaction.compacting', place],
        ['compaction.compacting', place],
        ['output_item.done', { output_index: 0, item }],
        completed([item]),
      ]);
      expect(ended).toMatchObject([{ output: [item] }]);
    });

    it.each(['', 'Let me look.'])('fails where the model wrote "%s" and called a tool', (text) => {
      const written = Object.assign(new Answer(), { hasDroppedCalls: true });
      written.addText(text);
      const { events } = summary().play(begin, calls(0, 'read', '{}'));
      expect(() => events.end(written, 'stop', usage)).toThrow('the model wrote no summary');
    });
  });

  it('tells of a refusal behind a text in an item of its own', () => {
    const { ended } = new Recorder().play(
      begin,
      (events) => events.text('Well.') + events.refusal('No.') + events.text('So.'),
      ends(),
    );
    expect(ended[0]?.output).toEqual([
      messageOf(0, 'Well.'),
      { ...messageOf(1, ''), content: [{ type: 'refusal', refusal: 'No.' }] },
      messageOf(2, 'So.'),
    ]);
  });

  it('may be queued before it begins', () => {
    const { list } = new Recorder().play((events) => events.queued(), begin, ends());
    expect(list.slice(0, 3)).toEqual([
      ['created', { response: { ...base, status: 'queued' } }],
      ['queued', { response: { ...base, status: 'queued' } }],
      ['in_progress', { response: { ...base, status: 'in_progress' } }],
    ]);
  });
});
