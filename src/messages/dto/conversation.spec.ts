import { describe, expect, it } from '@jest/globals';
import { carryText } from '../../chat/dto/carried-text.js';
import { toConversation } from './conversation.js';

const ASK = { role: 'user', content: 'Hi' };
const USE = { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } };
const CALL = { id: 't1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
const CALLED = { role: 'assistant', content: null, tool_calls: [CALL] };
const text = (value: string): object => ({ type: 'text', text: value });
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

/** The messages that stand for the results of one call. */
function results(...blocks: unknown[]): unknown {
  return toConversation(undefined, [
    { role: 'assistant', content: [USE] },
    { role: 'user', content: blocks },
  ]).slice(1);
}

const result = (content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: 't1',
  content,
  ...more,
});

// Blocks: https://platform.claude.com/docs/en/api/messages
describe('toConversation', () => {
  it.each<[unknown, unknown]>([
    [undefined, []],
    [null, []],
    ['', []],
    ['Be brief.', [{ role: 'system', content: 'Be brief.' }]],
    [
      [text('One.'), { ...text('Two.'), cache_control: { type: 'ephemeral' } }],
      [{ role: 'system', content: 'One.\n\nTwo.' }],
    ],
    [
      [text('x-anthropic-billing-header: cc_version=2; cch=00000;'), text('One.')],
      [{ role: 'system', content: 'One.' }],
    ],
    [
      [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'a' } }, text('One.')],
      [{ role: 'system', content: 'One.' }],
    ],
    [[{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } }], []],
  ])('takes the system prompt %j', (system, expected) => {
    expect(toConversation(system, [ASK])).toEqual([...(expected as unknown[]), ASK]);
  });

  it('takes changes of the tools out of any message', () => {
    const removal = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } };
    const messages = [
      { role: 'user', content: [removal, text('Hi')] },
      { role: 'assistant', content: [text('Yes?'), removal] },
    ];
    expect(toConversation(undefined, messages)).toEqual([ASK, { role: 'assistant', content: 'Yes?' }]);
  });

  it('shows what the system says for one turn until the next message of the user', () => {
    const note = { role: 'system', content: 'Be brief.', clear_at: 'next_user_message' };
    const said = { role: 'system', content: 'Be brief.' };
    const answer = { role: 'assistant', content: 'Yes?' };
    expect(toConversation(undefined, [ASK, note, answer])).toEqual([ASK, said, answer]);
    expect(toConversation(undefined, [ASK, note, answer, ASK, note])).toEqual([ASK, answer, ASK, said]);
    const lasting = { ...note, clear_at: 'never' };
    expect(toConversation(undefined, [ASK, lasting, answer, ASK])).toEqual([ASK, said, answer, ASK]);
  });

  it('takes messages of the system that set nothing but the effort', () => {
    const change = { role: 'system', output_config: { effort: 'low' } };
    expect(toConversation(undefined, [ASK, change, { ...change, content: [] }])).toEqual([ASK]);
    expect(() => toConversation(undefined, [ASK, { ...change, output_config: {} }])).toThrow(
      'messages[1].content is required.',
    );
  });

  it('takes text, thinking and calls of the assistant', () => {
    const content = [
      { type: 'thinking', thinking: 'Let me ', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'thinking', thinking: 'look.', signature: 's' },
      text('I '),
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
      text('look.'),
      USE,
      { type: 'tool_use', id: 't2', name: 'list' },
    ];
    expect(toConversation(undefined, [ASK, { role: 'assistant', content }])).toEqual([
      ASK,
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Let me look.',
        tool_calls: [CALL, { id: 't2', type: 'function', function: { name: 'list', arguments: '{}' } }],
      },
    ]);
  });

  it('takes thinking that was not shown from its signature, and none of another server', () => {
    const hidden = (signature: unknown): object => ({ type: 'thinking', thinking: '', signature });
    const shown = { type: 'thinking', thinking: ' Then b.', signature: carryText('Not this.') };
    const content = [hidden(carryText('First a.')), hidden('ErUBCkYIBxgCIkDf'), hidden(null), shown, USE];
    expect(toConversation(undefined, [ASK, { role: 'assistant', content }])).toEqual([
      ASK,
      { ...CALLED, reasoning_content: 'First a. Then b.' },
    ]);
  });

  it.each(['Go on', [text('Go on')]])('takes an answer that is to be continued, as %j', (content) => {
    expect(toConversation(undefined, [ASK, { role: 'assistant', content }])).toEqual([
      ASK,
      { role: 'assistant', content: 'Go on' },
    ]);
  });

  describe('with a summary', () => {
    const summary = { type: 'compaction', content: 'Step 3 is done.', encrypted_content: 'x' };
    const SUMMARY = { role: 'user', content: 'Summary of the conversation so far:\n\nStep 3 is done.' };
    const PROMPT = { role: 'system', content: 'Be brief.' };
    const converse = (...messages: object[]): unknown => toConversation('Be brief.', messages);

    it('begins with it, whether or not what it stands for was sent along', () => {
      const reply = { role: 'assistant', content: [text('Before.'), summary, text('Going on.')] };
      const expected = [PROMPT, SUMMARY, { role: 'assistant', content: 'Going on.' }, ASK];
      expect(converse(reply, ASK)).toEqual(expected);
      expect(converse(ASK, { role: 'system', content: 'Hm.' }, reply, ASK)).toEqual(expected);
    });

    it('adds no empty turn for one that stands alone', () => {
      expect(converse(ASK, { role: 'assistant', content: [summary] }, ASK)).toEqual([PROMPT, SUMMARY, ASK]);
    });

    it('keeps a result whose call was before it', () => {
      const reply = { role: 'assistant', content: [USE, summary] };
      expect(converse(ASK, reply, { role: 'user', content: [result('One.')] })).toEqual([
        PROMPT,
        SUMMARY,
        { role: 'tool', tool_call_id: 't1', content: 'One.' },
      ]);
    });

    it('takes the last of several, and none that failed', () => {
      const older = { role: 'assistant', content: [{ ...summary, content: 'Step 1.' }] };
      const failed = { role: 'assistant', content: [{ ...summary, content: null }, text('Ho')] };
      expect(converse(older, ASK, { role: 'assistant', content: [summary] }, failed)).toEqual([
        PROMPT,
        SUMMARY,
        { role: 'assistant', content: 'Ho' },
      ]);
    });
  });

  it('makes messages of results, and keeps text between them at its place', () => {
    const blocks = [text('A'), result('One.'), text('B'), text('C'), result([text('Two.'), text('Three.')])];
    expect(results(...blocks)).toEqual([
      { role: 'user', content: 'A' },
      { role: 'tool', tool_call_id: 't1', content: 'One.' },
      { role: 'user', content: 'B\n\nC' },
      { role: 'tool', tool_call_id: 't1', content: 'Two.\n\nThree.' },
    ]);
  });

  it.each<[unknown, object, string]>([
    [undefined, {}, ''],
    ['No such file', { is_error: true }, 'Error: No such file'],
    ['Error: no such file', { is_error: true }, 'Error: no such file'],
    ['<tool_use_error>No.</tool_use_error>', { is_error: true }, '<tool_use_error>No.</tool_use_error>'],
    ['Errors: 0', { is_error: false }, 'Errors: 0'],
    [[IMAGE, text('A picture.')], {}, '[image left out: this upstream takes text only]\n\nA picture.'],
    [[{ type: 'tool_reference', tool_name: 'search' }], {}, 'search'],
    [
      [{ type: 'search_result', title: 'T', source: 'https://s', content: [text('Found.')] }],
      {},
      'T\nhttps://s\nFound.',
    ],
    [[{ type: 'document', source: { type: 'text', data: 'Words.' }, title: 'D' }], {}, 'D\nWords.'],
    [[{ type: 'document', source: { type: 'content', content: 'Words.' } }], {}, 'Words.'],
    [
      [{ type: 'document', source: { type: 'text', data: 'Words.' }, title: 'D', context: 'Superseded.' }],
      {},
      'D\nSuperseded.\nWords.',
    ],
    [
      [{ type: 'document', source: { type: 'base64', data: 'AAAA' } }],
      {},
      '[document left out: this upstream takes text only]',
    ],
  ])('takes the result %j %j', (content, more, expected) => {
    expect(results(result(content, more))).toEqual([{ role: 'tool', tool_call_id: 't1', content: expected }]);
  });

  it('takes system messages in the middle, as text and as blocks', () => {
    const messages = [
      ASK,
      { role: 'system', content: 'One.' },
      { role: 'assistant', content: 'Ho' },
      ASK,
      { role: 'system', content: [{ ...text('Two.'), cache_control: { type: 'ephemeral' } }] },
    ];
    expect(toConversation('Zero.', messages)).toEqual([
      { role: 'system', content: 'Zero.' },
      ASK,
      { role: 'system', content: 'One.' },
      { role: 'assistant', content: 'Ho' },
      ASK,
      { role: 'system', content: 'Two.' },
    ]);
  });

  it('replaces an image in an older message only', () => {
    const older = { role: 'user', content: [IMAGE, text('Look.')] };
    expect(toConversation(undefined, [older, { role: 'assistant', content: 'Yes.' }, ASK])[0]).toEqual({
      role: 'user',
      content: '[image left out: this upstream takes text only]\n\nLook.',
    });
    expect(() => toConversation(undefined, [ASK, older])).toThrow(
      expect.objectContaining({
        param: 'messages[1].content[0]',
        message: 'messages[1].content[0] must be a text block: this upstream takes text only (got "image").',
      }),
    );
  });

  it('replaces what is shown beside a result', () => {
    const document = { type: 'document', source: { type: 'base64', data: 'AAAA' } };
    const answers = [
      { role: 'assistant', content: [USE] },
      { role: 'user', content: [result('Read.'), document] },
    ];
    expect(toConversation(undefined, [ASK, ...answers]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'Read.' },
      { role: 'user', content: '[document left out: this upstream takes text only]' },
    ]);
  });

  const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const LINK = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } };
  const PDF = { type: 'base64', media_type: 'application/pdf', data: 'BBBB' };

  it('gives what is no text to an upstream that takes it', () => {
    const content = [text('Look.'), IMAGE, LINK, { type: 'document', title: 'D.pdf', source: PDF }];
    expect(toConversation(undefined, [{ role: 'user', content }], () => true)).toEqual([
      {
        role: 'user',
        content: [
          text('Look.'),
          PICTURE,
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          { type: 'file', file: { filename: 'D.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
        ],
      },
    ]);
  });

  it('shows images of results behind them all, before what the user says', () => {
    const uses = ['t1', 't2'].map((id) => ({ ...USE, id }));
    const answers = [
      { role: 'assistant', content: uses },
      {
        role: 'user',
        content: [
          result([text('A.'), IMAGE]),
          { ...result([IMAGE], { is_error: true }), tool_use_id: 't2' },
          text('Go on.'),
        ],
      },
    ];
    expect(toConversation(undefined, answers, () => true).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 't1', content: 'A.\n\n[image: shown after the results]' },
      { role: 'tool', tool_call_id: 't2', content: 'Error:\n\n[image: shown after the results]' },
      { role: 'user', content: [PICTURE, PICTURE, text('Go on.')] },
    ]);
  });

  it('asks for each kind, and leaves out what is only named', () => {
    const named = { type: 'image', source: { type: 'file', file_id: 'f' } };
    const older = { role: 'user', content: [IMAGE, { type: 'document', source: PDF }, named] };
    const takes = (kind: string): boolean => kind === 'image';
    expect(toConversation(undefined, [older, ASK], takes)[0]).toEqual({
      role: 'user',
      content: [
        PICTURE,
        text('[document left out: this upstream takes text and image only]'),
        text('[image left out: its data was not sent]'),
      ],
    });
    const newest = { role: 'user', content: [{ type: 'document', source: PDF }] };
    expect(() => toConversation(undefined, [newest], takes)).toThrow(
      'messages[0].content[0] must be a text block: this upstream takes text and image only (got "document").',
    );
  });

  it('says before a document what is said of it', () => {
    const content = [{ type: 'document', title: 'D.pdf', context: 'Superseded.', source: PDF }];
    const [asked] = toConversation(undefined, [{ role: 'user', content }], () => true);
    expect(asked).toMatchObject({ content: [text('D.pdf\nSuperseded.'), { type: 'file' }] });
  });

  it.each([
    { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } },
    { type: 'document', source: { type: 'file', file_id: 'f' } },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
    { type: 'container_upload', file_id: 'f' },
  ])('refuses %j in the newest message by what it lacks', (block) => {
    const messages = [{ role: 'user', content: [text('Look.'), block] }];
    expect(() => toConversation(undefined, messages, () => true)).toThrow(
      'messages[0].content[1] must hold its data: files stored at a provider are not supported.',
    );
    expect(() => toConversation(undefined, messages)).toThrow(/this upstream takes text only/);
  });

  it('says of a block that it does not know that it is unknown, whatever the upstream takes', () => {
    const messages = [{ role: 'user', content: [{ type: 'hologram' }] }];
    expect(() => toConversation(undefined, messages, () => true)).toThrow(
      'messages[0].content[0] is of a type that this gateway does not know (got "hologram")',
    );
  });

  it('names the block for a picture as chat completions have it', () => {
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }];
    expect(() => toConversation(undefined, messages, () => true)).toThrow(
      'messages[0].content[0] must be an image block: image_url belongs to another format.',
    );
  });

  it.each<[unknown, unknown, string]>([
    [undefined, undefined, 'messages'],
    [undefined, {}, 'messages'],
    [undefined, [], 'messages'],
    [undefined, [5], 'messages[0]'],
    [undefined, [{ role: 'user' }], 'messages[0].content'],
    [undefined, [{ role: 'tool', content: '' }], 'messages[0].role'],
    [undefined, [{ role: 'user', content: 5 }], 'messages[0].content'],
    [undefined, [{ role: 'user', content: [] }], 'messages[0].content'],
    ['Be brief.', [{ role: 'user', content: [{ type: 'tool_removal' }] }], 'messages'],
    [undefined, [{ role: 'user', content: ['x'] }], 'messages[0].content[0]'],
    [undefined, [{ role: 'user', content: [{}] }], 'messages[0].content[0].type'],
    [undefined, [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    [
      undefined,
      [{ role: 'user', content: [result('x', { tool_use_id: '' })] }],
      'messages[0].content[0].tool_use_id',
    ],
    [
      undefined,
      [{ role: 'user', content: [result('x', { tool_use_id: 5 })] }],
      'messages[0].content[0].tool_use_id',
    ],
    [undefined, [{ role: 'assistant', content: [{ type: 'thinking' }] }], 'messages[0].content[0].thinking'],
    [undefined, [{ role: 'assistant', content: [{ ...USE, id: '' }] }], 'messages[0].content[0].id'],
    [undefined, [{ role: 'assistant', content: [{ ...USE, name: 5 }] }], 'messages[0].content[0].name'],
    [undefined, [{ role: 'assistant', content: [{ ...USE, input: [] }] }], 'messages[0].content[0].input'],
    [5, [ASK], 'system'],
    [[{ type: 'text', text: 5 }], [ASK], 'system[0].text'],
    [[IMAGE], [ASK], 'system[0]'],
  ])('refuses system %j and messages %j by the name %s', (system, messages, param) => {
    expect(() => toConversation(system, messages)).toThrow(expect.objectContaining({ param }));
  });

  it('refuses a result by its path', () => {
    expect(() => results(text('x'), result([{ type: 'text' }]))).toThrow(
      expect.objectContaining({ param: 'messages[1].content[1].content[0].text' }),
    );
    expect(() => results(result('x', { is_error: 1 }))).toThrow(
      expect.objectContaining({ param: 'messages[1].content[0].is_error' }),
    );
  });

  it('keeps neither a call without words nor a missing content apart', () => {
    expect(toConversation(undefined, [{ role: 'assistant', content: [USE] }])).toEqual([CALLED]);
  });
});
