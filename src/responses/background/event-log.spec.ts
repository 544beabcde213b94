import { describe, expect, it } from '@jest/globals';
import { EventLog } from './event-log.js';

const event = (number: number): string => `event: e\ndata: ${number}\n\n`;

describe('EventLog', () => {
  it('numbers the events of texts with several of them', () => {
    const log = new EventLog(event(0) + event(1));
    log.append('');
    log.append(event(2) + event(3));
    expect([log.length, log.last, log.text]).toEqual([
      4,
      event(3),
      event(0) + event(1) + event(2) + event(3),
    ]);
  });

  it('takes hundreds of thousands of events at once', () => {
    const log = new EventLog();
    log.append(event(0).repeat(200_000));
    expect(log.length).toBe(200_000);
  });

  it('reads a bounded number of events, but never none', () => {
    const log = new EventLog([0, 1, 2, 3].map(event).join(''));
    expect(log.read(1, 1)).toEqual([event(1)]);
    expect(log.read(1, event(1).length + 1)).toEqual([event(1), event(2)]);
    expect(log.read(2, 1000)).toEqual([event(2), event(3)]);
    expect(log.read(4, 1000)).toEqual([]);
    expect(log.read(9, 1000)).toEqual([]);
  });

  it('tells its listeners of growth and of its end', () => {
    const log = new EventLog();
    const seen: [number, boolean][] = [];
    const unsubscribe = log.subscribe(() => seen.push([log.length, log.isOver]));
    log.append(event(0));
    log.end();
    unsubscribe();
    log.end();
    expect(seen).toEqual([
      [1, false],
      [1, true],
    ]);
  });
});
