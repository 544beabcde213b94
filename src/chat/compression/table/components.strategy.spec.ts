import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { componentsStrategy } from './components.strategy.js';

function condense(lines: readonly string[]): string | undefined {
  return componentsStrategy.condense(lines.join('\n'), strategyContext());
}

describe('componentsStrategy', () => {
  it('reads the components of a calendar', () => {
    const event = (number: number): string[] => [
      'BEGIN:VEVENT',
      `UID:${number}@shop`,
      `SUMMARY:${number === 9 ? 'Power cut' : 'Sync'}`,
      `ATTENDEE;CN=Ana:mailto:ana${number % 2}@shop`,
      'END:VEVENT',
    ];
    const lines = ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Ops', ...range(1, 20).flatMap(event), 'END:VCALENDAR'];
    expect(condense(lines)?.split('\n')).toEqual([
      ...['BEGIN:VCALENDAR', 'X-WR-CALNAME:Ops', 'END:VCALENDAR'],
      ...range(1, 3).flatMap(event),
      '[… 5 rows omitted]',
      ...event(9),
      '[… 9 rows omitted]',
      ...[19, 20].flatMap(event),
      '[20 rows in all; SUMMARY: Sync 19, Power cut 1; ATTENDEE: CN=Ana:mailto:ana1@shop 10, CN=Ana:mailto:ana0@shop 10; distinct values UID 20]',
    ]);
    expect(condense(lines.slice(0, 20))).toBeUndefined();
  });
});
