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
  rust: read('ring.rs.txt'),
  c: read('csv-line.c.txt'),
  java: read('trace.java.txt'),
  nginx: read('site.conf.txt'),
  course: read('course.html.txt'),
  french: read('courrier.fr.txt'),
  chineseRules: read('guide.zh.txt'),
  containers: read('containers.txt'),
} as const;

export type ResultName = keyof typeof RESULTS;

/** Results that are used with some answers only: in some forms, tables and short lines look like lists. */
export const FURTHER_RESULTS = {
  webhooks: read('webhooks.md.txt'),
  pom: read('pom.xml.txt'),
  gitStatus: read('git-status.txt'),
  ticket: read('ticket.txt'),
  minutes: read('minutes.md.txt'),
  russian: read('meeting.ru.txt'),
  portuguese: read('visit.pt.txt'),
  hits: read('hits.txt'),
  php: read('vouchers.php.txt'),
  react: read('parcels.tsx.txt'),
  vitest: read('vitest.txt'),
  plan: read('plan.txt'),
  refunds: read('refunds.txt'),
  booking: read('booking.de.txt'),
  readings: lines(
    60,
    (at) => `2026-07-1${at % 3}T0${at % 10}:00:00Z,greenhouse-${at % 3},${18 + ((at * 7) % 9)},${60 + at}`,
  ),
  files: `total 48\n${lines(24, (at) => `-rw-r--r--  1 deploy ops ${at * 7919 + 4096} Sep ${at + 1} 10:0${at % 10} report-${at * 31}.sql`)}`,
  matches: lines(
    26,
    (at) => `src/part-${at}/row.ts:${at * 37 + 3}:  return moment(row${at}.placedAt).add(${at}, "days");`,
  ),
  tree: `shop\n${lines(30, (at) => `${at % 6 ? '│   ' : ''}├── ${at % 6 ? `module_${at * 31}.py` : `app_${at * 7}`}`)}`,
  commits: lines(
    24,
    (at) => `${(at * 48271 + 4177436).toString(16)} Fix case ${at * 13} of the import (#${400 - at * 3})`,
  ),
  buildLog: lines(
    40,
    (at) =>
      `2026-09-01T08:${10 + at}:07.331Z [step ${1 + (at >> 3)}/6] ${at % 8 < 3 ? 'warning' : 'info'}: module ${at * 211} took ${at * 17} ms`,
  ),
} as const;

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

function lines(count: number, write: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => write(at)).join('\n');
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
