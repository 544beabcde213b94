import { anyWord, compilePattern, type PatternTable } from '../kit/pattern-table.js';

/**
 * The kind of content that a file's name announces. Results of reading `log` and `data` may be condensed, and of
 * reading `text` when its lines begin with times; the caller may be about to edit any other file.
 */
export type PathKind = 'log' | 'data' | 'text' | 'source';

const LOG_NAMES = /^(syslog|messages|dmesg|nohup\.out|catalina\.out|(?:[\w-]{1,60}_)?log)$/;
const LOG_EXTENSION = /\.(log|out|err|stdout|stderr|trace)(\.\d{1,8})?$/;
/** Endings of packed files, which `zcat` and its like unpack. */
const PACKED = /\.(gz|bz2|xz|zst)$/;
const DATA_EXTENSION = /\.(csv|tsv|jsonl|ndjson)$/;

/** Extensions that data and configuration share; words in the name or the folder tell them apart. */
const STRUCTURED_EXTENSION = /\.(json|xml|rss|atom)$/;

/** Parts of names of JSON and XML files that are configuration, manifests, translations or schemas. */
export const CONFIGURATION_WORDS: readonly string[] = [
  ...['config', 'settings', 'context', 'rules', 'policy', 'routes', 'features', 'components', 'template'],
  ...['package', 'manifest', 'lock', 'composer', 'deno', 'project', 'workspace', 'resource', 'tokens'],
  ...['schema', 'openapi', 'swagger', 'grammar', 'layout', 'theme', 'strings', 'menu', 'snippets'],
  ...['locale', 'i18n', 'translations', 'messages', 'keybindings', 'tasks', 'launch'],
  ...['tsconfig', 'angular', 'nx.', 'appsettings', 'biome', 'turbo', 'renovate', 'babel', 'eslint'],
  ...['prettier', 'tslint', 'jest', 'vercel', 'firebase', 'pom.xml', 'build.xml', 'web.xml'],
];
const CONFIGURATION = anyWord(CONFIGURATION_WORDS);

/** Folders whose JSON and XML files are configuration or translations, whatever they are called. */
export const CONFIGURATION_FOLDERS: PatternTable = {
  before: /(?:^|\/)/,
  alternatives: [
    ['translations', /(?:locales?|i18n|langs?|translations|messages)/, 'src/i18n/de.json'],
    ['settings', /(?:configs?|conf|settings)/, 'conf/site.xml'],
    ['schemas', /schemas?/, 'schemas/user.json'],
  ],
  after: /\/[^/]{1,200}$/,
};
const CONFIGURATION_FOLDER = compilePattern(CONFIGURATION_FOLDERS);

/**
 * Names and folders of JSON and XML files that a program has written. Any other may be a fixture or a setting that the
 * caller is about to edit, so reading it is reading a source, whatever is in it.
 */
export const GENERATED_NAMES: PatternTable = {
  before: /(?:^|[._-])/,
  alternatives: [
    ['report', /(?:reports?|results?|junit|surefire|coverage|audit|metrics)/, 'junit-report.xml'],
    ['output', /(?:outputs?|exports?|dumps?|traces?|logs?|sitemap)/, 'api-dump.json'],
  ],
  after: /(?=[._\d-])/,
};
const GENERATED = compilePattern(GENERATED_NAMES);
const BUILD_FOLDER = /(?:^|\/)(?:tmp|target|dist|build|out|coverage)\//;
/** The machine's folder for temporary files, where a folder within it may as well be a project. */
const ABOVE_TEMPORARY_FOLDER = /^(?:\/private|\/var)?\/tmp\/(?=[^/]{1,200}\/)/;
const REPORT_FOLDER = /(?:^|\/)(?:reports?|results?|exports?|dumps?|logs?)\//;

/** Folders of what is written by hand, whose reports are part of the program. */
const OWN_FOLDER = /(?:^|\/)(?:src|resources|assets|public|static)\//;

/** Folders and names of tests, whose data is written by hand and edited. */
const FIXTURE =
  /(?:^|\/)(?:tests?|specs?|__tests__|__fixtures__|__mocks__|__snapshots__|fixtures?|mocks?|stubs?|testdata|test[-_]data|samples?|examples?|seeds?)\/|[._-](?:test|spec|fixture|mock|stub|seed|sample|example)s?\.|(?:^|\/)(?:fixture|mock|stub|seed|sample|example)s?[._-]/;

/** Text files that are input of a tool, or of legal value, and must stay word for word. */
const EXACT_TEXT = /^(requirements|constraints|cmakelists|robots|license|licence)/;

export function pathKind(path: string): PathKind {
  const normal = path.toLowerCase().replaceAll('\\', '/').slice(-1000);
  const name = normal.slice(normal.lastIndexOf('/') + 1).replace(PACKED, '');
  if (LOG_EXTENSION.test(name) || LOG_NAMES.test(name) || isInLogFolder(normal, name)) {
    return 'log';
  }
  // Hidden files and folders such as `.vscode` and `.github` hold configuration.
  const isHidden = /(^|\/)\.[^./]/.test(normal);
  if (DATA_EXTENSION.test(name) && !isHidden) {
    return FIXTURE.test(normal) ? 'source' : 'data';
  }
  if (STRUCTURED_EXTENSION.test(name)) {
    const isWritten = isHidden || CONFIGURATION.test(name) || CONFIGURATION_FOLDER.test(normal);
    return isWritten || FIXTURE.test(normal) || !isGenerated(normal) ? 'source' : 'data';
  }
  return name.endsWith('.txt') && !EXACT_TEXT.test(name) ? 'text' : 'source';
}

/** Whether a name or a folder says that a program has written the file. */
export function isGenerated(path: string): boolean {
  const whole = path.toLowerCase().replaceAll('\\', '/');
  const normal = whole.replace(ABOVE_TEMPORARY_FOLDER, '').slice(-1000);
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  return (
    BUILD_FOLDER.test(normal) ||
    (!OWN_FOLDER.test(normal) && (REPORT_FOLDER.test(normal) || GENERATED.test(name)))
  );
}

function isInLogFolder(path: string, name: string): boolean {
  return /(^|\/)(log|logs)\//.test(path) && (!name.includes('.') || name.endsWith('.txt'));
}
