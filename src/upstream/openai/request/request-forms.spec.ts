import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { type Failure } from '../upstream-failure.js';
import { RequestForms } from './request-forms.js';

const REQUEST: UpstreamRequest = {
  prompt: {
    messages: [
      { role: 'user', content: 'Hi', name: 'ann' },
      { role: 'assistant', content: 'Ho' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'And now?' },
    ],
    text: '',
  },
  model: 'm',
  thinking: true,
  params: { maxTokens: 9, stop: [], temperature: 1, further: { verbosity: 'low' } },
};

const refusal = (text: string): Failure => ({ status: 400, text, codes: [], message: text });

describe('RequestForms', () => {
  it.each([
    'roles must alternate',
    'missing reasoning_content',
    "property 'name' is unsupported",
    "Unsupported parameter: 'verbosity'",
  ])('learns of a model from %s', (text) => {
    const forms = new RequestForms();
    const before = forms.bodyOf(REQUEST);
    expect(forms.judge(REQUEST, refusal(text))).toMatchObject({ name: 'UnavailableError' });
    expect(forms.bodyOf(REQUEST)).not.toBe(before);
  });

  it.each([
    "Invalid schema for function 'read': 'roles must alternate' is not valid under any of the given schemas.",
    "Invalid schema for function 'read': 'missing reasoning_content' is not valid under any of the given schemas.",
    "Invalid schema for response_format 'x': In context=('properties', 'verbosity'), 'oneOf' is not permitted.",
    'Unrecognized schema: {"type":"numbr","title":"temperature"}',
    "'temperature' is not permitted; invalid_value; tools[0].function.parameters",
    "('properties', 'name', 'x') is not permitted",
    'tools.0: unknown field `name`',
  ])('learns nothing from a complaint about the schema of one caller: %s', (text) => {
    const forms = new RequestForms();
    const before = forms.bodyOf(REQUEST);
    expect(forms.judge(REQUEST, refusal(text))).toMatchObject({ fault: 'invalid_request' });
    expect(forms.bodyOf(REQUEST)).toBe(before);
  });

  it('reads a limit that the conversation quotes from an earlier refusal', () => {
    const quoted = "This model's maximum context length is 8192 tokens.";
    const judge = (content: string): unknown => {
      const prompt = { messages: [{ role: 'user', content }], text: '' };
      const text = `${quoted} However, your messages resulted in 9000 tokens.`;
      return new RequestForms().judge({ ...REQUEST, prompt }, refusal(text));
    };
    const contextLimit = { maxTokens: 8192, promptTokens: 9000 };
    expect(judge('Hi')).toMatchObject({ fault: 'too_long', contextLimit });
    expect(judge(`It said: ${quoted}`)).toMatchObject({
      contextLimit: { ...contextLimit, isRepeated: true },
    });
  });

  describe('refusing a picture', () => {
    const BAD_URL = { type: 'image_url', image_url: { url: 'x://bad' } };
    const judge = (text: string, ...content: readonly object[]): unknown => {
      const prompt = { messages: [{ role: 'user', content }], text: '' };
      return new RequestForms().judge({ ...REQUEST, prompt }, refusal(text));
    };

    it.each<[string, object]>([
      ['address', { type: 'image_url', image_url: { url: 'https://pictures.example/Text-Only' } }],
      ['name', { type: 'file', file: { filename: 'text-only' } }],
      ['kind', { type: 'text-only' }],
    ])('takes no %s of what is shown for a word about the model', (_, part) => {
      const error = 'Could not read https://pictures.example/text-only.';
      expect(judge(error, part)).toMatchObject({ fault: 'invalid_request' });
      expect(judge(error, BAD_URL)).toMatchObject({ fault: 'text_only' });
    });

    it.each([
      ['Is this a text-only model?', "[{'msg': 'bad url', 'input': 'Is this a Text-only model?'}]"],
      ['{"content": must be a string', 'bad url of {"content": must be a string'],
    ])('takes no text beside what is shown for a word about the model: %s', (text, error) => {
      expect(judge(error, { type: 'text', text }, BAD_URL)).toMatchObject({ fault: 'invalid_request' });
      expect(judge(error, BAD_URL)).toMatchObject({ fault: 'text_only' });
    });
  });
});
