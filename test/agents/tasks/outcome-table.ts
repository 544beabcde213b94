import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const DOCUMENT = fileURLToPath(new URL('../../../docs/agents.md', import.meta.url));

/** Characters of a message in the document. */
const MAX_TOLD = 200;

/** Outcome of a task: done, or given up with these words for the user; or no tool of the client for it. */
export type Outcome =
  { readonly kind: 'done' } | { readonly kind: 'told'; readonly told: string } | { readonly kind: 'no tool' };

/**
 * The table of `docs/agents.md`: how each client ends each case. It is written by `npm run docs:agents`, and whatever
 * `npm run test:agents` sees is held against it.
 */
export class OutcomeTable {
  private constructor(
    private readonly text: string,
    private readonly outcomes: Map<string, Map<string, Outcome>>,
  ) {}

  static async load(): Promise<OutcomeTable> {
    const text = await readFile(DOCUMENT, 'utf8');
    return new OutcomeTable(text, parse(text));
  }

  /** Whether this run writes the table, instead of being held against it. */
  get isWritten(): boolean {
    return process.env.AGENTS_TABLE === 'write';
  }

  kindOf(client: string, name: string): Outcome['kind'] | undefined {
    return this.outcomes.get(client)?.get(name)?.kind;
  }

  set(client: string, name: string, outcome: Outcome): void {
    const row = this.outcomes.get(client) ?? new Map<string, Outcome>();
    this.outcomes.set(client, row.set(name, outcome));
  }

  /** Writes the clients and cases into the document, in this order; those that did not run keep what they had. */
  async save(clients: readonly string[], cases: readonly string[]): Promise<void> {
    const rows = clients.map((client) => [
      client,
      ...cases.map((name) => this.kindOf(client, name) ?? 'not run'),
    ]);
    const lines = [['', ...cases], cases.map(() => '---').concat('---'), ...rows];
    const told = clients.flatMap((client) => cases.flatMap((name) => this.toldLine(client, name)));
    const text = replaced(
      replaced(this.text, 'outcomes', lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')),
      'told',
      told.join('\n'),
    );
    const options = { ...(await resolveConfig(DOCUMENT)), filepath: DOCUMENT };
    await writeFile(DOCUMENT, await format(text, options));
  }

  private toldLine(client: string, name: string): string[] {
    const outcome = this.outcomes.get(client)?.get(name);
    return outcome?.kind === 'told' ? [`- ${client}, ${name}: \`${outcome.told}\``] : [];
  }
}

/** The line of a client's output that says what happened, without what differs from run to run. */
export function toldBy(shown: string, tells: RegExp): string | undefined {
  const line = shown.split('\n').find((text) => tells.test(text));
  return line
    ?.replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'hh:mm:ss')
    .replaceAll(/\bin \d+s\b/g, 'in N s')
    .replaceAll(/\breq_[0-9a-f]{32}\b/g, 'req_N')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replaceAll(/\S*\/\S+\.json\b/g, 'FILE')
    .replaceAll(/`/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TOLD);
}

function parse(text: string): Map<string, Map<string, Outcome>> {
  const told = new Map(
    [...section(text, 'told').matchAll(/^- (.+?): `(.*)`$/gm)].map(([, key = '', words = '']) => [
      key,
      words,
    ]),
  );
  const [head = [], , ...rows] = section(text, 'outcomes')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.map(([client = '', ...kinds]) => [
      client,
      new Map(
        kinds.flatMap((kind, index): [string, Outcome][] => {
          const name = head[index + 1] ?? '';
          if (kind === 'done' || kind === 'no tool') {
            return [[name, { kind }]];
          }
          return kind === 'told' ? [[name, { kind, told: told.get(`${client}, ${name}`) ?? '' }]] : [];
        }),
      ),
    ]),
  );
}

function section(text: string, name: string): string {
  return new RegExp(`<!-- ${name} -->([^]*?)<!-- /${name} -->`).exec(text)?.[1] ?? '';
}

function replaced(text: string, name: string, content: string): string {
  const [before, after] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(before) + before.length, text.indexOf(after)];
  return `${text.slice(0, start)}\n\n${content}\n\n${text.slice(end)}`;
}
