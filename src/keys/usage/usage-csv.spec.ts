import { describe, expect, it } from '@jest/globals';
import { type UsageRow } from '../../logs/records/usage.js';
import { usageCsv } from './usage-csv.js';

const ROW: UsageRow = {
  day: '2026-05-31',
  key: 'ann',
  model: 'svc-max',
  account: 'one',
  requests: 3,
  errors: 1,
  promptTokens: 10,
  completionTokens: 20,
  cachedTokens: 4,
  reasoningTokens: 5,
  savedCharacters: 600,
  queuedMs: 7,
};

describe('usageCsv', () => {
  it('has a head line and one line a row', () => {
    expect(usageCsv([ROW])).toBe(
      'day,key,model,account,requests,errors,promptTokens,completionTokens,cachedTokens,reasoningTokens,savedCharacters,queuedMs\r\n' +
        '2026-05-31,ann,svc-max,one,3,1,10,20,4,5,600,7\r\n',
    );
  });

  it.each([
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['a\r\nb', '"a\r\nb"'],
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
  ])('writes the account %j as %s', (account, written) => {
    expect(usageCsv([{ ...ROW, account }])).toContain(`svc-max,${written},3`);
  });
});
