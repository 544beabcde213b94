import { type SettingInfo } from '../common/config/setting.decorators.js';
import { type SavedSettings } from '../common/config/settings-editor.js';
import { type SettingOrigin } from '../common/config/settings-resolver.js';

type SettingValue = string | number | boolean;

/** JSON of a setting for the settings page; without the values of secrets. */
export interface SettingView extends Omit<SettingInfo, 'editable' | 'environmentOnly' | 'defaultFor'> {
  readonly default: SettingValue | null;
  /** Saved value; null for secrets and unset settings. */
  readonly value: SettingValue | null;
  /** Whether a value is set anywhere; the only thing shown of a secret. */
  readonly isSet: boolean;
  readonly source: SettingOrigin;
  readonly readOnly: boolean;
  /** Whether the saved value waits for a restart. */
  readonly pending: boolean;
}

export function toSettingView(
  { editable, environmentOnly: _, defaultFor: __, ...info }: SettingInfo,
  saved: SavedSettings,
): SettingView {
  const source = saved.originOf(info.name);
  return {
    ...info,
    default: valueOf(saved.defaults, info.name),
    value: info.secret ? null : valueOf(saved.settings, info.name),
    isSet: source !== 'default',
    source,
    readOnly: !editable || source === 'environment',
    pending: saved.isPending(info.name),
  };
}

function valueOf(settings: object, name: string): SettingValue | null {
  return new Map<string, SettingValue | undefined>(Object.entries(settings)).get(name) ?? null;
}
