import { MAX_MODEL_CHARS, MODALITIES, type Modality } from '../../common/config/model-table.js';
import { isStructure } from '../../common/text/json-object.js';
import { tokenCount } from '../token-count.js';
import { UnavailableError } from '../upstream.errors.js';
import { type UpstreamModel } from '../upstream-driver.js';

/** Bytes of a list: thousands of models. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
/** Models that are taken of a list. Each request looks for its own among them. */
const MAX_MODELS = 10_000;

/** Names are shown in terminals and copied into shells. */
const NAME = new RegExp(`^\\P{Cc}{1,${MAX_MODEL_CHARS}}$`, 'u');

type Fields = Readonly<Record<string, unknown>>;

/** Names that servers have for the context window, the one that they were started with first. */
const WINDOWS = [
  ...['loaded_context_length', 'max_model_len', 'context_window', 'context_length', 'max_context_length'],
  'max_input_tokens',
];
const OUTPUTS = ['max_output_tokens', 'max_completion_tokens'];

/**
 * Reads the body of a list.
 * @throws UnavailableError for one that is too long
 */
export async function readListText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_LIST_BYTES) {
      throw new UnavailableError('line_too_long', 'The upstream sent a list that is too long.');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/**
 * The models of `GET /models`. The format itself has ids alone; limits are read under the names of widespread servers.
 * @throws SyntaxError for what is no JSON
 */
export function readModelList(body: string): UpstreamModel[] {
  const parsed: unknown = JSON.parse(body);
  // Together lists its models without an object around them.
  const list: unknown = isStructure(parsed) && !Array.isArray(parsed) ? parsed.data : parsed;
  const models: readonly unknown[] = Array.isArray(list) ? list : [];
  return models.slice(0, MAX_MODELS).flatMap((model) => {
    if (!isStructure(model) || typeof model.id !== 'string' || !NAME.test(model.id)) {
      return [];
    }
    const { meta, top_provider: top } = model;
    const contextWindow = firstCount(model, WINDOWS) ?? firstCount(meta, ['n_ctx']);
    const maxOutputTokens = firstCount(model, OUTPUTS) ?? firstCount(top, OUTPUTS);
    const modalities = readModalities(model);
    return {
      id: model.id,
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(modalities && { modalities }),
    };
  });
}

function firstCount(fields: unknown, names: readonly string[]): number | undefined {
  if (!isStructure(fields)) {
    return undefined;
  }
  return names.map((name) => tokenCount(fields[name])).find((count) => count !== undefined && count > 0);
}

function readModalities({ modalities, architecture, capabilities }: Fields): Modality[] | undefined {
  const listed = modalities ?? (isStructure(architecture) ? architecture.input_modalities : undefined);
  if (Array.isArray(listed)) {
    const known = MODALITIES.filter((modality) => modality === 'text' || listed.includes(modality));
    return known;
  }
  const vision = isStructure(capabilities) ? capabilities.vision : undefined;
  return typeof vision === 'boolean' ? (vision ? ['text', 'image'] : ['text']) : undefined;
}
