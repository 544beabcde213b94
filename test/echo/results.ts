import { readFileSync } from 'node:fs';

const FOLDER = new URL('results/', import.meta.url);

/** Tool results of many kinds: files, search results, listings, JSON, logs, pages; some recorded, some written. */
export const RESULTS = {
  typescript: read('cooldown.ts.txt'),
  shortTypescript: read('sse-decoder.ts.txt'),
  numberedFile: read('atomic-file.numbered.txt'),
  fileAsJson: read('file-as-json.txt'),
  python: read('inventory.py.txt'),
  go: read('limiter.go.txt'),
  sql: read('schema.sql.txt'),
  yaml: read('compose.yaml.txt'),
  markdown: read('contributing.md.txt'),
  german: read('german.md.txt'),
  chinese: read('chinese.txt'),
  article: read('article.txt'),
  html: read('page.html.txt'),
  json: read('users.json.txt'),
  minifiedJson: read('users.min.json.txt'),
  csv: read('orders.csv.txt'),
  log: read('server.log.txt'),
  search: read('search.txt'),
  paths: read('paths.txt'),
  listing: read('listing.txt'),
  diff: read('diff.txt'),
  traceback: read('traceback.txt'),
  testSummary: read('test-summary.txt'),
  errorLine: read('error-line.txt'),
} as const;

export type ResultName = keyof typeof RESULTS;

/** A shorter form as compression could make it: a third of the lines, and counts of the others. */
export function condensed(text: string): string {
  const lines = text.split('\n');
  const groups = Math.ceil(lines.length / 6);
  return Array.from({ length: groups }, (_, group) => {
    const [first = '', second = '', ...rest] = lines.slice(group * 6, group * 6 + 6);
    return [first, second, ...(rest.length > 0 ? [`[${rest.length} similar lines left out]`] : [])].join(
      '\n',
    );
  }).join('\n');
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
