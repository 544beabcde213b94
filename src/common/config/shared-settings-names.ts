import { settingInfos } from './setting.decorators.js';

/** Settings of one gateway alone: its port and host. */
const OF_ONE_NODE: ReadonlySet<string> = new Set(['PORT', 'HOST']);

/** Settings that several gateways on one database have alike: those that can be changed while they run. */
export function sharedSettingNames(): readonly string[] {
  return settingInfos()
    .filter(({ name, editable }) => editable && !OF_ONE_NODE.has(name))
    .map(({ name }) => name);
}
