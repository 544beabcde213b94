import { describe, expect, it } from '@jest/globals';
import { CallItemWriter } from './call-item-writer.js';
import { EventNumbering } from './event-numbering.js';

describe('CallItemWriter', () => {
  it('writes a call of a built-in tool with its action, whole at the end', () => {
    const at = { events: new EventNumbering(), response: 'resp_1', index: 0 };
    const writer = new CallItemWriter(at, 'call_0', { kind: 'shell', name: 'shell' });
    expect(writer.open() + writer.arguments('{"commands":') + writer.arguments('["ls"]}')).toBe('');
    const events = writer.close('completed');
    expect(events.match(/^event: .*/gm)).toEqual([
      'event: response.output_item.added',
      'event: response.output_item.done',
    ]);
    expect(events.match(/"status":"\w+"|"commands":\["ls"\]/g)).toEqual([
      ...['"status":"in_progress"', '"commands":["ls"]'],
      ...['"status":"completed"', '"commands":["ls"]'],
    ]);
    expect(writer.item('completed')).toMatchObject({
      type: 'shell_call',
      status: 'completed',
      call_id: 'call_0',
      action: { commands: ['ls'] },
    });
  });

  it.each([
    ['apply_patch', 'in_progress'],
    ['shell', 'incomplete'],
  ] as const)('writes a call of %s that was cut off as %s', (kind, status) => {
    const at = { events: new EventNumbering(), response: 'resp_1', index: 0 };
    expect(new CallItemWriter(at, 'call_0', { kind, name: kind }).item('incomplete').status).toBe(status);
  });
});
