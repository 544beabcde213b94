import { describe, expect, it } from '@jest/globals';
import { type UpstreamEvent } from '../upstream-driver.js';
import { ChunkReader } from './chunk-reader.js';

/** The events of an answer, each chunk given as its first choice. */
function eventsOf(choices: readonly object[]): UpstreamEvent[] {
  const reader = new ChunkReader((error) => error as never);
  choices.forEach((choice) => reader.read({ choices: [choice] }));
  reader.complete();
  return reader.events.filter(({ type }) => type !== 'accepted');
}

const refusal = (text: string): UpstreamEvent => ({ type: 'refusal', text });
const DONE: UpstreamEvent = { type: 'done', reason: 'stop' };

describe('ChunkReader', () => {
  it.each<[string | undefined, object[]]>([
    [undefined, [{ content: 'a', reasoning_content: null }]],
    ['reasoning_content', [{ reasoning_content: 'a' }]],
    ['reasoning', [{ content: '' }, { reasoning: 'a' }, { content: 'b' }]],
    ['reasoning_content', [{ reasoning_content: '', reasoning: 'a' }]],
  ])('knows the reasoning as %s', (name, deltas) => {
    const reader = new ChunkReader((error) => error as never);
    deltas.forEach((delta) => reader.read({ choices: [{ delta }] }));
    expect(reader.reasoningName).toBe(name);
  });

  it.each<[string, object[], UpstreamEvent[]]>([
    [
      'in pieces',
      [
        { delta: { role: 'assistant', content: '', refusal: null } },
        { delta: { refusal: 'I ' } },
        { delta: { refusal: 'will not.' } },
        { delta: { content: '' }, finish_reason: 'stop' },
      ],
      [refusal('I '), refusal('will not.')],
    ],
    ['with the finish reason', [{ delta: { refusal: 'No.' }, finish_reason: 'stop' }], [refusal('No.')]],
    [
      'in whole messages so far',
      [
        { message: { content: '', refusal: 'No' } },
        { message: { content: '', refusal: 'No.' }, finish_reason: 'stop' },
      ],
      [refusal('No'), refusal('.')],
    ],
    [
      'behind text',
      [{ message: { content: 'Well.', refusal: 'No.' }, finish_reason: 'stop' }],
      [{ type: 'text', text: 'Well.' }, refusal('No.')],
    ],
  ])('tells a refusal from text: %s', (_what, choices, events) => {
    expect(eventsOf(choices)).toEqual([...events, DONE]);
  });
});
