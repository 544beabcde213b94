import { type LabelledReply } from './labelled-reply.js';
import { FURTHER_RESULTS, RESULTS } from './results.js';

const ALL = { ...RESULTS, ...FURTHER_RESULTS } as const;
type Name = keyof typeof ALL;

/** Requests for work, as people make them, that are answered with the result. */
const WORK: readonly (readonly [result: Name, asked: string])[] = [
  ['php', 'Refactor VoucherBook so that expiry is a class of its own'],
  ['react', 'Why is ParcelList refetching all the time? Please correct it.'],
  ['react', 'Our list of parcels has no keys. Deal with it.'],
  ['ticket', 'draft a reply to this customer, apologise and offer a new date'],
  ['minutes', 'Wer muss bis Freitag was erledigen?'],
  ['minutes', 'turn the meeting into action items with owners'],
  ['russian', 'Сколько людей ещё нужно на праздники?'],
  ['portuguese', 'Quanto custaria resolver o problema do sensor e quando se pode fazer?'],
  ['hits', 'Which article should I read first if I have only ten minutes?'],
  ['containers', 'Is anything unhealthy, and if so why?'],
  ['csv', 'which of our customers has the largest unpaid sum'],
  ['french', 'Résume cette lettre pour mon chef.'],
  ['yaml', 'add a volume for the certificates'],
  ['rust', 'Port this module to TypeScript'],
];

/** Forms of an echo that none of the user's words explains. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    `Let me take a look at it first.\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n\nI will now continue with the task.`,
  (text) => text.replaceAll(/\n\s*/g, '\n'),
  (text) => JSON.stringify({ content: text }),
];

export const EVERYDAY_ECHOES: readonly LabelledReply[] = WORK.flatMap(([name, asked]) =>
  FORMS.map((form) => labelled('work is asked for', name, asked, form(ALL[name]))),
);

/** Requests for the text or a list, in words of every day. */
const ASKED_FOR: readonly (readonly [result: Name, asked: string])[] = [
  ['nginx', 'whats in site.conf'],
  ['nginx', 'Zeig mal her, was in der site.conf steht'],
  ['nginx', 'What does the site.conf have in it'],
  ['php', 'Put the whole of VoucherBook.php into the chat, I want to copy it to another project'],
  ['rust', 'I want to look over ring.rs myself before we talk about it'],
  ['minutes', 'Ich brauche den Wortlaut des Protokolls für meine Akten.'],
  ['minutes', 'My copy is gone. Full text, so that I can save it'],
  ['french', 'Peux-tu me recopier la lettre telle quelle ?'],
  ['portuguese', 'Quero ler o relatório da visita, podes colar aqui?'],
  ['russian', 'Покажи протокол'],
  ['ticket', 'pull up ticket 5127'],
  ['json', 'Dump the first page of /users'],
  ['buildLog', 'What did the build print?'],
  ['tree', 'How is the project laid out?'],
  ['hits', 'find me articles about using postgres as a queue'],
  ['commits', 'what changed lately?'],
  ['containers', 'What is running on the server?'],
];

/** Requests that name a text by what was read. */
const NAMED: readonly (readonly [result: Name, source: string, asked: string])[] = [
  ['php', 'src/VoucherBook.php', "What's inside VoucherBook?"],
  ['rust', 'src/ring.rs', "I'd like to see ring before you touch anything"],
  ['react', 'src/ParcelList.tsx', 'Show me ParcelList as it is on disk'],
];

const named = NAMED.map(([name, path, asked]): LabelledReply => {
  const results = [{ text: ALL[name], source: JSON.stringify({ path }) }];
  return { ...labelled('named', name, asked, ALL[name]), results };
});

/** Requests for another layout, and the answers. */
const LAYOUTS: readonly (readonly [result: Name, asked: string, change: (text: string) => string])[] = [
  ['numberedFile', 'Remove the line numbers', (text) => text.replaceAll(/^ *\d+\t/gm, '')],
  ['minifiedJson', 'pretty print this json', (text) => JSON.stringify(JSON.parse(text), null, 2)],
  ['json', 'minify the user list', (text) => JSON.stringify(JSON.parse(text))],
  ['article', 'Wrap it to 60 characters', (text) => text.replaceAll(/(.{1,60})\s/g, '$1\n')],
  ['python', 'Use tabs instead of spaces', (text) => text.replaceAll('    ', '\t')],
];

/** Changes far behind the beginning of a file that is written back. */
const CHANGES: readonly (readonly [
  asked: string,
  change: (lines: readonly string[], at: number) => string[],
])[] = [
  ['Rename it to what it is.', (lines, at) => lines.with(at, (lines[at] ?? '').replace(/\w+/, 'renamed'))],
  ['Log it there.', (lines, at) => lines.toSpliced(at, 0, '    trace("reached", Date.now());')],
  [
    'Keep the limits in the file.',
    (lines, at) => lines.toSpliced(at, 0, '', '    limits = { soft: 12, hard: 40 }', ''),
  ],
];
const WRITTEN_BACK: readonly Name[] = ['typescript', 'python', 'go', 'rust', 'php', 'react', 'nginx'];

const writtenBack = WRITTEN_BACK.flatMap((name) => {
  const lines = ALL[name].trimEnd().split('\n');
  const at = lines.findIndex((line, index) => index >= lines.length * 0.75 && /\w{5}/.test(line));
  return CHANGES.map(([asked, change]) =>
    labelled('written back', name, asked, `\`\`\`\n${change(lines, at).join('\n')}\n\`\`\``),
  );
});

/** A line that is added without a fence around, much like its neighbour; and lines that are taken out. */
const bare = [
  labelled(
    'written back bare',
    'nginx',
    'We have a third server now, 10.4.0.13.',
    RESULTS.nginx.replace(/.*10\.4\.0\.12.*\n/, (line) => line + line.replace('12', '13')),
  ),
  labelled(
    'lines taken out',
    'python',
    'Shelves are read only. Drop put.',
    RESULTS.python.replace(/ {4}def put[^]*?\n(?=\n)/, ''),
  ),
  labelled(
    'lines taken out',
    'nginx',
    'Entferne den Block für die Websockets.',
    RESULTS.nginx.replace(/ {4}location \/ws\/[^]*?\n {4}\}\n/, ''),
  ),
];

export const EVERYDAY_FAIR: readonly LabelledReply[] = [
  ...ASKED_FOR.map(([name, asked]) => labelled('asked for', name, asked, `\`\`\`\n${ALL[name]}\n\`\`\``)),
  ...LAYOUTS.map(([name, asked, change]) => labelled('another layout', name, asked, change(ALL[name]))),
  ...named,
  ...writtenBack,
  ...bare,
];

function labelled(kind: string, name: Name, asked: string, reply: string): LabelledReply {
  return { kind, name: `${name}: ${asked}`, asked, results: [{ text: ALL[name] }], reply };
}
