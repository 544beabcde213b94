import { USAGE_FIGURES, type UsageRow } from '../../logs/records/usage.js';

const COLUMNS = [
  'day',
  'key',
  'model',
  'account',
  ...USAGE_FIGURES,
] as const satisfies readonly (keyof UsageRow)[];

/** The rows as CSV (RFC 4180), with a head line. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/** Spreadsheets run a text that begins like a formula: a quote before it makes it a text. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
