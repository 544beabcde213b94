import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { complainedField } from './complained-field.js';

const REQUEST: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hi' }], text: 'Hi' },
  model: 'm',
  thinking: true,
  params: {
    temperature: 0.7,
    topP: 0.9,
    maxTokens: 100,
    stop: ['END'],
    seed: 1,
    further: { logit_bias: {}, service_tier: 'min_p', grammar: 'root' },
  },
  tools: {
    definitions: [{ type: 'function', function: { name: 'top_p' } }],
    choice: 'auto',
    parallel: true,
  },
  responseFormat: { type: 'json_object' },
};

describe('complainedField', () => {
  it.each([
    ['temperature above 1 is refused on host-7', 'temperature'],
    ["Invalid type for 'stop': expected an array of strings", 'stop'],
    ['Invalid value; stop', 'stop'],
    ['value is not a valid list; body; stop; 3', 'stop'],
    ['stop: too many sequences', 'stop'],
    ['`seed` must be between 0 and 10', 'seed'],
    ['max_completion_tokens must be at most 50', 'max_tokens'],
    ['logit_bias and temperature do not go together', 'logit_bias'],
    ["Invalid 'messages[1].content': empty", 'messages'],
    ['messages.1.temperature: extra inputs', 'messages'],
    ['at least one message is required; messages', 'messages'],
    ['invalid model ID; model', 'model'],
    ['Invalid schema for function; tools[0].function.parameters', 'tools'],
    ["Invalid schema for response_format 'x': ('properties', 'seed')", 'response_format'],
    ['Failed to load the grammar; grammar', 'grammar'],
  ])('finds in "%s" the field %s', (message, field) => {
    expect(complainedField(REQUEST, message)).toBe(field);
  });

  it.each([
    [
      'words that are names elsewhere',
      'This model cannot stop; its tools, messages, seed and grammar are bad',
    ],
    ['a field that was not sent', 'presence_penalty is out of range'],
    ['a part of a longer name', 'my_temperature_x is out of range'],
    ["a caller's value", "Invalid value: 'min_p'"],
    ["a caller's tool", "There is no tool 'top_p'"],
    ["a caller's schema", "Invalid schema: ('properties', 'logit_bias') is not valid"],
    ['an address', 'Cannot load https://example.com/temperature'],
    ['nothing', ''],
  ])('finds none in %s', (_what, message) => {
    expect(complainedField(REQUEST, message)).toBeUndefined();
  });
});
