import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
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

describe('RequestForms', () => {
  it.each([
    'roles must alternate',
    'missing reasoning_content',
    "property 'name' is unsupported",
    "Unsupported parameter: 'verbosity'",
  ])('learns of a model from %s', (text) => {
    const forms = new RequestForms();
    const before = forms.bodyOf(REQUEST);
    expect(forms.judge(REQUEST, { status: 400, text })).toMatchObject({ name: 'UnavailableError' });
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
    expect(forms.judge(REQUEST, { status: 400, text })).toMatchObject({ fault: 'invalid_request' });
    expect(forms.bodyOf(REQUEST)).toBe(before);
  });
});
