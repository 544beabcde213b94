import { commaList } from '../text/comma-list.js';

/** Origins of the setting `ALLOWED_ORIGINS` in the form in which browsers send them. Meant for a valid setting. */
export function parseAllowedOrigins(setting: string): ReadonlySet<string> {
  return new Set(commaList(setting.toLowerCase()).map(canonicalOrigin));
}

/** The fault of the setting; false if it has none. */
export function allowedOriginsProblem(setting: string): string | false {
  const wrong = commaList(setting.toLowerCase()).find((entry) => !isOrigin(entry));
  return (
    wrong !== undefined &&
    `ALLOWED_ORIGINS must be a list of origins like https://chat.example, separated by commas: ${wrong} is none`
  );
}

/**
 * Also of the schemes that programs have which are made of web pages, e.g. `app://`. A `*` is none: whoever visits any
 * page would open the gateway to it.
 */
function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s*?#@]+$/.test(text);
}

/** Browsers leave default ports out. */
function canonicalOrigin(origin: string): string {
  return /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).origin : origin;
}
