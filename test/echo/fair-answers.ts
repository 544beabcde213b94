import { type LabelledReply } from './labelled-reply.js';
import { type ResultName, RESULTS } from './results.js';

/** Questions that a list of paths answers. */
const PATH_QUESTIONS = [
  'Look for the specs.',
  'Are there any specs yet?',
  'Do we have tests for the pool?',
  "What's in this folder?",
  'What changed in the last commit?',
  'Locate the configuration of the tests.',
  'Tell me the files that need a licence header.',
  'Gibt es schon Tests?',
];

const lists = PATH_QUESTIONS.flatMap((asked) =>
  [RESULTS.paths, `I found these:\n\n${RESULTS.paths}`, `\`\`\`\n${RESULTS.paths}\n\`\`\``].map(
    (reply, index) => fair('list of paths', `${asked} (${index + 1})`, asked, RESULTS.paths, reply),
  ),
);

/** Lists of other things, by the questions that they answer. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  [records(20, (at) => `${(at * 7919 + 4096).toString(16)} pool: decide case ${at} at once, and say so`)]: [
    'List the last 20 commits.',
    'Which commits touched the pool?',
    'git log please',
  ],
  [records(25, (at) => `web-${at}-7f9c${at * 77} 1/1 Running ${at % 3} ${at}d`)]: [
    'Which pods are running?',
    'kubectl get pods',
  ],
  [records(30, (at) => `${at} Name${at} user${at}@example.org role${at % 3}`)]: ['List all users.'],
  [records(25, (at) => `src/part-${at}.ts:${at * 7}: // TODO handle case ${at} of {`)]: ['Find all TODOs.'],
  [records(15, (at) => `src/a${at}.ts(${at + 3},5): error TS2322: Type 'string' is not a 'number'.`)]: [
    'What are the type errors?',
    'Run tsc.',
  ],
  [records(25, (at) => `SETTING_${at}=value-number-${at * 31}`)]: [
    'Which environment variables are set?',
    'print the env',
  ],
};

const recordLists = Object.entries(RECORDS).flatMap(([text, questions]) =>
  questions.map((asked) => fair('list of records', asked, asked, text, `These are they:\n\n${text}`)),
);

const LINES = (Object.keys(RESULTS) as ResultName[]).filter((name) => RESULTS[name].split('\n').length > 12);

const excerpts = LINES.flatMap((name) => {
  const text = RESULTS[name];
  const asked = 'What decides about the order here?';
  return [
    fair(
      'excerpt between sentences',
      name,
      asked,
      text,
      `It is this part that decides, and the reason is simple:\n\n\`\`\`\n${text.slice(200, 700)}\n\`\`\`\n\nEverything else only prepares it. Change the limit there and run the tests again.`,
    ),
    fair(
      'short excerpt with a sentence',
      name,
      asked,
      text,
      `This part does it:\n\n\`\`\`\n${text.slice(200, 620)}\n\`\`\``,
    ),
    fair(
      'first words of all lines',
      name,
      asked,
      text,
      `There are ${text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => line.trim().split(/\s+/)[0] ?? '')
        .join(', ')}.`,
    ),
    fair(
      'lines as a list',
      name,
      asked,
      text,
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(0, 30)
        .map((line) => `- ${line.trim()}`)
        .join('\n'),
    ),
    fair(
      'lines as a list in HTML',
      name,
      asked,
      text,
      `<ul>${text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(0, 30)
        .map((line) => `<li>${line.trim().replaceAll('<', '&lt;')}</li>`)
        .join('\n')}</ul>`,
    ),
  ];
});

/** Long lines that were picked from a list. */
const UPDATES = records(
  60,
  (at) =>
    `update-alternatives 2026-05-20 10:${10 + (at % 50)}:01: run with --install /usr/bin/tool${at * 31} tool${at} /usr/lib/part-${at * 77}/bin/tool${at} ${at * 3} --quiet`,
);
const picked = fair(
  'picked lines',
  'updates',
  'Which of these look suspicious?',
  UPDATES,
  `These look odd to me:\n\n${UPDATES.split('\n')
    .filter((_, at) => at % 4 === 1)
    .slice(0, 9)
    .join('\n')}\n\nThe others are as usual.`,
);

/** Records that begin with a number that is aligned on the right. */
const PROCESSES = records(
  40,
  (at) => `${String(at * 31 + 3).padStart(7)} ${at * 3} root S 00:00:${10 + at} worker/${at}`,
);
const ofProcesses = [
  fair(
    'lines as a list in JSON',
    'processes',
    'Return the entries as a JSON array of strings.',
    PROCESSES,
    JSON.stringify(PROCESSES.split('\n'), null, 2),
  ),
  fair('list of records', 'ps please', 'ps please', PROCESSES, PROCESSES),
];

/** Lists of paths in other forms than that of the result, to questions that do not ask for a list. */
const PATHS = RESULTS.paths.trim().split('\n');
const FOLDERS = [...new Set(PATHS.map((path) => path.slice(0, path.lastIndexOf('/'))))];
const pathsByFolder = Object.entries({
  'by folder': FOLDERS.map(
    (folder) =>
      `### ${folder}\n\n${PATHS.filter((path) => path.startsWith(`${folder}/`))
        .map((path) => `- \`${path}\``)
        .join('\n')}`,
  ).join('\n\n'),
  'name first': PATHS.map(
    (path) => `- **${path.split('/').at(-1) ?? ''}** in \`${path.slice(0, path.lastIndexOf('/'))}\``,
  ).join('\n'),
  'with remarks': PATHS.slice(0, 12)
    .map(
      (path, index) =>
        `${index + 1}. \`${path}\`: ${index % 2 ? 'needs no clock' : 'runs with a clock of its own'}`,
    )
    .join('\n'),
}).map(([name, reply]) => fair('list of paths', name, 'How is this laid out?', RESULTS.paths, reply));

/** Answers that are no echo although they consist of what a tool returned, or look as if they did. */
export const FAIR_ANSWERS: readonly LabelledReply[] = [
  ...lists,
  ...recordLists,
  ...excerpts,
  ...pathsByFolder,
  picked,
  ...ofProcesses,
  fair(
    'escapes',
    'HTML that is explained',
    'What does the page use?',
    RESULTS.html,
    `It uses &lt;div&gt;, &amp;, &#39; and &lt;br&gt; & so on, but <b> and <br> too; a &unknown; stays. ${'Nothing else is in it. '.repeat(20)}`,
  ),
];

function fair(kind: string, name: string, asked: string, text: string, reply: string): LabelledReply {
  return { kind, name, asked, results: [{ text }], reply };
}

function records(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n');
}
