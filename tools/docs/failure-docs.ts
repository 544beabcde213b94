import { ERROR_CATALOG, type ErrorCode } from '../../src/common/errors/error-catalog.js';
import { FAILURE_REASONS, type FailureReason } from '../../src/common/errors/failure-reasons.js';

/** What the dashboard says of reasons; plain JavaScript. */
interface ReasonWords {
  readonly reasonText: (reason: FailureReason) => string;
  readonly reasonHint: (reason: FailureReason) => string | undefined;
}

const WORDS = new URL('../../client/dashboard/assets/data/reasons.js', import.meta.url).href;

/**
 * A table of all reasons, in the words of the dashboard.
 * @param text with the table as it was: a reason that is no code of an error keeps its status, which a test knows
 */
export async function failureTable(text: string): Promise<string> {
  const { reasonText, reasonHint } = (await import(WORDS)) as ReasonWords;
  const told = new Map(
    [...text.matchAll(/^\| `(\w+)` +\| (\d+) /gm)].map(([, ...pair]) => pair as [string, string]),
  );
  const statusOf = (reason: FailureReason): string | number =>
    ERROR_CATALOG[reason as ErrorCode]?.status ?? told.get(reason) ?? 500;
  const rows = FAILURE_REASONS.map(
    (reason) =>
      `| \`${reason}\` | ${statusOf(reason)} | ${reasonText(reason)} | ${reasonHint(reason) ?? '–'} |`,
  );
  return ['| reason | status | what happened | what helps |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
