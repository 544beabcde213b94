import { describe, expect, it } from '@jest/globals';
import { entry } from '../../test/support/gateway/log-records.js';
import { logCsv } from './log-csv.js';

/** The cells of the only row by their heads; none of them has a comma. */
function row(kind: 'request' | 'network', record: object): Readonly<Record<string, string | undefined>> {
  const [head = '', cells = ''] = logCsv(kind, [JSON.stringify(record)]).split('\r\n');
  const values = cells.split(',');
  return Object.fromEntries(head.split(',').map((name, at) => [name, values[at]]));
}

describe('logCsv', () => {
  it('tells why a request failed, where, and in which conversation', () => {
    const failed = entry('req_1', {
      error: {
        code: 'internal_error',
        reason: 'upstream_error',
        message: 'No answer.',
        cause: 'CUDA: no memory',
      },
      node: 'west',
      conversation: '0123456789abcdef',
      turn: 3,
    });
    expect(row('request', failed)).toMatchObject({
      id: 'req_1',
      reason: 'upstream_error',
      message: 'No answer.',
      cause: 'CUDA: no memory',
      node: 'west',
      conversation: '0123456789abcdef',
      turn: '3',
    });
  });

  it('tells which gateway made an exchange', () => {
    const exchange = {
      kind: 'network',
      id: 'x',
      startedAt: 0,
      method: 'GET',
      url: 'http://u/',
      node: 'west',
    };
    expect(row('network', exchange)).toMatchObject({ started_at: '1970-01-01T00:00:00.000Z', node: 'west' });
  });
});
