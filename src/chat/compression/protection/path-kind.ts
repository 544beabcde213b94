/**
 * What a file holds, by its name. Only `log` and `data` may be condensed when they are read, and `text` when its
 * lines carry times as a log's do; everything else may be what the caller is about to edit.
 */
export type PathKind = 'log' | 'data' | 'text' | 'source';

const LOG_NAMES = /^(syslog|messages|dmesg|nohup\.out|catalina\.out|access_log|error_log)$/;
const LOG_EXTENSION = /\.(log|out|err|stdout|stderr|trace)(\.\d{1,8})?$/;
const DATA_EXTENSION = /\.(csv|tsv|jsonl|ndjson)$/;

/** JSON and XML are data only if they look like rows of data; names that speak of configuration never do. */
const STRUCTURED_EXTENSION = /\.(json|xml|rss|atom)$/;
const CONFIGURATION =
  /config|settings|package|manifest|schema|lock|tsconfig|composer|deno|angular|nx\.|project|workspace|rules|keybindings|tasks|launch|locale|i18n|translations|messages|openapi|swagger|pom\.xml|build\.xml|web\.xml|context|resource|strings|layout|theme|tokens|policy|template|appsettings|biome|turbo|renovate|babel|eslint|prettier|tslint|jest|vercel|firebase|components|features|routes|menu|snippets|grammar/;

const CONFIGURATION_FOLDER =
  /(^|\/)(locales?|i18n|langs?|translations|messages|configs?|conf|settings|schemas?)\/[^/]{1,200}$/;

export function pathKind(path: string): PathKind {
  const normal = path.toLowerCase().replaceAll('\\', '/').slice(-1000);
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  if (LOG_EXTENSION.test(name) || LOG_NAMES.test(name) || isInLogFolder(normal, name)) {
    return 'log';
  }
  // Folders such as `.vscode` and `.github` hold configuration only.
  const isHidden = /(^|\/)\.[^./]/.test(normal);
  if (DATA_EXTENSION.test(name) && !isHidden) {
    return 'data';
  }
  if (STRUCTURED_EXTENSION.test(name)) {
    return isHidden || CONFIGURATION.test(name) || CONFIGURATION_FOLDER.test(normal) ? 'source' : 'data';
  }
  return name.endsWith('.txt') && !/^(requirements|constraints|cmakelists|robots|license|licence)/.test(name)
    ? 'text'
    : 'source';
}

function isInLogFolder(path: string, name: string): boolean {
  return /(^|\/)(log|logs)\//.test(path) && (!name.includes('.') || name.endsWith('.txt'));
}
