import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { type ChatMessage } from '../../chat/interfaces/chat-message.js';
import { SUMMARY_REQUEST } from './compaction.js';
import { validateInput } from './input-items.validator.js';
import { toChatMessages } from './input-messages.js';

const said = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const thought = (text: string): object => ({
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
});
const called = (id: string, fields: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...fields,
});
const found = (id: string): object => ({ type: 'function_call_output', call_id: id, output: 'found' });
const toolCall = (id: string, name = 'read', json = '{}'): object => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});

function messages(items: object[], previous: object[] = [], instructions?: string): readonly ChatMessage[] {
  const before = previous.length === 0 ? [] : validateInput(previous);
  return toChatMessages({ instructions, previous: before, input: validateInput(items) });
}

describe('toChatMessages', () => {
  it('puts the instructions first, and renders developers as systems', () => {
    const developer = { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] };
    expect(messages([developer, { role: 'user', content: 'Hi' }], [], 'Be brief.')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  it.each(['user', 'developer', 'assistant'])('makes one text of the parts of a message of %s', (role) => {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const content = ['a', 'b'].map((text) => ({ type, text }));
    const said = role === 'developer' ? 'system' : role;
    expect(messages([{ role, content }])).toEqual([{ role: said, content: 'a\n\nb' }]);
  });

  const IMAGE = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' };
  const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } };
  const FILE = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB' };
  const seen = (id: string): object => ({
    type: 'function_call_output',
    call_id: id,
    output: [{ type: 'input_text', text: 'A.' }, IMAGE],
  });
  const asked = (...content: object[]): object => ({ role: 'user', content });
  const note = (what: string): string => `[${what} left out: this upstream takes text only]`;

  it('gives pictures and files to an upstream that takes them, those of outputs behind them all', () => {
    const items = [called('c1'), called('c2'), seen('c1'), seen('c2'), asked(IMAGE, FILE)];
    const shown = 'A.\n\n[image: shown after the results]';
    const input = validateInput(items);
    expect(toChatMessages({ previous: [], input, takes: () => true }).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: shown },
      { role: 'tool', tool_call_id: 'c2', content: shown },
      {
        role: 'user',
        content: [
          PICTURE,
          PICTURE,
          PICTURE,
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB' } },
        ],
      },
    ]);
  });

  it('replaces them for any other upstream, but in the newest message', () => {
    const before = [asked(FILE), called('c1'), seen('c1')];
    expect(messages([asked(IMAGE), asked({ type: 'input_text', text: 'Hi' })], before)).toEqual([
      { role: 'user', content: note('file') },
      expect.objectContaining({ role: 'assistant' }),
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: `A.\n\n${note('image')}`,
      },
      { role: 'user', content: note('image') },
      { role: 'user', content: 'Hi' },
    ]);
    expect(() => messages([asked({ type: 'input_text', text: 'Hi' }, IMAGE)])).toThrow(
      'input[0].content[1] must be a text part: this upstream takes text only (got "input_image").',
    );
    const input = validateInput([asked(FILE)]);
    expect(() => toChatMessages({ previous: [], input, takes: (kind) => kind === 'image' })).toThrow(
      'input[0].content[0] must be a text part: this upstream takes text and image only (got "input_file").',
    );
  });

  it.each<[object, object]>([
    [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }, { type: 'image_url' }],
    [{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }, { type: 'image_url' }],
    [{ type: 'input_video', video_url: 'https://a.example/b.mp4' }, { type: 'video_url' }],
  ])('reads %j, which other formats and servers have', (part, read) => {
    const input = validateInput([asked(part)]);
    expect(toChatMessages({ previous: [], input, takes: () => true })[0]?.content).toEqual([
      expect.objectContaining(read),
    ]);
  });

  it('goes on behind parts that are not known, and refuses those that are asked about', () => {
    const smell = { type: 'input_smell', smell: 'AAAA' };
    const output = { type: 'function_call_output', call_id: 'c1', output: [smell] };
    const later = asked({ type: 'input_text', text: 'Hi' });
    const told = messages([asked(smell), called('c1'), output, later]);
    expect(told.map(({ content }) => content)).toEqual([
      note('input_smell'),
      null,
      note('input_smell'),
      'Hi',
    ]);
    expect(() => messages([asked(smell)])).toThrow(
      'input[0].content[0] is of a type that this gateway does not know (got "input_smell").',
    );
  });

  it('replaces what is shown behind the output of a tool', () => {
    const shown = messages([called('c1'), found('c1'), asked(IMAGE)]);
    expect(shown.at(-1)).toEqual({ role: 'user', content: note('image') });
  });

  it('refuses what holds no message', () => {
    expect(() => messages([{ type: 'web_search_call' }], [], 'Be brief.')).toThrow(
      'input must hold a message or the output of a tool',
    );
  });

  it('does not know files of a provider', () => {
    const named = { type: 'input_image', file_id: 'f' };
    const input = validateInput([asked(named), asked(named)]);
    expect(() => toChatMessages({ previous: [], input, takes: () => true })).toThrow(
      'input[1].content[0] must hold its data: files stored at a provider are not supported.',
    );
    const older = validateInput([asked(named), asked({ type: 'input_text', text: 'Hi' })]);
    expect(toChatMessages({ previous: [], input: older, takes: () => true })[0]).toEqual({
      role: 'user',
      content: '[image left out: its data was not sent]',
    });
  });

  it('makes one message of reasoning, text and calls', () => {
    expect(
      messages([thought('Why'), said('I read.'), called('c1'), called('c2'), found('c1'), found('c2')]),
    ).toEqual([
      {
        role: 'assistant',
        content: 'I read.',
        reasoning_content: 'Why',
        tool_calls: [toolCall('c1'), toolCall('c2')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'found' },
      { role: 'tool', tool_call_id: 'c2', content: 'found' },
    ]);
  });

  it('keeps parallel calls together whatever stands between them', () => {
    expect(messages([called('c1'), thought('Why'), said('And:'), called('c2'), found('c2')])).toEqual([
      {
        role: 'assistant',
        content: 'And:',
        reasoning_content: 'Why',
        tool_calls: [toolCall('c1'), toolCall('c2')],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'found' },
    ]);
  });

  it('keeps one answer after the other apart', () => {
    expect(messages([said('a'), thought('Why'), said('b'), said('c')])).toEqual([
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b', reasoning_content: 'Why' },
      { role: 'assistant', content: 'c' },
    ]);
  });

  it.each([
    [{ summary: [] }, 'Hidden'],
    [{ summary: null, content: null }, 'Hidden'],
    [{ ...thought('Shown') }, 'Shown'],
  ])('takes reasoning from what it carries unless it is shown, as %j', (fields, expected) => {
    const item = { type: 'reasoning', encrypted_content: carryText('Hidden'), ...fields };
    expect(messages([item, called('c1')])[0]).toMatchObject({ reasoning_content: expected });
    const foreign = { ...item, summary: [], encrypted_content: 'gAAAAABo' };
    expect(messages([foreign, called('c1')])[0]).not.toHaveProperty('reasoning_content');
  });

  it('drops reasoning that led to nothing', () => {
    expect(messages([thought('Why'), { role: 'user', content: 'Go on' }])).toEqual([
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('knows calls of custom tools and of namespaces by the names of their functions', () => {
    const custom = { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** "x"\n' };
    const nested = called('c2', { name: 'find', namespace: 'crm' });
    expect(messages([custom, nested])).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [toolCall('c1', 'patch', '{"input":"*** \\"x\\"\\n"}'), toolCall('c2', 'crm__find')],
      },
    ]);
  });

  it.each([
    ['thoughts', thought('x'.repeat(200)), [said('So.')]],
    ['texts behind a call', said('x'), [found('c1')]],
  ])('puts many %s together in linear time', (_what, item, last) => {
    const cost = (count: number): number => {
      const input = validateInput([called('c1'), ...Array<object>(count).fill(item), ...last]);
      return cpuMs(() => toChatMessages({ previous: [], input }));
    };
    expectCostRatio({ small: () => cost(2000), large: () => cost(16_000) }, 24);
  });

  it.each<[call: object, output: object, name: string, json: string, text: string]>([
    [
      { type: 'shell_call', action: { commands: ['ls', 'cat x'] } },
      {
        type: 'shell_call_output',
        output: [
          { stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: '', stderr: 'no x', outcome: { type: 'exit', exit_code: 1 } },
          { stdout: 'w', stderr: '', outcome: { type: 'timeout' } },
        ],
      },
      'shell',
      '{"commands":["ls","cat x"]}',
      'a.txt\nno x\nExit code: 1\nw\nTimed out.',
    ],
    [
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', id: 'c1', call_id: undefined, output: 'a.txt' },
      'local_shell',
      '{"type":"exec","command":["ls"]}',
      'a.txt',
    ],
    [
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a.txt' } },
      { type: 'apply_patch_call_output', status: 'failed', output: 'No such file.' },
      'apply_patch',
      '{"type":"delete_file","path":"a.txt"}',
      'failed\nNo such file.',
    ],
    [
      { type: 'tool_search_call', execution: 'client', arguments: { query: 'mail' } },
      { type: 'tool_search_output', execution: 'client', tools: [{ type: 'function', name: 'send' }] },
      'tool_search',
      '{"query":"mail"}',
      'Found: send',
    ],
    [
      { type: 'local_shell_call', action: { command: ['ls'] } },
      { type: 'function_call_output', output: 'a.txt' },
      'local_shell',
      '{"command":["ls"]}',
      'a.txt',
    ],
  ])('tells of a built-in tool as of a function: %j', (call, output, name, json, text) => {
    const expected = [
      { role: 'assistant', content: null, tool_calls: [toolCall('c1', name, json)] },
      { role: 'tool', tool_call_id: 'c1', content: text },
    ];
    const asked = { call_id: 'c1', ...call };
    const told = { call_id: 'c1', ...output };
    expect(messages([asked, told])).toEqual(expected);
    expect(messages([told], [asked])).toEqual(expected);
  });

  it('leaves out what a provider ran itself', () => {
    const ask = { role: 'user', content: 'Hi' };
    const call = { type: 'tool_search_call', call_id: null, arguments: {} };
    const output = { type: 'tool_search_output', id: 'tso_1', call_id: null, tools: [] };
    expect(messages([call, output, ask])).toEqual([ask]);
  });

  it('takes what a built-in tool found whose call was left out', () => {
    const ask = { role: 'user', content: 'Hi' };
    const shell = { type: 'shell_call_output', call_id: 'gone', output: [{ stdout: 'b.txt' }] };
    const local = { type: 'local_shell_call_output', id: 'lsc_gone', output: 'a.txt' };
    expect(messages([shell, local, ask])).toEqual([
      { role: 'tool', tool_call_id: 'gone', content: 'b.txt' },
      { role: 'tool', tool_call_id: 'lsc_gone', content: 'a.txt' },
      ask,
    ]);
  });

  it.each([null, 'c1'])('knows a local shell by the id of its item, too, with the call id %j', (callId) => {
    const call = { type: 'local_shell_call', id: 'lsc_1', call_id: callId, action: { command: ['ls'] } };
    const id = callId ?? 'lsc_1';
    expect(messages([call, { type: 'local_shell_call_output', id: 'lsc_1', output: 'a.txt' }])).toEqual([
      { role: 'assistant', content: null, tool_calls: [toolCall(id, 'local_shell', '{"command":["ls"]}')] },
      { role: 'tool', tool_call_id: id, content: 'a.txt' },
    ]);
  });

  it('reads what an agent is told by another as said by the user', () => {
    const told = {
      type: 'agent_message',
      author: '/root',
      recipient: '/root/count',
      content: [
        { type: 'input_text', text: 'A task:' },
        { type: 'encrypted_content', encrypted_content: 'Count the files.' },
      ],
    };
    expect(messages([told])).toEqual([{ role: 'user', content: 'A task:\n\nCount the files.' }]);
  });

  it('reads its own summaries as said by the user, and none of other servers', () => {
    const summary = (content: string): object => ({ type: 'compaction', encrypted_content: content });
    const asked = { role: 'user', content: 'Go on.' };
    const told = { role: 'user', content: 'Summary of the conversation so far:\n\nDone: a.' };
    expect(messages([asked, summary(carryText('Done: a.'))])).toEqual([asked, told]);
    expect(messages([summary('gAAAA'), asked])).toEqual([asked]);
  });

  it('asks for a summary where the last item does', () => {
    const trigger = { type: 'compaction_trigger' };
    const asked = { role: 'user', content: 'Hi' };
    const request = { role: 'user', content: SUMMARY_REQUEST };
    expect(messages([asked, said('Hello.'), trigger])).toEqual([
      asked,
      { role: 'assistant', content: 'Hello.' },
      request,
    ]);
    expect(messages([trigger], [asked])).toEqual([asked, request]);
    expect(messages([trigger, asked])).toEqual([asked]);
    expect(() => messages([trigger])).toThrow('input must hold a message');
  });

  it('takes an output that names no call', () => {
    const output = { type: 'function_call_output', output: 'found' };
    expect(messages([output])).toEqual([{ role: 'tool', content: 'found' }]);
  });

  it('goes on without items that it does not know', () => {
    const ask = { role: 'user', content: 'Hi' };
    expect(messages([{ type: 'poem' }, ask], [{ type: 'poem' }, ask])).toEqual([ask, ask]);
  });

  it('says nothing of added tools', () => {
    const ask = { role: 'user', content: 'Hi' };
    const added = { type: 'additional_tools', role: 'developer', tools: [] };
    expect(messages([added, ask], [added])).toEqual([ask]);
  });

  it('finds the call of an output in the responses before', () => {
    expect(messages([found('c1')], [called('c1')])).toHaveLength(2);
  });

  it('takes the output of a call that was left out', () => {
    const ask = { role: 'user', content: 'Hi' };
    expect(messages([found('c1'), ask])).toMatchObject([{ role: 'tool', tool_call_id: 'c1' }, ask]);
  });
});
