import { describe, expect, it } from '@jest/globals';
import { type LogRecord } from '../records/log-filter.js';
import { OpenRecords } from './open-records.js';

describe('OpenRecords', () => {
  it('lists what is left, oldest first, whatever ended before', () => {
    const open = new OpenRecords();
    const [a, b, c, d] = [1, 2, 3, 4].map((seq) => open.add({ seq, record: {} as LogRecord, keeps: 'full' }));
    const left = (): number[] => open.list().map(({ seq }) => seq);
    open.remove(a!);
    expect(left()).toEqual([2, 3, 4]);
    open.remove(d!);
    open.remove(b!);
    expect(left()).toEqual([3]);
    open.add({ seq: 5, record: {} as LogRecord, keeps: 'full' });
    open.remove(c!);
    expect(left()).toEqual([5]);
    open.remove(c!);
    expect(left()).toEqual([5]);
  });
});
