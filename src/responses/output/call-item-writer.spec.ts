import { describe, expect, it } from '@jest/globals';
import { CallItemWriter } from './call-item-writer.js';
import { EventNumbering } from './event-numbering.js';

describe('CallItemWriter', () => {
  it('writes a call of a built-in tool with its action, whole at the end', () => {
    const at = { events: new EventNumbering(), response: 'resp_1', index: 0 };
    const writer = new CallItemWriter(at, 'call_0', { kind: 'shell', name: 'shell' });
    expect(writer.open()).toContain('"commands":[]');
    expect(writer.arguments('{"commands":') + writer.arguments('["ls"]}')).toBe('');
    expect(writer.close('completed').match(/^event: .*/gm)).toEqual(['event: response.output_item.done']);
    expect(writer.item('completed')).toMatchObject({
      type: 'shell_call',
      status: 'completed',
      call_id: 'call_0',
      action: { commands: ['ls'] },
    });
  });
});
