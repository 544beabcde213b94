import { z } from 'zod';

const modelSettings = z.strictObject({
  /** Tokens of input context. */
  contextWindow: z.int().positive().default(1_000_000),
  /** Most tokens of one answer. */
  maxOutputTokens: z.int().positive().default(65_536),
  /** Whether the answer has a reasoning block. */
  thinking: z.boolean().default(true),
  /** Name of the model at the upstream; default: `UPSTREAM_MODEL`, else the id without `-no-thinking`. */
  upstreamModel: z.string().min(1).optional(),
});

/**
 * The `models` setting of `config.json`: model id to limits and abilities; replaces the built-in table as a whole.
 * Its schema stands here and not in `src/models`, since the settings check it and `common` imports nothing above
 * itself.
 */
const modelTable = z.record(z.string().min(1).max(200), modelSettings);

export type ModelTable = z.output<typeof modelTable>;

/** The table with its defaults filled in, or the reasons why it is not valid; neither if no table is given. */
export function parseModelTable(value: unknown): {
  readonly models?: ModelTable;
  readonly problems: readonly string[];
} {
  if (value === undefined) {
    return { problems: [] };
  }
  const { success, data: models, error } = modelTable.safeParse(value);
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `${['models', ...path].join('.')}: ${message}`);
    return { problems };
  }
  return Object.keys(models).length > 0
    ? { models, problems: [] }
    : { problems: ['models must name at least one model'] };
}
