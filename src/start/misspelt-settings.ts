import { spellingsOf } from '../common/config/settings-sources.js';
import { editDistance } from '../common/text/edit-distance.js';

/** Letters that may be wrong in a name. */
const MAX_DISTANCE = 2;
/** Shorter names are too near to those of other programs. */
const MIN_LENGTH = 6;

/** A variable that is no setting, and the setting that is probably meant. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/**
 * Variables that look like settings: with up to two letters wrong, or without the last words, e.g. the unit. Most of the
 * environment belongs to other programs, so nothing is said of the rest.
 * @param settings names of all settings
 */
export function misspeltSettings(names: readonly string[], settings: readonly string[]): MisspeltSetting[] {
  const known = new Set(settings.flatMap(spellingsOf));
  return names.flatMap((name) => {
    if (name.length < MIN_LENGTH || known.has(name)) {
      return [];
    }
    const meant = nearest(name.toUpperCase(), settings);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function nearest(name: string, settings: readonly string[]): string | undefined {
  return settings
    .filter((setting) => isNear(name, setting))
    .map((setting) => ({ setting, distance: editDistance(name, setting) }))
    .sort((a, b) => a.distance - b.distance)[0]?.setting;
}

function isNear(name: string, setting: string): boolean {
  // A single word, such as BROWSER, may mean anything.
  const isCut = name.includes('_') && setting.startsWith(`${name}_`);
  const isTypo =
    setting.length >= MIN_LENGTH &&
    name[0] === setting[0] &&
    Math.abs(name.length - setting.length) <= MAX_DISTANCE &&
    editDistance(name, setting) <= MAX_DISTANCE;
  return isCut || isTypo;
}
