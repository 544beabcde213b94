import { type SettingInfo } from '../common/config/setting.decorators.js';
import { type SavedSettings } from '../common/config/settings-editor.js';
import { type SettingOrigin } from '../common/config/settings-resolver.js';

type SettingValue = string | number | boolean;

/** A setting as the settings page shows it: never with the value of a secret. */
export interface SettingView extends Omit<SettingInfo, 'editable'> {
  readonly default: SettingValue | null;
  /** What is saved; null for secrets and where nothing is. */
  readonly value: SettingValue | null;
  /** Whether anyone has set it; tells of a secret that there is one. */
  readonly isSet: boolean;
  readonly source: SettingOrigin;
  readonly readOnly: boolean;
  /** True if what is saved is not in force yet. */
  readonly pending: boolean;
}

export function toSettingView(info: SettingInfo, saved: SavedSettings): SettingView {
  const { editable, ...shown } = info;
  const source = saved.originOf(info.name);
  return {
    ...shown,
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
