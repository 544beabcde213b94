import { validateHeaderName, validateHeaderValue } from 'node:http';
import { commaList } from '../text/comma-list.js';

/** Headers of the setting `OTEL_EXPORTER_OTLP_HEADERS`. Meant for a valid setting. */
export function parseCollectorHeaders(setting: string): Readonly<Record<string, string>> {
  return Object.fromEntries(commaList(setting).map(parseEntry));
}

/** The fault of the setting, whose values are secret; false if it has none. */
export function collectorHeadersProblem(setting: string): string | false {
  const wrong = commaList(setting).findIndex((entry) => !isHeader(entry));
  return (
    wrong !== -1 &&
    'OTEL_EXPORTER_OTLP_HEADERS must be a list of name=value, separated by commas, with values in the encoding of URLs: ' +
      `entry ${wrong + 1} is none`
  );
}

function isHeader(entry: string): boolean {
  try {
    const [name, value] = parseEntry(entry);
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return entry.includes('=');
  } catch {
    return false;
  }
}

/** @throws URIError if the value is in no encoding */
function parseEntry(entry: string): readonly [name: string, value: string] {
  const [name = '', ...value] = entry.split('=');
  return [name.trim(), decodeURIComponent(value.join('=').trim())];
}
