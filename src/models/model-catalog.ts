import { Injectable } from '@nestjs/common';
import { type Modality, ModelSettings, type ModelTable } from '../common/config/model-table.js';
import { Settings } from '../common/config/settings.js';
import { hasListedModels, isApi } from '../common/config/upstream-kind.js';
import { InternalError, ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { type CallerKey, mayUseModel } from '../common/http/access/caller-key.js';
import { type UpstreamModel } from '../upstream/upstream-driver.js';
import { type FindModel, type Model, MODEL_KIND, TEXT_AND_IMAGES, TEXT_INPUT } from './model.js';
import { SILENCE_POLL_MS, UpstreamModels } from './upstream-models.js';

/** Limits of the contract's models, also assumed of others. */
const DEFAULTS = new ModelSettings();

/**
 * Default models; replaced by `models` in `config.json`. The aliases are those that coding agents ask for by
 * themselves, the small one for titles and summaries.
 */
const BUILT_IN: ModelTable = {
  'svc-max': { ...DEFAULTS, aliases: ['claude-*', 'gemini-*'] },
  'svc-plus': { ...DEFAULTS, aliases: ['claude-haiku-*'] },
  'svc-max-no-thinking': { ...DEFAULTS, thinking: false },
  'svc-plus-no-thinking': { ...DEFAULTS, thinking: false },
};

const NO_THINKING = '-no-thinking';

/** Models that do not chat, by the names that they usually have. */
const NO_CHAT = /embed|rerank|whisper|tts|moderation|dall-?e/i;

/** The model behind an id. */
interface Known extends Partial<UpstreamModel> {
  readonly thinking: boolean;
  readonly upstreamModel: string;
}

/**
 * The models offered to callers: those of the settings; else the upstream's own, beside which the built-in ids stay
 * as names for the first of them; else the built-in ones.
 */
@Injectable()
export class ModelCatalog {
  constructor(
    private readonly settings: Settings,
    private readonly upstream?: UpstreamModels,
  ) {}

  /** Refreshes the upstream's list if it is old. */
  private async refresh(): Promise<void> {
    await this.upstream?.refresh();
  }

  /**
   * What requests find their models by: `get`, once the upstream's list has been asked for, which may be under way at the
   * start. Never rejects.
   */
  async finder(): Promise<FindModel> {
    await this.upstream?.untilKnown();
    return (name) => this.get(name);
  }

  list(): Model[] {
    const listed = this.listed();
    return listed.length > 0
      ? listed.map((model) => this.toModel(model.id, { ...model, thinking: true, upstreamModel: model.id }))
      : Object.keys(this.table()).map((id) => this.get(id));
  }

  /** The models that a key may use, once an old list has been read anew. */
  async listFor(key: CallerKey | undefined): Promise<readonly Model[]> {
    await this.refresh();
    return this.list().filter(({ id }) => mayUseModel(key, id));
  }

  /** As `finder`, for listings: a model that the key may not use is not found. */
  async finderFor(key: CallerKey | undefined): Promise<FindModel> {
    await this.refresh();
    const find = await this.finder();
    return (name) => {
      const model = find(name);
      if (!mayUseModel(key, model.id)) {
        throw new ModelNotFoundError(name);
      }
      return model;
    };
  }

  /**
   * The model for what names none: the first that chats, by its name. Waits as `finder` does.
   * @throws as `get`; ModelNotFoundError if the settings have a table without models
   */
  async defaultModel(): Promise<Model> {
    await this.upstream?.untilKnown();
    const models = this.list();
    return models.find(({ id }) => !NO_CHAT.test(id)) ?? models[0] ?? this.get('');
  }

  /** Whether this is the id of a model; aliases do not count. */
  has(id: string): boolean {
    return Object.hasOwn(this.table(), id) || this.listedModel(id)?.id === id;
  }

  /**
   * The model by what is known now.
   * @param name id of a model, or one of its aliases
   * @throws ModelNotFoundError; InternalError where the upstream has never said what models it has
   */
  get(name: string): Model {
    const model = this.listedModel(name) ?? this.tableModel(name);
    if (!model) {
      if (this.upstream?.isUnknown === true) {
        throw new InternalError(
          'upstream_unreachable',
          'the upstream does not answer, so its models are not known.',
          {
            retryAfterMs: SILENCE_POLL_MS,
          },
        );
      }
      // It may be one that the upstream has got since; for the next request.
      void this.refresh();
      throw new ModelNotFoundError(name);
    }
    return model;
  }

  /** Notes the context window that the upstream has stated in the refusal of a prompt. */
  learnWindow({ upstreamModel }: Model, tokens: number): void {
    this.upstream?.learnWindow(upstreamModel, tokens);
  }

  /** Notes that a model reads text only, if its kinds of input are unknown. */
  learnTextOnly({ upstreamModel }: Model): void {
    this.upstream?.learnTextOnly(upstreamModel);
  }

  /** The upstream's models; none if the settings have a table, or nothing is known of them. */
  private listed(): readonly UpstreamModel[] {
    if (!hasListedModels(this.settings)) {
      return [];
    }
    const { UPSTREAM_MODEL: id } = this.settings;
    const listed = this.upstream?.list() ?? [];
    return id === undefined ? listed : [listed.find((model) => model.id === id) ?? { id }];
  }

  private listedModel(name: string): Model | undefined {
    const listed = this.listed();
    const exact = namedIn(listed, name);
    const base = name.endsWith(NO_THINKING) ? name.slice(0, -NO_THINKING.length) : undefined;
    const found = exact ?? (base === undefined ? undefined : namedIn(listed, base));
    return (
      found &&
      this.toModel(exact?.id ?? name, { ...found, thinking: exact !== undefined, upstreamModel: found.id })
    );
  }

  private tableModel(name: string): Model | undefined {
    const table = this.table();
    const id = Object.hasOwn(table, name) ? name : modelWithAlias(name, table);
    const entry = id === undefined ? undefined : table[id];
    if (id === undefined || !entry) {
      return undefined;
    }
    const switchedOff = id.endsWith(NO_THINKING);
    // The suffix overrides the table.
    const thinking = entry.thinking && !switchedOff;
    const base = switchedOff ? id.slice(0, -NO_THINKING.length) : id;
    if (hasListedModels(this.settings)) {
      // What the name stands for may have changed, or not be known yet; for the next request.
      void this.refresh();
      const first = this.listed().find((model) => !NO_CHAT.test(model.id));
      return this.toModel(id, { ...first, thinking, upstreamModel: first?.id ?? base });
    }
    const upstreamModel = entry.upstreamModel ?? this.settings.UPSTREAM_MODEL ?? base;
    return this.toModel(id, { ...entry, thinking, upstreamModel });
  }

  private toModel(id: string, known: Known): Model {
    const { thinking, upstreamModel, modalities } = known;
    const isOutputAssumed = known.maxOutputTokens === undefined;
    const stated = known.contextWindow ?? DEFAULTS.contextWindow;
    const learned = this.upstream?.learnedWindow(upstreamModel);
    return {
      id,
      contextWindow: Math.min(stated, learned ?? stated),
      ...(known.contextWindow === undefined && learned === undefined && { isWindowAssumed: true }),
      // A limit learned from a refusal is shown, but not enforced: the words of one prompt must not shut out others.
      ...(learned !== undefined && { promptLimit: stated }),
      maxOutputTokens: known.maxOutputTokens ?? Math.min(DEFAULTS.maxOutputTokens, stated),
      ...(isOutputAssumed && { isOutputAssumed }),
      // Whoever asks for more may get it, and the upstream refuses by itself; the contract limits its own names.
      ...(isOutputAssumed && !Object.hasOwn(BUILT_IN, id) && { answerLimit: stated }),
      thinking,
      upstreamModel,
      ...this.input(upstreamModel, modalities),
    };
  }

  private input(
    id: string,
    stated: readonly Modality[] | undefined,
  ): Pick<Model, 'modalities' | 'imageLimit'> {
    if (isApi(this.settings)) {
      return { modalities: stated ?? (this.upstream?.isTextOnly(id) ? TEXT_INPUT : undefined) };
    }
    const imageLimit = this.upstream?.imageLimit ?? 0;
    const takesImages = imageLimit > 0 && (stated?.includes('image') ?? true);
    return takesImages ? { modalities: TEXT_AND_IMAGES, imageLimit } : { modalities: TEXT_INPUT };
  }

  private table(): ModelTable {
    return this.settings.models ?? BUILT_IN;
  }
}

/** Callers leave the kind of resource out. */
function namedIn(listed: readonly UpstreamModel[], name: string): UpstreamModel | undefined {
  return listed.find(({ id }) => id === name) ?? listed.find(({ id }) => id === MODEL_KIND + name);
}

/** The model that an alias stands for: the alias itself counts first, then the longest beginning. */
function modelWithAlias(name: string, table: ModelTable): string | undefined {
  let found: { readonly id: string; readonly length: number } | undefined;
  for (const [id, { aliases = [] }] of Object.entries(table)) {
    for (const alias of aliases) {
      if (alias === name) {
        return id;
      }
      if (alias.endsWith('*') && name.startsWith(alias.slice(0, -1)) && alias.length > (found?.length ?? 0)) {
        found = { id, length: alias.length };
      }
    }
  }
  return found?.id;
}
