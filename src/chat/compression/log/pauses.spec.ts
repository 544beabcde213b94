import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { logStrategy } from './log.strategy.js';
import { linesAtPauses } from './pauses.js';

/** Lines of a log, a second or two from each to the next, with pauses of so many seconds behind some. */
function logOf(pauses: Readonly<Record<number, number>>): string[] {
  let seconds = 0;
  return range(0, 59).map((at) => {
    const time = new Date(Date.UTC(2026, 2, 10, 8, 0, seconds)).toISOString().slice(0, 19);
    seconds += pauses[at] ?? 1 + (at % 2);
    return `[${time}] configured part ${at}`;
  });
}

describe('linesAtPauses', () => {
  it('finds the lines in front of and behind the longest pauses', () => {
    expect(linesAtPauses(logOf({ 20: 300 }))).toEqual([20, 21]);
    expect(linesAtPauses(logOf({ 20: 300, 41: 7000 }))).toEqual([41, 42, 20, 21]);
  });

  it('finds none where many are as long, none that is short, and none in lines without times', () => {
    expect(linesAtPauses(logOf({ 5: 300, 20: 310, 30: 290, 41: 320 }))).toEqual([]);
    expect(linesAtPauses(logOf({ 20: 20 }))).toEqual([]);
    expect(linesAtPauses(logOf({ 20: 300 }).map((line) => line.slice(22)))).toEqual([]);
  });

  it('has the log show them', () => {
    const lines = logOf({ 20: 300 });
    const text = logStrategy.condense(lines.join('\n'), strategyContext('bash'));
    expect(text).toContain(`${lines[20] ?? ''}\n${lines[21] ?? ''}\n[…`);
  });
});
