import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const SOURCES = '{client,deploy,docs,recipes,scripts,src,test,tools}/**/*';
const documents = globSync(['*.md', `${SOURCES}.md`], { cwd: root });

/** What a pattern finds in the documents and is wrong, each with its document in front. */
function found(pattern: RegExp, isWrong: (match: RegExpMatchArray, document: string) => boolean): string[] {
  return documents.flatMap((document) =>
    [...read(document).matchAll(pattern)]
      .filter((match) => isWrong(match, document))
      .map(([text]) => `${document}: ${text}`),
  );
}

/** What a heading is called in a link. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

describe('what documents refer to is there', () => {
  it('files and headings that are linked', () => {
    expect(documents.length).toBeGreaterThan(200);
    const wrong = found(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g, ([, path = '', anchor], document) => {
      const target = path === '' ? document : normalize(join(dirname(document), path));
      if (!existsSync(join(root, target))) {
        return true;
      }
      const headings = (): string[] =>
        [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
      return anchor !== undefined && !headings().includes(anchor);
    });
    expect(wrong).toEqual([]);
  });

  it('documents, each of which README.md leads to', () => {
    const links = new Set([...read('README.md').matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path));
    const ours = documents.filter((path) => /^(?:docs|deploy\/\w+)\/[\w-]+\.md$/.test(path));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((path) => !links.has(path))).toEqual([]);
  });

  it('commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(found(/npm run ([\w:-]+)/g, ([, name = '']) => !(name in scripts))).toEqual([]);
  });

  it('routes', () => {
    const { paths } = JSON.parse(read('client/openapi.json')) as { paths: Record<string, object> };
    const routes = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`),
      ),
    );
    const wrong = found(
      /\b(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|log|dashboard|health|metrics)\b[\w/{}<>.-]*)/g,
      ([, method, path = '']) => {
        const route = path.replace(/[{<]\w+[}>]|req_\w*/g, '*').replace(/[./]+$/, '');
        return !routes.has(`${method} ${route}`);
      },
    );
    expect(wrong).toEqual([]);
  });

  it('tests of each fault, of which the list knows all', () => {
    const rows = [...read('docs/faults.md').matchAll(/^\| (F\d\d) .*\| `(\S+)` +\|$/gm)];
    const told = rows.map(([, number = '', file = '']) => ({ number, isThere: read(file).includes(number) }));
    const paths = globSync(['{src,test}/**/*spec.ts', 'scripts/soak/*.mjs'], { cwd: root });
    const named = paths.flatMap((path) => read(path).match(/(?<=['`/ ])F\d\d(?=[,: ])/g) ?? []);
    const numbers = [...new Set(named)].toSorted();
    expect(numbers.length).toBeGreaterThan(35);
    expect(told).toEqual(numbers.map((number) => ({ number, isThere: true })));
  });

  // `dist` is made by a build, and `x` stands for a name of one's own.
  it('files of the code that are named with their folder', () => {
    const files = globSync([`${SOURCES}.*`], { cwd: root }).map((path) => `/${path.replaceAll('\\', '/')}`);
    const pattern = /`(?!dist\/)((?:[\w-]+\/)+(?!x\.)[\w.-]+\.(?:ts|mjs|js|html|css))`/g;
    const wrong = found(pattern, ([, name = '']) => !files.some((path) => path.endsWith(`/${name}`)));
    expect(wrong).toEqual([]);
  });

  it('members of classes and interfaces', () => {
    const sources = new Map(
      globSync('src/**/*.ts', { cwd: root, exclude: ['**/*spec.ts'] }).flatMap((path) => {
        const text = read(path);
        const names = text.matchAll(/^export (?:abstract )?(?:class|interface) (\w+)/gm);
        return [...names].map(([, name = '']) => [name, text] as const);
      }),
    );
    expect(sources.size).toBeGreaterThan(500);
    const wrong = found(/(?<![\w./])([A-Z]\w+)\.([a-z]\w*)/g, ([, name = '', member = '']) => {
      const source = sources.get(name);
      return source !== undefined && !new RegExp(`\\b${member}\\b`).test(source);
    });
    expect(wrong).toEqual([]);
  });
});
