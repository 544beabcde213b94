import { Injectable } from '@nestjs/common';
import { type Modality, type ModelTable } from '../common/config/model-table.js';
import { Settings } from '../common/config/settings.js';
import { ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { type Model } from './model.js';

const SPEC_MODEL = { contextWindow: 1_000_000, maxOutputTokens: 65_536 };

/**
 * Default models; replaced by `models` in `config.json`. The aliases are those that one coding agent asks for by
 * itself, the small one for titles and summaries.
 */
const BUILT_IN: ModelTable = {
  'svc-max': { ...SPEC_MODEL, thinking: true, aliases: ['claude-*'] },
  'svc-plus': { ...SPEC_MODEL, thinking: true, aliases: ['claude-haiku-*'] },
  'svc-max-no-thinking': { ...SPEC_MODEL, thinking: false },
  'svc-plus-no-thinking': { ...SPEC_MODEL, thinking: false },
};

/** Chat sites are given text. */
const TEXT_ONLY: readonly Modality[] = ['text'];

const NO_THINKING = '-no-thinking';

/** The models offered to callers. */
@Injectable()
export class ModelCatalog {
  constructor(private readonly settings: Settings) {}

  list(): Model[] {
    return Object.keys(this.table()).map((id) => this.get(id));
  }

  /** Whether this is the id of a model; aliases do not count. */
  has(id: string): boolean {
    return Object.hasOwn(this.table(), id);
  }

  /**
   * @param name id of a model, or one of its aliases
   * @throws ModelNotFoundError
   */
  get(name: string): Model {
    const table = this.table();
    const id = Object.hasOwn(table, name) ? name : modelWithAlias(name, table);
    const entry = id === undefined ? undefined : table[id];
    if (id === undefined || !entry) {
      throw new ModelNotFoundError(name);
    }
    const switchedOff = id.endsWith(NO_THINKING);
    return {
      id,
      contextWindow: entry.contextWindow,
      maxOutputTokens: entry.maxOutputTokens,
      // The suffix overrides the table.
      thinking: entry.thinking && !switchedOff,
      upstreamModel:
        entry.upstreamModel ??
        this.settings.UPSTREAM_MODEL ??
        (switchedOff ? id.slice(0, -NO_THINKING.length) : id),
      modalities: this.settings.PROVIDER === 'openai' ? entry.modalities : TEXT_ONLY,
    };
  }

  private table(): ModelTable {
    return this.settings.models ?? BUILT_IN;
  }
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
