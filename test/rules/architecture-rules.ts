import ts from 'typescript';
import { type Finding, findings, type ParsedFile } from './architecture-source.js';

/** Names every place that breaks a rule; none if it is kept. */
export type Rule = (files: readonly ParsedFile[]) => string[];

/** Folders of `src` that each folder may import from; files in `src` itself put all of them together. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  alerts: ['accounts', 'cluster', 'health', 'logs', 'models', 'common'],
  chat: ['accounts', 'cluster', 'keys', 'models', 'logs', 'upstream', 'common'],
  accounts: ['cluster', 'upstream', 'common'],
  cluster: ['common'],
  dashboard: ['accounts', 'cluster', 'health', 'keys', 'logs', 'models', 'common'],
  gemini: ['chat', 'logs', 'models', 'upstream', 'common'],
  health: ['accounts', 'upstream', 'common'],
  keys: ['cluster', 'logs', 'common'],
  logs: ['cluster', 'common'],
  ollama: ['chat', 'logs', 'models', 'upstream', 'common'],
  messages: ['chat', 'logs', 'models', 'upstream', 'common'],
  metrics: ['accounts', 'health', 'logs', 'models', 'common'],
  models: ['upstream', 'common'],
  rerun: ['accounts', 'chat', 'logs', 'upstream', 'common'],
  responses: ['chat', 'cluster', 'logs', 'models', 'upstream', 'common'],
  sandbox: ['common'],
  // The gateway as a whole is put together by files in `src` itself.
  start: ['', 'chat', 'cluster', 'health', 'keys', 'logs', 'models', 'upstream', 'common'],
  telemetry: ['logs', 'models', 'common'],
  'text-completions': ['chat', 'logs', 'models', 'upstream', 'common'],
  upstream: ['sandbox', 'common'],
  common: [],
};

/** Logic that a reader can follow and test without a framework. */
const PURE = [
  /^src\/chat\/(prompt|compression|tools|echo|interfaces)\//,
  /^src\/chat\/completion\/(?!output\/)/,
  // All but the module and its injectables.
  /^src\/accounts\/(?!accounts\.module|pool-tenures|registry\/(?:store\/sqlite-account-store|account-(?:registry|reconciler|writes|commands|health)|login-healer)\.|pool\/session-pool\.|hand-over\/login-hand-over\.|dispatch\/(?:account-test|upstream-(?:dispatcher|status))\.)/,
  /^src\/upstream\/decoding\//,
  /^src\/common\/errors\//,
];
const FRAMEWORKS = /^(@nestjs\/|express$|puppeteer)/;

/** Pure logic that would also be the same at any other time. */
const TIMELESS = [
  /^src\/chat\/(prompt|compression|tools|echo|interfaces)\//,
  /^src\/chat\/completion\/.*\.stage\.ts$/,
  /^src\/upstream\/decoding\//,
];

const CLOCKS: Readonly<Record<string, string>> = {
  'src/common/time/clock.ts': 'it is the clock',
  'src/common/time/random.ts': 'it is the source of randomness',
  'src/chat/completion/tokens/tokenizer.ts':
    'its slices bound the time that the event loop really stands still',
  'src/sandbox/': 'it stands for a site elsewhere, which has a time of its own',
};

export const RULES = {
  'every folder of src has its place': (files) =>
    [...new Set(code(files).map(({ path }) => folderOf(path)))]
      .filter((folder) => folder !== undefined && MAY_IMPORT[folder] === undefined)
      .map(
        (folder) => `src/${folder}: say what it may import in MAY_IMPORT, test/rules/architecture-rules.ts`,
      ),

  'imports point down': (files) =>
    code(files).flatMap(({ path, imports }) => {
      const from = folderOf(path);
      const allowed = from === undefined ? undefined : MAY_IMPORT[from];
      return targets(imports)
        .map(folderOf)
        .filter((to) => to !== from && allowed && !allowed.includes(to ?? ''))
        .map((to) => `${path} imports from ${to ?? 'src'}`);
    }),

  'there are no cycles': (files) => {
    const graph = new Map(code(files).map(({ path, imports }) => [path, targets(imports)]));
    return cycles(graph).map((cycle) => cycle.join(' -> '));
  },

  'there are no barrels': (files) =>
    code(files)
      .filter(({ path, syntax }) => /\/index\.ts$/.test(path) || isBarrel(syntax))
      .map(({ path }) => path),

  'there is no forwardRef': (files) => uses(code(files), ['forwardRef']),

  'imports are relative, at most three folders up, and name the file': (files) =>
    code(files).flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) =>
          specifier.startsWith('.')
            ? !/^(\.\/|(\.\.\/){1,3})[^.].*\.js$/.test(specifier)
            : /^(src|test|~|@\/|#)(\/|$)|^[~#@]\//.test(specifier),
        )
        .map(({ specifier }) => `${path}: ${specifier}`),
    ),

  'only src/main.ts reads the environment': (files) =>
    uses(
      code(files).filter(({ path }) => path !== 'src/main.ts'),
      ['process.env'],
    ),

  'pure logic knows no framework': (files) =>
    matching(files, PURE).flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => FRAMEWORKS.test(specifier))
        .map(({ specifier }) => `${path}: ${specifier}`),
    ),

  'time and randomness are passed in': (files) => [
    ...uses(
      code(files).filter(({ path }) => !Object.keys(CLOCKS).some((allowed) => path.startsWith(allowed))),
      ['Date.now', 'new Date', 'Math.random', 'performance.now'],
    ),
    ...uses(matching(files, TIMELESS), ['timer']),
  ],

  'what decides has a test beside it': (files) => {
    const paths = new Set(files.map(({ path }) => path));
    return code(files)
      .map(({ path }) => path)
      .filter((path) => /\.(stage|validator|strategy|pipe)\.ts$/.test(path))
      .filter((path) => !paths.has(path.replace(/\.ts$/, '.spec.ts')));
  },

  // The compiler asks for a further provider where there is a `switch` or a table of them.
  'providers are told apart by what they are, not by name': (files) =>
    code(files).flatMap(({ path, text }) =>
      [...text.matchAll(/\bPROVIDER\s*[!=]==\s*'\w+'/g)].map(
        ([place]) => `${path}: ${place}; upstream-kind.ts tells what it is`,
      ),
    ),

  'nothing speaks of one machine': (files) =>
    code(files).flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w.:/-])\/(work|home|Users|workspace)\/[\w.-]+/g)].map(
        ([place]) => `${path}: ${place}`,
      ),
    ),
} satisfies Record<string, Rule>;

function code(files: readonly ParsedFile[]): ParsedFile[] {
  return files.filter(({ path, isSpec }) => path.startsWith('src/') && !isSpec);
}

function matching(files: readonly ParsedFile[], patterns: readonly RegExp[]): ParsedFile[] {
  return code(files).filter(({ path }) => patterns.some((pattern) => pattern.test(path)));
}

function uses(files: readonly ParsedFile[], wanted: readonly Finding[]): string[] {
  return files.flatMap((file) =>
    findings(file)
      .filter(({ what }) => wanted.includes(what))
      .map(({ what, line }) => `${file.path}:${line}: ${what}`),
  );
}

function targets(imports: ParsedFile['imports']): string[] {
  return imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

/** The folder of `src` that a file is in, or undefined for files in `src` itself. */
function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** One cycle for each file from which a way leads back to itself, each cycle once. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) {
      found.push([...way.slice(start), path]);
    } else if (!done.has(path)) {
      for (const next of graph.get(path) ?? []) {
        walk(next, [...way, path]);
      }
      done.add(path);
    }
  };
  for (const path of graph.keys()) {
    walk(path, []);
  }
  return found;
}

function isBarrel({ statements }: ts.SourceFile): boolean {
  const exports = statements.filter(
    (statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier,
  );
  return exports.length > 0 && exports.length === statements.length;
}
