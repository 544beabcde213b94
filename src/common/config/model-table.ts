import {
  ArrayContains,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  MaxLength,
  Min,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { isJsonObject } from '../text/json-object.js';

export const MODALITIES = ['text', 'image', 'file', 'audio', 'video'] as const;

/** Kinds of input of a model. */
export type Modality = (typeof MODALITIES)[number];

const COUNT = { message: 'must be a whole number above 0' };
const NAME = { message: 'must be text that is not empty' };
const KINDS = { message: `must be a list of ${MODALITIES.join(', ')}` };
const ALIASES = { message: 'must be a list of names, or of beginnings of names and *', each: true };

/** Longest name of a model, in the settings, the upstream's list, requests and rights of keys. */
export const MAX_MODEL_CHARS = 200;

/** Unlike `IsOptional`, which lets `null` pass. */
const IfGiven = (): PropertyDecorator => ValidateIf((_model, value) => value !== undefined);

/** Limits and abilities of a model. The defaults are those of the contract's own models. */
export class ModelSettings {
  /** Tokens of input context. */
  @IsInt(COUNT)
  @Min(1, COUNT)
  contextWindow = 1_000_000;

  /** Most tokens of one answer. */
  @IsInt(COUNT)
  @Min(1, COUNT)
  maxOutputTokens = 65_536;

  /** Whether the answer has a reasoning block. */
  @IsBoolean({ message: 'must be true or false' })
  thinking = true;

  /** Name of the model at the upstream; default: `UPSTREAM_MODEL`, else the id without `-no-thinking`. */
  @IfGiven()
  @IsString(NAME)
  @Length(1, undefined, NAME)
  upstreamModel?: string;

  /**
   * Kinds of input, text among them. Without it, an OpenAI-format upstream decides, and a chat site takes text, and images
   * if its recipe says how.
   */
  @IfGiven()
  @ArrayContains(['text'], { message: 'must include text' })
  @IsArray(KINDS)
  @IsIn(MODALITIES, { ...KINDS, each: true })
  modalities?: Modality[];

  /** Further names that callers may ask for; one that ends in `*` stands for all that begin so, `*` for all others. */
  @IfGiven()
  @IsArray({ message: ALIASES.message })
  @IsString(ALIASES)
  @MaxLength(MAX_MODEL_CHARS, ALIASES)
  @Matches(/^(?:[^*]+\*?|\*)$/, ALIASES)
  aliases?: string[];
}

const PROPERTIES = [...Object.keys(new ModelSettings()), 'upstreamModel', 'modalities', 'aliases'];

/**
 * The `models` setting of `config.json`: model id to limits and abilities; replaces the built-in table as a whole.
 * Its rules stand here and not in `src/models`, since the settings check it and `common` imports nothing above itself.
 */
export type ModelTable = Readonly<Record<string, ModelSettings>>;

/** The table with its defaults filled in, or the reasons why it is not valid; neither if no table is given. */
export function parseModelTable(value: unknown): {
  readonly models?: ModelTable;
  readonly problems: readonly string[];
} {
  if (value === undefined) {
    return { problems: [] };
  }
  if (!isJsonObject(value)) {
    return { problems: ['models must be a table of models'] };
  }
  const problems = Object.entries(value).flatMap(([id, model]) => problemsOf(id, model));
  if (problems.length > 0) {
    return { problems };
  }
  const models = Object.fromEntries(
    Object.entries(value).map(([id, model]) => [id, withDefaults(model as object)]),
  );
  if (Object.keys(models).length === 0) {
    return { problems: ['models must name at least one model'] };
  }
  const repeated = repeatedNames(models).map(
    (name) => `models: the name ${name} stands for more than one model`,
  );
  return repeated.length > 0 ? { problems: repeated } : { models, problems: [] };
}

function problemsOf(id: string, model: unknown): string[] {
  if (id === '' || id.length > MAX_MODEL_CHARS) {
    return [`models: a name must have 1 to ${MAX_MODEL_CHARS} characters`];
  }
  if (!isJsonObject(model)) {
    return [`models.${id}: must be a table`];
  }
  const unknown = Object.keys(model).filter((name) => !PROPERTIES.includes(name));
  return [
    ...unknown.map((name) => `models.${id}: ${name} is not known`),
    ...validateSync(withDefaults(model)).map(
      ({ property, constraints = {} }) =>
        `models.${id}.${property}: ${Object.values(constraints)[0] ?? 'is not valid'}`,
    ),
  ];
}

function withDefaults(model: object): ModelSettings {
  const given = Object.entries(model).filter(([name]) => PROPERTIES.includes(name));
  return Object.assign(new ModelSettings(), Object.fromEntries(given));
}

function repeatedNames(models: ModelTable): string[] {
  const names = Object.entries(models).flatMap(([id, { aliases = [] }]) => [id, ...aliases]);
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}
