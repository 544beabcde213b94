import { Injectable } from '@nestjs/common';
import { SharedSettings } from '../cluster/shared-settings.js';
import { AuditLog } from '../common/audit/audit-log.js';
import { settingInfos } from '../common/config/setting.decorators.js';
import { Settings } from '../common/config/settings.js';
import { type SavedSettings } from '../common/config/settings-editor.js';
import { REDACTED } from '../common/network/known-secrets.js';
import { type JsonObject } from '../common/text/json-object.js';
import { Clock } from '../common/time/clock.js';
import { KeyRegistry } from '../keys/key-registry.js';
import { requireOperable } from '../keys/operator-rule.js';

/** Operators' changes of settings, kept in the audit list. */
@Injectable()
export class SettingsCommands {
  constructor(
    private readonly shared: SharedSettings,
    private readonly settings: Settings,
    private readonly keys: KeyRegistry,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @param actor name of the operator's key; null while the gateway has none
   * @param isCurrent whether the operator has seen the given version
   * @throws GatewayError as `SharedSettings.save`; InvalidRequestError if nobody could operate the gateway any more
   */
  async save(
    actor: string | null,
    values: JsonObject,
    isCurrent: (version: string) => boolean,
  ): Promise<SavedSettings> {
    if (values.API_KEY === null || values.API_KEY === '') {
      const { API_KEYS } = this.settings;
      requireOperable({ API_KEY: '', API_KEYS }, this.keys.list(), this.clock.now(), 'values.API_KEY');
    }
    const { before, saved } = await this.shared.save(values, isCurrent);
    await this.audit.add({
      actor,
      action: 'settings.change',
      subject: null,
      before: shownValues(before, values),
      after: shownValues(saved, values),
    });
    return saved;
  }
}

/** The values of some settings, without secrets. */
function shownValues(saved: SavedSettings, names: object): Record<string, unknown> {
  const shown = settingInfos().filter(({ name }) => name in names);
  const values = new Map(Object.entries(saved.settings));
  return Object.fromEntries(shown.map(({ name, secret }) => [name, secret ? REDACTED : values.get(name)]));
}
