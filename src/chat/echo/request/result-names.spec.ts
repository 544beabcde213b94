import { describe, expect, it } from '@jest/globals';
import { asksForRawText } from './raw-text-request.js';
import { wordsOfResults } from './result-names.js';

describe('wordsOfResults', () => {
  it('takes titles and the texts in arguments of calls', () => {
    const results = ['\n# Rent of the hall\n\nThe rent is due in May.', 'const price = 1;', 'x'.repeat(100)];
    const calls = ['{"path":"src/Voucher.php","limit":5}', '{"note":"unfinished'];
    expect([...wordsOfResults(results, calls).names]).toEqual(['rent', 'hall', 'voucher']);
  });

  it('lets a user ask for a result by its name', () => {
    const { names } = wordsOfResults(['Report of the audit\n\nAll is well.'], []);
    const asks = (message: string): boolean => asksForRawText(message, names);
    expect(asks('Show me the report of March')).toBe(true);
    expect(asks('Shorten the report')).toBe(false);
    expect(asksForRawText('Show the report of March')).toBe(false);
  });
});
