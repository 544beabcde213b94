import { compilePattern, type PatternTable } from '../../src/chat/compression/kit/pattern-table.js';

/** A row for each alternative of the tables: table, alternative, the alternative alone, its example. */
export function examplesOf(
  tables: Readonly<Record<string, PatternTable>>,
): (readonly [table: string, alternative: string, pattern: RegExp, example: string])[] {
  return Object.entries(tables).flatMap(([table, pattern]) =>
    pattern.alternatives.map((alternative) => {
      const alone = compilePattern({ ...pattern, alternatives: [alternative] });
      return [table, alternative[0], alone, alternative[2]] as const;
    }),
  );
}
