import { z } from 'zod';

export const MODALITIES = ['text', 'image', 'file', 'audio', 'video'] as const;

/** Kinds of input of a model. */
export type Modality = (typeof MODALITIES)[number];

const modelSettings = z.strictObject({
  /** Tokens of input context. */
  contextWindow: z.int().positive().default(1_000_000),
  /** Most tokens of one answer. */
  maxOutputTokens: z.int().positive().default(65_536),
  /** Whether the answer has a reasoning block. */
  thinking: z.boolean().default(true),
  /** Name of the model at the upstream; default: `UPSTREAM_MODEL`, else the id without `-no-thinking`. */
  upstreamModel: z.string().min(1).optional(),
  /** Kinds of input besides text. Without it, an OpenAI-format upstream decides; other upstreams take text only. */
  modalities: z
    .array(z.enum(MODALITIES))
    .refine((modalities) => modalities.includes('text'), 'must include text')
    .optional(),
  /** Further names that callers may ask for; one that ends in `*` stands for all that begin so, `*` for all others. */
  aliases: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^(?:[^*]+\*?|\*)$/, 'must be a name, or the beginning of names and *'),
    )
    .optional(),
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
  if (Object.keys(models).length === 0) {
    return { problems: ['models must name at least one model'] };
  }
  const problems = repeatedNames(models).map(
    (name) => `models: the name ${name} stands for more than one model`,
  );
  return problems.length > 0 ? { problems } : { models, problems };
}

function repeatedNames(models: ModelTable): string[] {
  const names = Object.entries(models).flatMap(([id, { aliases = [] }]) => [id, ...aliases]);
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}
