import { toCsv } from '../../common/text/csv.js';
import { USAGE_FIGURES, type UsageRow } from '../../logs/records/usage.js';

const COLUMNS = [
  'day',
  'key',
  'model',
  'account',
  ...USAGE_FIGURES,
] as const satisfies readonly (keyof UsageRow)[];

/** The rows as CSV, with a head line. */
export function usageCsv(rows: readonly UsageRow[]): string {
  return toCsv(
    COLUMNS,
    rows.map((row) => COLUMNS.map((name) => row[name])),
  );
}
