import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type SettingInfo, settingInfos } from '../../src/common/config/setting.decorators.js';
import { Settings } from '../../src/common/config/settings.js';
import { loadSettings } from '../../src/common/config/settings-loader.js';
import { metricTable } from '../../tools/docs/metrics-docs.js';
import { DIALECTS } from '../tool-calls/dialects.js';

/** Entry of one setting in a document. */
interface Entry {
  readonly name: string;
  /** The default as it is written there; empty if there is no fixed one. */
  readonly value: string;
  readonly about: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const infos = new Map(settingInfos().map((info) => [info.name, info]));
const names = [...infos.keys()];

function tableEntries(): Entry[] {
  const [, table = ''] = /<!-- settings -->([^]*)<!-- \/settings -->/.exec(read('docs/settings.md')) ?? [];
  return [...table.matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm)].map(
    ([, name = '', shown = '', about = '']) => ({
      name,
      value: /^`(.*)`$/.exec(shown)?.[1] ?? '',
      about: `${about} ${shown}`,
    }),
  );
}

function dotEnvEntries(): Entry[] {
  return [...read('.env.example').matchAll(/^# (.*)\n#(\w+)=(.*)$/gm)].map(
    ([, about = '', name = '', value = '']) => ({
      name,
      value,
      about,
    }),
  );
}

function jsonEntries(): Entry[] {
  const values = JSON.parse(read('config.example.json')) as Record<string, unknown>;
  return Object.entries(values)
    .filter(([key]) => !key.startsWith('//'))
    .map(([name, value]) => ({
      name,
      value: value === null ? '' : String(value as string | number | boolean),
      about: String(values[`// ${name}`]),
    }));
}

const DOCUMENTS: readonly [string, () => Entry[], string[]][] = [
  ['docs/settings.md', tableEntries, names],
  ['.env.example', dotEnvEntries, names],
  ['config.example.json', jsonEntries, names.filter((name) => !infos.get(name)?.environmentOnly)],
];

describe.each(DOCUMENTS)('the settings in %s', (_document, entries, expectedNames) => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'documentation-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are all of them, in their order (else: npm run docs)', () => {
    expect(entries().map(({ name }) => name)).toEqual(expectedNames);
  });

  it('are explained as they explain themselves (else: npm run docs)', () => {
    for (const { name, about } of entries()) {
      const { about: expected, choices = [], unset = '', ...info } = infos.get(name) as SettingInfo;
      expect(about).toContain(expected);
      expect(about).toContain(unset);
      expect(about).toContain(choices.join(', '));
      expect(/From \S+ to \S+\./.test(about)).toBe(info.max !== undefined);
      expect(about.includes('Set in the environment only.')).toBe(info.environmentOnly);
      expect(about.includes('Set in file or environment only.')).toBe(
        !info.editable && !info.environmentOnly,
      );
    }
  });

  it('have the defaults that count (else: npm run docs)', async () => {
    const documented = Object.fromEntries(entries().map(({ name, value }) => [name, value]));
    // The file that CONFIG_FILE names has to exist once it is named.
    expect(documented.CONFIG_FILE ?? 'config.json').toBe(new Settings().CONFIG_FILE);
    expect(await loadSettings({ ...documented, CONFIG_FILE: '' }, folder)).toEqual(new Settings());
  });

  it('leave out the default of a setting only where there is no fixed one, or an empty one', () => {
    const defaults = new Settings();
    for (const { name, value } of entries()) {
      const isOpen = infos.get(name)?.unset !== undefined;
      const fixed = defaults[name as keyof Settings] ?? '';
      expect({ name, isWritten: value !== '' }).toEqual({ name, isWritten: !isOpen && fixed !== '' });
    }
  });
});

describe('the examples', () => {
  it('are accepted as they stand, and change nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'documentation-'));
    try {
      writeFileSync(join(folder, 'config.json'), read('config.example.json'));
      writeFileSync(join(folder, '.env'), read('.env.example'));
      expect(await loadSettings({}, folder)).toEqual(new Settings());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('tells of every command (else: a row in CONTRIBUTING.md)', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const patterns = ['*.md', '{client,deploy,docs,src,test,tools}/**/*.md'];
  const documents = globSync(patterns, { cwd: root, exclude: ['docs/decisions/**'] })
    .map(read)
    .join('\n');
  const isTold = (name: string): boolean => new RegExp(`[\`\n](npm )?(run )?${name}[\` \n]`).test(documents);
  expect(Object.keys(scripts).filter((name) => !isTold(name))).toEqual([]);
});

it('counts the forms of tool calls (else: in README.md)', () => {
  expect(read('README.md')).toContain(` ${Object.keys(DIALECTS).length} forms that models write `);
});

it('asks for the version of Chrome that the driver needs', () => {
  const places = {
    'src/upstream/web/browser/browser-connector.ts': /OLDEST_CHROME = (\d+);/,
    'scripts/lib/browser.mjs': /OLDEST_CHROME = (\d+);/,
    'docs/site-recipes.md': /Chrome (\d+) or later is needed/,
  };
  const versions = Object.entries(places).map(([name, version]) => version.exec(read(name))?.[1]);
  expect(versions[0]).toMatch(/^\d+$/);
  expect(new Set(versions).size).toBe(1);
});

it('tells of every key of a recipe (else: docs/site-recipes.md)', () => {
  const names = new Set<string>();
  JSON.parse(read('docs/site-recipe.schema.json'), (key, value: unknown) => {
    if (key === 'properties') {
      Object.keys(value as object).forEach((name) => names.add(name));
    }
    return value;
  });
  names.delete('$schema');
  const told = new Set(read('docs/site-recipes.md').match(/\w+/g));
  expect([...names].filter((name) => !told.has(name))).toEqual([]);
});

it('tells of every parameter of the log (else: a row in docs/log.md)', () => {
  const { paths } = JSON.parse(read('client/openapi.json')) as {
    paths: { '/log/json': { get: { parameters: readonly { readonly name: string }[] } } };
  };
  const told = read('docs/log.md');
  const { parameters } = paths['/log/json'].get;
  expect(parameters.map(({ name }) => name).filter((name) => !told.includes(`\n| \`${name}\` `))).toEqual([]);
});

it('tells of every page of the dashboard (else: a row in README.md)', () => {
  const shell = read('client/dashboard/assets/widgets/shell/shell.js');
  const pages = [...shell.matchAll(/^ {2}\[(?:OWN_PAGE|'\/dashboard[\w/]*'), '([\w ]+)'\],$/gm)].map(
    ([, name = '']) => name,
  );
  const told = [...read('README.md').matchAll(/^\| _([\w ]+)_ /gm)].map(([, name = '']) => name);
  expect(pages).toContain('Overview');
  // Callers have some pages of the operators, and one of their own.
  expect(told).toEqual([...new Set(pages)]);
});

// A file that nobody knows of is missing in back-ups.
it('tells of every file in the folder of the data (else: docs/upkeep.md)', () => {
  const NAMED = /(?:DATA_DIR\)?, |^const (?:FILE_NAME|KEY_FILE) = )'([\w.]+)'/gm;
  const paths = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*spec.ts'] });
  const files = paths.flatMap((path) => [...read(path).matchAll(NAMED)].map(([, name = '']) => name));
  expect(files).toEqual(expect.arrayContaining(['gateway.db', 'secret.key', 'logs.db']));
  const told = read('docs/upkeep.md');
  expect(files.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});

it('tells of every metric, and of no other (else: npm run docs)', () => {
  const rowsOf = (text: string): string[] =>
    (text.match(/^\| `gateway_.*$/gm) ?? []).map((row) => row.replace(/ {2,}/g, ' '));
  expect(rowsOf(read('docs/metrics.md'))).toEqual(rowsOf(metricTable()));
});

/** Numbers of the decisions that a line of a decision's head names. */
function numbersIn(name: string, line: RegExp): number[] {
  const [head = ''] = /^Date: .*$/m.exec(read(`docs/decisions/${name}`)) ?? [];
  const fields = head.split(' · ').filter((field) => line.test(field));
  return fields.flatMap((field) => field.match(/\d+/g) ?? []).map(Number);
}

describe('the decisions', () => {
  const files = readdirSync(join(root, 'docs', 'decisions')).filter((name) => name !== 'README.md');
  const list = read('docs/decisions/README.md');

  it('have a number each', () => {
    const numbers = files.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(files.length);
  });

  // A decision that no longer holds, or not wholly, says so itself.
  it('name both those that they supersede and those that supersede them', () => {
    const pairs = (line: RegExp, order: (own: number, other: number) => string): string[] =>
      files.flatMap((name) => numbersIn(name, line).map((other) => order(Number(name.slice(0, 4)), other)));
    const superseding = pairs(/^Supersedes: /, (own, other) => `${own} supersedes ${other}`);
    const superseded = pairs(/^Superseded (?:in part )?by: /, (own, other) => `${other} supersedes ${own}`);
    expect(superseding).toContain('54 supersedes 27');
    expect(superseded.toSorted()).toEqual(superseding.toSorted());
  });

  it('are listed once each in their README.md, by number and title, and nowhere else', () => {
    const title = (name: string): string =>
      /^# (\d+)\. (.+)$/m
        .exec(read(`docs/decisions/${name}`))!
        .slice(1)
        .join(' ');
    const links = files.map((name) => `- [${title(name)}](${name})`);
    expect((list.match(/^- .*$/gm) ?? []).toSorted()).toEqual(links.toSorted());
    expect(read('ARCHITECTURE.md')).not.toMatch(/^- \[\d/m);
  });

  it.each(files)('have date and all three parts: %s', (name) => {
    expect(read(`docs/decisions/${name}`)).toMatch(
      /^# \d+\. .+\n\nDate: \d{4}-\d\d-\d\d · Supersedes: .+\n\n## Context\n[^]+## Decision\n[^]+## Consequence\n/,
    );
  });
});

describe('ARCHITECTURE.md', () => {
  const architecture = read('ARCHITECTURE.md');

  it('has one row for each folder of src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const rows = [...architecture.matchAll(/^\| `src\/([\w-]+)`/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(folders.toSorted());
  });

  it('is short enough to be read at a sitting', () => {
    expect(architecture.split('\n').length).toBeLessThan(150);
  });

  it('names files that there are', () => {
    const paths = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
    const named = [...architecture.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([]);
  });
});
