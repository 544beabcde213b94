import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { renderRows, selectRows } from './row-selection.js';

function condense(total: number, states: (number: number) => string): string {
  const columns = new Map([
    ['unit', range(1, total).map((number) => `${'abcdefghij'.charAt(number % 10)}-unit-${number}`)],
    ['state', range(1, total).map(states)],
  ]);
  return renderRows(total, selectRows(total, columns), String).join('\n');
}

describe('names of rows in rare categories', () => {
  it('are listed below a table whose rows are not all shown', () => {
    const condensed = condense(200, (number) => (number % 20 === 7 ? 'masked' : 'static'));
    const masked = range(0, 9).map((time) => `h-unit-${time * 20 + 7}`);
    expect(condensed).toContain(`; state masked: ${masked.join(', ')}]`);
  });

  it('are not listed for what many rows have, and in short tables', () => {
    expect(condense(200, (number) => (number % 8 === 7 ? 'masked' : 'static'))).not.toContain('masked:');
    expect(condense(39, (number) => (number % 13 === 7 ? 'masked' : 'static'))).not.toContain('masked:');
  });
});
