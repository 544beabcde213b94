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

/** `models` of `config.json`: model id to what is known of it. Replaces the built-in table as a whole. */
export const modelTable = z.record(z.string().min(1).max(200), modelSettings);

export type ModelTable = z.output<typeof modelTable>;
