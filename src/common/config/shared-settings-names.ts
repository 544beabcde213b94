import { settingInfos } from './setting.decorators.js';

/** Where a gateway listens is its own matter. */
const OF_ONE_NODE: ReadonlySet<string> = new Set(['PORT', 'HOST']);

/** Settings that several gateways on one database have alike: those that can be changed while they run. */
export function sharedSettingNames(): readonly string[] {
  return settingInfos()
    .filter(({ name, editable }) => editable && !OF_ONE_NODE.has(name))
    .map(({ name }) => name);
}
