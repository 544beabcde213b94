import { describe, expect, it } from '@jest/globals';
import { carryText } from '../../chat/dto/carried-text.js';
import { type ChatMessage } from '../../chat/interfaces/chat-message.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { fromContents } from './gemini-contents.js';

const HI = { role: 'user', parts: [{ text: 'Hi' }] };
const PNG = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
const READ = { functionCall: { name: 'read', args: { path: 'a' } } };

const model = (...parts: object[]) => ({ role: 'model', parts });
const user = (...parts: object[]) => ({ role: 'user', parts });
const response = (name: string, fields: object = { output: 'done' }) => ({
  functionResponse: { name, response: fields },
});

function read(...contents: unknown[]): readonly ChatMessage[] {
  return fromContents(undefined, contents, () => true);
}

/** Content of the only result that comes of a response. */
function resultOf(fields: object): unknown {
  return read(model(READ), user(response('read', fields)))[1]?.content;
}

function faultOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof InvalidRequestError ? error.param : String(error);
  }
  return undefined;
}

describe('fromContents', () => {
  it('takes what the user and the model said', () => {
    expect(
      fromContents({ parts: [{ text: 'Be brief.' }] }, [
        HI,
        model({ text: 'Hm.', thought: true }, { text: 'Hel' }, { text: 'lo.' }),
        { parts: [{ text: 'One.' }, { text: 'Two.' }] },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.', reasoning_content: 'Hm.' },
      { role: 'user', content: 'One.\n\nTwo.' },
    ]);
  });

  it('takes the chunks of an answer together', () => {
    const chunks = [{ text: 'Hel' }, { text: 'lo.' }, READ, { text: '' }].map((part) => model(part));
    expect(read(HI, ...chunks, user(response('read')))).toMatchObject([
      {},
      { role: 'assistant', content: 'Hello.', tool_calls: [{ function: { name: 'read' } }] },
      { role: 'tool', tool_call_id: 'call_0' },
    ]);
  });

  it('takes single elements for lists, snake case, and a system instruction as text', () => {
    expect(fromContents('Be brief.', { parts: { text: 'Hi' } })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(fromContents({ text: 'Be brief.' }, HI)[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(read({ parts: { inline_data: { mime_type: 'image/png', data: 'AAAA' } } })).toEqual([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ]);
  });

  it.each(['user', 'function', 'tool'])('takes results of the role %s', (role) => {
    expect(read(HI, model(READ), { role, parts: [response('read')] })).toMatchObject([
      {},
      {},
      { role: 'tool', tool_call_id: 'call_0', content: 'done' },
    ]);
  });

  it('matches results to calls by id, else by name and order', () => {
    const write = { functionCall: { id: 'w', name: 'write', args: null } };
    const results = [
      response('read', { output: '1' }),
      { functionResponse: { id: 'w', name: 'write', response: { output: '2' } } },
      response('read', { output: '3' }),
    ];
    expect(read(HI, model(READ, write, READ), { role: 'function', parts: results })).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'w', type: 'function', function: { name: 'write', arguments: '{}' } },
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: '1' },
      { role: 'tool', tool_call_id: 'w', content: '2' },
      { role: 'tool', tool_call_id: 'call_1', content: '3' },
    ]);
  });

  // @ai-sdk/google 4.0 does so for models other than Gemini 3, with pictures between.
  it('takes several responses under one id as one result', () => {
    const called = model({ functionCall: { id: 'a', name: 'see', args: {} } }, READ);
    const seen = (output: string, ...parts: object[]) => ({
      functionResponse: { id: 'a', name: 'see', response: { name: 'see', content: output }, parts },
    });
    expect(
      read(called, user(seen('one'), response('read'), { text: 'Look.' }, seen('two'))).slice(1),
    ).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one\n\ntwo' },
      { role: 'tool', tool_call_id: 'call_0', content: 'done' },
      { role: 'user', content: 'Look.' },
    ]);
    expect(read(called, user(seen('one', PNG), seen('two'), response('read'))).slice(1)).toMatchObject([
      { tool_call_id: 'a', content: 'one\n\n[image: shown after the results]\n\ntwo' },
      { tool_call_id: 'call_0' },
      { role: 'user', content: [{ type: 'image_url' }] },
    ]);
  });

  it.each([
    [{ output: 'text' }, 'text'],
    [{ output: { a: 1 } }, '{"a":1}'],
    [{ error: 'no such file' }, 'Error: no such file'],
    [{ output: 'a', error: 'b' }, '{"output":"a","error":"b"}'],
    [{ result: 'a\nb' }, 'a\nb'],
    [{ name: 'read', content: 'a\nb' }, 'a\nb'],
    [{ name: 'write', content: 'a' }, '{"name":"write","content":"a"}'],
    [{ return_value: { a: 1 } }, '{"a":1}'],
    [{ weather: 'fine' }, '{"weather":"fine"}'],
    [['a', 'b'], '["a","b"]'],
    [{}, '{}'],
  ])('reads the response %j', (fields, content) => {
    expect(resultOf(fields)).toBe(content);
  });

  it('shows what a function has shown behind its result', () => {
    const shown = { functionResponse: { name: 'read', response: { output: 'seen' }, parts: [PNG] } };
    expect(read(model(READ), user(shown)).slice(1)).toMatchObject([
      { role: 'tool', content: 'seen\n\n[image: shown after the results]' },
      { role: 'user', content: [{ type: 'image_url' }] },
    ]);
  });

  it('finds thoughts in the signature of a call where they are left out', () => {
    const call = { ...READ, thoughtSignature: carryText('Hm.') };
    const foreign = { ...READ, thoughtSignature: 'skip_thought_signature_validator' };
    const said = (...parts: object[]): unknown => read(HI, model(...parts))[1];
    expect(said(call)).toMatchObject({ reasoning_content: 'Hm.' });
    expect(said({ text: 'Hm!', thought: true }, call)).toMatchObject({ reasoning_content: 'Hm!' });
    expect(said(foreign)).not.toHaveProperty('reasoning_content');
  });

  it('passes over parts that hold nothing', () => {
    const empty = { thoughtSignature: 'AAAA', thought: true };
    expect(read(HI, model({ text: 'a' }, empty))).toMatchObject([{}, { content: 'a' }]);
  });

  it.each<[object, object]>([
    [
      { mimeType: 'audio/mpeg', data: 'AAAA' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ],
    [
      { mimeType: 'audio/x-wav', data: 'AAAA' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ],
    [
      { mimeType: 'video/mp4', data: 'AAAA' },
      { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
    ],
    [
      { mimeType: 'application/pdf', data: 'AAAA', displayName: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    ],
  ])('takes %j', (inlineData, part) => {
    expect(read(user({ inlineData }))).toEqual([{ role: 'user', content: [part] }]);
  });

  it('takes a file that is a text as text', () => {
    const inlineData = {
      mimeType: 'text/csv',
      data: Buffer.from('a;b').toString('base64'),
      displayName: 'a.csv',
    };
    expect(fromContents(undefined, user({ inlineData }))).toEqual([{ role: 'user', content: 'a.csv\na;b' }]);
  });

  it('leaves pictures of before out where the upstream takes none, and refuses a new one', () => {
    const note = '[image left out: this upstream takes text only]';
    expect(fromContents(undefined, [user(PNG), model({ text: 'ok' }, PNG), HI])).toMatchObject([
      { content: note },
      { content: `ok${note}` },
      { content: 'Hi' },
    ]);
    expect(faultOf(() => fromContents(undefined, [HI, user({ text: 'See' }, PNG)]))).toBe(
      'contents[1].parts[1]',
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'contents'],
    [[], 'contents'],
    [['Hi'], 'contents[0]'],
    [[{ role: 'cook', parts: [{ text: 'Hi' }] }], 'contents[0].role'],
    [[user()], 'contents[0].parts'],
    [[user({})], 'contents[0].parts'],
    [[user({ text: 5 })], 'contents[0].parts[0].text'],
    [[user({ inlineData: { mimeType: 'image/png' } })], 'contents[0].parts[0].inlineData.data'],
    [[user({ inlineData: { data: 'AAAA' } })], 'contents[0].parts[0].inlineData.mimeType'],
    [[user({ fileData: { fileUri: 'files/a' } })], 'contents[0].parts[0]'],
    [[model({ executableCode: { code: '1' } })], 'contents[0].parts[0]'],
    [[model({ functionCall: { args: {} } })], 'contents[0].parts[0].functionCall.name'],
    [[model({ functionCall: { name: 'a', args: [] } })], 'contents[0].parts[0].functionCall.args'],
    [[user({ functionResponse: { name: 'a', id: 5 } })], 'contents[0].parts[0].functionResponse.id'],
  ])('refuses %j and names %s', (contents, param) => {
    expect(faultOf(() => fromContents(undefined, contents))).toBe(param);
  });
});
