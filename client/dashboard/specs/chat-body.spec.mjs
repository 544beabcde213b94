import { describe, expect, it } from '@jest/globals';
import { toChatBody, toChatFields } from '../assets/data/chat/chat-body.js';

const FIELDS = {
  model: 'svc-max',
  system: '',
  earlier: '',
  prompt: 'Hello',
  tools: '',
  parameters: '',
  reasoning: '',
  stream: true,
};
const TOOL = { name: 'f', parameters: { type: 'object' } };

describe('toChatBody', () => {
  it('asks for a stream with its usage', () => {
    expect(toChatBody(FIELDS)).toEqual({
      model: 'svc-max',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('takes everything else from its field, fields before parameters', () => {
    const earlier = [{ role: 'user', content: 'a' }];
    const body = toChatBody({
      ...FIELDS,
      system: 'Be brief.',
      earlier: JSON.stringify(earlier),
      tools: JSON.stringify([TOOL]),
      parameters: '{"model": "other", "temperature": 0}',
      reasoning: 'none',
      stream: false,
    });
    expect(body).toEqual({
      temperature: 0,
      model: 'svc-max',
      messages: [{ role: 'system', content: 'Be brief.' }, ...earlier, { role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: TOOL }],
      reasoning_effort: 'none',
      stream: false,
    });
  });

  it.each([
    [{ prompt: '' }, 'prompt', 'Write something to the model.'],
    [{ tools: '{}' }, 'tools', 'This must be a JSON list of tools.'],
    [{ earlier: 'null' }, 'earlier', 'This must be a JSON list of messages.'],
    [{ parameters: '[]' }, 'parameters', 'This must be a JSON object.'],
    [{ parameters: '{' }, 'parameters', expect.stringContaining('This is not JSON: ')],
  ])('refuses %j at its field', (change, field, message) => {
    let problem;
    try {
      toChatBody({ ...FIELDS, ...change });
    } catch (error) {
      problem = error;
    }
    expect(problem).toMatchObject({ name: 'FieldError', field, message });
  });
});

describe('toChatFields', () => {
  it('shows a body such that the fields ask for it again', () => {
    const body = {
      temperature: 0.5,
      model: 'svc-max',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
      tools: [{ type: 'function', function: TOOL }],
      reasoning_effort: 'low',
      stream: false,
    };
    const fields = toChatFields(body);
    expect(fields).toMatchObject({ system: 'Be brief.', prompt: 'c', reasoning: 'low' });
    expect(toChatBody(fields)).toEqual(body);
  });

  it('leaves a conversation that ends with a result among the earlier messages', () => {
    const messages = [{ role: 'tool', tool_call_id: 'c', content: 'r' }];
    const fields = toChatFields({ model: 'm', messages });
    expect([fields.prompt, JSON.parse(fields.earlier)]).toEqual(['', messages]);
    expect(toChatBody(fields).messages).toEqual(messages);
  });
});
