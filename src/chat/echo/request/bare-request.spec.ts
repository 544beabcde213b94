import { describe, expect, it } from '@jest/globals';
import { asksBarely } from './bare-request.js';
import { wordsOfResults } from './result-names.js';

const { all: NAMED } = wordsOfResults(
  ['Vouchers and refunds\n\nA voucher is valid for three years.'],
  ['{"command":"npx eslint src/seats"}', '{"path":"tools/import_day.py"}'],
);

describe('asksBarely', () => {
  it.each([
    'eslint, output only',
    'run eslint for src/seats and post what it prints',
    'Open tools/import_day.py',
    "What's our policy on refunds?",
    'Hand me the refunds list, unfiltered',
    'Are there any vouchers?',
    'Zeig die Ausgabe von eslint',
  ])('finds nothing else in: %s', (message) => {
    expect(asksBarely(message, NAMED)).toBe(true);
  });

  it.each([
    'Fix src/seats',
    'Translate the refunds',
    'Make eslint pass',
    'Is eslint there?',
    'How are refunds done?',
    'Which refunds should be first?',
    'Test the import',
    'Log every refund',
    'Send the vouchers to customers',
    'Give me a table of vouchers sorted by age',
    'Print refunds in colour',
    'Show me the file',
    `refunds ${'of vouchers '.repeat(12)}`,
  ])('finds more in: %s', (message) => {
    expect(asksBarely(message, NAMED)).toBe(false);
  });
});
