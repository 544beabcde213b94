import { Injectable } from '@nestjs/common';
import { type ModelTable } from '../common/config/model-table.js';
import { Settings } from '../common/config/settings.js';
import { ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { type Model } from './model.js';

const SPEC_MODEL = { contextWindow: 1_000_000, maxOutputTokens: 65_536 };

/** Default models; replaced by `models` in `config.json`. */
const BUILT_IN: ModelTable = {
  'svc-max': { ...SPEC_MODEL, thinking: true },
  'svc-plus': { ...SPEC_MODEL, thinking: true },
  'svc-max-no-thinking': { ...SPEC_MODEL, thinking: false },
  'svc-plus-no-thinking': { ...SPEC_MODEL, thinking: false },
};

const NO_THINKING = '-no-thinking';

/** The models offered to callers. */
@Injectable()
export class ModelCatalog {
  constructor(private readonly settings: Settings) {}

  list(): Model[] {
    return Object.keys(this.table()).map((id) => this.get(id));
  }

  has(id: string): boolean {
    return Object.hasOwn(this.table(), id);
  }

  /** @throws ModelNotFoundError */
  get(id: string): Model {
    const table = this.table();
    const entry = Object.hasOwn(table, id) ? table[id] : undefined;
    if (!entry) {
      throw new ModelNotFoundError(id);
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
    };
  }

  private table(): ModelTable {
    return this.settings.models ?? BUILT_IN;
  }
}
