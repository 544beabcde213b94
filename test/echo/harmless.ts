import { EVERYDAY_FAIR } from './everyday-replies.js';
import { FAIR_ANSWERS } from './fair-answers.js';
import { FURTHER_FAIR } from './further-replies.js';
import { type LabelledReply } from './labelled-reply.js';
import { NAMED_FAIR } from './named-replies.js';
import { type ResultName, RESULTS } from './results.js';
import { WRITTEN } from './written-replies.js';

const names = Object.keys(RESULTS) as ResultName[];

/** Answers that quote the longest line of a result. */
const quotesOfOneLine = names.flatMap((name): LabelledReply[] => {
  const line = longestLine(RESULTS[name]);
  const about = 'What is the most important line here, and why?';
  const reply = (quote: string): string =>
    `The line that decides everything is this one:\n\n${quote}\n\nIt is the only place where the value is set, and nothing later on takes it back. If you want another behaviour, change it there first, run the tests of that folder, and then look at the callers, which rely on the present order.`;
  return [
    harmless('quote of one line', name, about, RESULTS[name], reply(`> ${line.slice(0, 300)}`)),
    harmless(
      'quote of one line',
      `${name}, in code`,
      about,
      RESULTS[name],
      reply(`\`${line.trim().slice(0, 200)}\``),
    ),
  ];
});

/** Answers that quote several lines and explain each. */
const walkThroughs = names
  .filter((name) => RESULTS[name].split('\n').length > 12)
  .map((name) => {
    const lines = RESULTS[name].split('\n').filter((line) => line.trim().length > 24);
    const picked = lines.filter((_, index) => index % Math.max(1, Math.floor(lines.length / 14)) === 0);
    const reply = picked
      .map(
        (line, index) =>
          `\`${line.trim().slice(0, 120)}\`\n\nThis is step ${index + 1}: what was read before is checked here, and only what passes goes on to the next one.`,
      )
      .join('\n\n');
    return harmless(
      'walk-through with quotes',
      name,
      'Explain this to me step by step.',
      RESULTS[name],
      reply,
    );
  });

const PATHS = RESULTS.paths.trim().split('\n');
const pathLists: readonly (readonly [string, string, string])[] = [
  [
    'all, with bullets',
    'Look for the specs.',
    `I found ${PATHS.length} specs:\n\n${PATHS.map((path) => `- ${path}`).join('\n')}`,
  ],
  [
    'all, with code and bullets',
    'Look for the specs.',
    `These are the specs:\n\n${PATHS.map((path) => `* \`${path}\``).join('\n')}\n\nShall I run them?`,
  ],
  [
    'all, numbered',
    'Are there any specs yet?',
    PATHS.map((path, index) => `${index + 1}. ${path}`).join('\n'),
  ],
  [
    'all, as they are, when asked for',
    'Find all spec files in src/chat and src/accounts.',
    `Here they are:\n\n\`\`\`\n${PATHS.join('\n')}\n\`\`\``,
  ],
  ['all, with commas, when asked for', 'Which files hold specs?', `The specs are in ${PATHS.join(', ')}.`],
  [
    'all in a table',
    'Look for the specs.',
    `| spec | folder |\n| --- | --- |\n${PATHS.map((path) => `| ${path.split('/').at(-1) ?? ''} | ${path.slice(0, path.lastIndexOf('/'))} |`).join('\n')}`,
  ],
  ['all, with commas', 'Are there any specs yet?', `Yes, quite a few: ${PATHS.join(', ')}.`],
  [
    'some of them',
    'Is there a spec for the pool?',
    `Yes, two of them:\n\n${PATHS.filter((path) => path.includes('pool')).join('\n')}\n\nBoth run in the unit project.`,
  ],
  [
    'in sentences',
    'Where would I begin reading?',
    `Begin with ${PATHS[0] ?? ''}, then read ${PATHS[5] ?? ''} and ${PATHS[9] ?? ''}. After that ${PATHS[14] ?? ''} is worth a look, and ${PATHS[20] ?? ''} if you care about time.`,
  ],
];

const MATCHES = RESULTS.search
  .trim()
  .split('\n')
  .map((line) => {
    const [file = '', number = '', ...code] = line.split(':');
    return { file, number, code: code.join(':').trim() };
  });
const searchLists: readonly (readonly [string, string])[] = [
  [
    'with bullets',
    MATCHES.map(({ file, number, code }) => `- \`${file}:${number}\`: \`${code}\``).join('\n'),
  ],
  [
    'with bullets, as they are',
    RESULTS.search
      .trim()
      .split('\n')
      .map((line) => `- ${line}`)
      .join('\n'),
  ],
  [
    'numbered, as they are',
    RESULTS.search
      .trim()
      .split('\n')
      .map((line, index) => `${index + 1}. ${line}`)
      .join('\n'),
  ],
  [
    'in a table',
    `| file | line | code |\n|---|---|---|\n${MATCHES.map(({ file, number, code }) => `| ${file} | ${number} | ${code} |`).join('\n')}`,
  ],
  [
    'by file',
    [...new Set(MATCHES.map(({ file }) => file))]
      .map((file) => `**${file}** takes a signal and passes it on.`)
      .join('\n'),
  ],
];

const rows = RESULTS.csv
  .trim()
  .split('\n')
  .map((line) => line.split(','));
const users = (JSON.parse(RESULTS.json) as { users: Record<string, unknown>[] }).users;
const table = (cells: readonly (readonly unknown[])[]): string =>
  cells
    .map(
      (row, index) => `| ${row.join(' | ')} |${index === 0 ? `\n|${row.map(() => ' --- |').join('')}` : ''}`,
    )
    .join('\n');
const tables: readonly (readonly [string, ResultName, string])[] = [
  ['all of a CSV', 'csv', `Here are the orders as a table:\n\n${table(rows)}`],
  [
    'some columns of a CSV',
    'csv',
    table(rows.map(([order, customer, , , price]) => [order, customer, price])),
  ],
  [
    'all of a JSON',
    'json',
    table([Object.keys(users[0] ?? {}), ...users.map((user) => Object.values(user))]),
  ],
  ['some of a JSON', 'json', table([['Name', 'City'], ...users.map(({ name, city }) => [name, city])])],
  [
    'a list of a JSON',
    'json',
    users
      .map(({ name, email, city }) => `- **${String(name)}** (${String(email)}), ${String(city)}`)
      .join('\n'),
  ],
  [
    'lines of a log',
    'log',
    table([
      ['Time', 'Level', 'What'],
      ...RESULTS.log
        .trim()
        .split('\n')
        .map((line) => [line.slice(11, 19), line.slice(24, 29), line.slice(30)]),
    ]),
  ],
  [
    'items of a log',
    'log',
    `There were these errors:\n\n${RESULTS.log
      .split('\n')
      .filter((line) => line.includes('ERROR'))
      .map((line) => `- ${line}`)
      .join('\n')}`,
  ],
];

/** Requests for a text as it is, or in another form. */
const RAW = [
  'Show me the file.',
  'print the whole output please',
  'cat it verbatim',
  'Please give me the exact contents of the file.',
  'Zeig mir bitte den ganzen Inhalt der Datei.',
  'Montre-moi le contenu du fichier.',
  'Muéstrame el archivo completo.',
  '请显示文件的完整内容。',
  'ファイルの内容をそのまま表示してください。',
  'Read the file and paste it here.',
] as const;
const askedFor = RAW.map((asked, index): LabelledReply => {
  const name = names[(index * 3) % names.length] ?? 'python';
  return harmless('asked for', name, asked, RESULTS[name], `\`\`\`\n${RESULTS[name]}\n\`\`\``);
});

/** Answers with a slightly edited file in the argument of a call. */
const edits = (['typescript', 'python', 'go', 'sql', 'yaml', 'markdown'] as const).map(
  (name): LabelledReply => ({
    ...harmless(
      'edit in an argument',
      name,
      'Rename the main type.',
      RESULTS[name],
      'I rename it and keep the rest as it is.',
    ),
    call: JSON.stringify({ path: name, content: RESULTS[name].slice(0, RESULTS[name].length * 0.6) }),
  }),
);

/** Answers with a file that is changed within its first words only. */
const headEdits = (['yaml', 'sql', 'markdown', 'rust', 'java'] as const).map((name) => {
  const text = RESULTS[name];
  const at = text.indexOf(' ', 18);
  return harmless(
    'edit near the beginning',
    name,
    'Deal with the beginning.',
    text,
    `${text.slice(0, at)} changedhere${text.slice(at)}`,
  );
});

/** Answers with a file that is changed in every few lines. */
const rewrites = (['typescript', 'python', 'go', 'shortTypescript'] as const).flatMap(
  (name): LabelledReply[] => [
    harmless(
      'rewritten in the text',
      `${name}, comments`,
      'Add comments for a beginner.',
      RESULTS[name],
      rewritten(RESULTS[name], 3, (line) => `${line} // now it is checked whether that is so`),
    ),
    harmless(
      'rewritten in the text',
      `${name}, names`,
      'The names are bad, suggest better ones.',
      RESULTS[name],
      RESULTS[name].replaceAll(
        /\b(self|this|cooldown|sku|quantity|interval|account|line|text|field)\b/gi,
        'entry$1',
      ),
    ),
    harmless(
      'rewritten in the text',
      `${name}, lines`,
      'Make it log what it does.',
      RESULTS[name],
      rewritten(
        RESULTS[name],
        5,
        () => '    logger.debug("reached", { step, value, elapsed: clock.now() - began });',
      ),
    ),
  ],
);

export const HARMLESS: readonly LabelledReply[] = [
  ...quotesOfOneLine,
  ...walkThroughs,
  ...pathLists.map(([name, asked, reply]) =>
    harmless('list of found paths', name, asked, RESULTS.paths, reply),
  ),
  ...searchLists.map(([name, reply]) =>
    harmless('list of matches', name, 'Is every signal handed on?', RESULTS.search, reply),
  ),
  ...tables.map(([name, result, reply]) =>
    harmless('table', name, 'Make this easier to read.', RESULTS[result], reply),
  ),
  ...askedFor,
  ...edits,
  ...headEdits,
  ...rewrites,
  ...WRITTEN,
  ...FAIR_ANSWERS,
  ...FURTHER_FAIR,
  ...EVERYDAY_FAIR,
  ...NAMED_FAIR,
];

function harmless(kind: string, name: string, asked: string, result: string, reply: string): LabelledReply {
  return { kind, name, asked, results: [{ text: result }], reply };
}

function longestLine(text: string): string {
  return text.split('\n').reduce((longest, line) => (line.length > longest.length ? line : longest), '');
}

function rewritten(text: string, every: number, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line, index) => (index % every === every - 1 ? change(line) : line))
    .join('\n');
}
