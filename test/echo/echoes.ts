import { EVERYDAY_ECHOES } from './everyday-replies.js';
import { FURTHER_ECHOES } from './further-replies.js';
import { type LabelledReply } from './labelled-reply.js';
import { NAMED_ECHOES } from './named-replies.js';
import { condensed, type ResultName, RESULTS } from './results.js';
import { REWRITTEN_FORMS, wrapped } from './rewritten-forms.js';

const ASKED = [
  'What does this do, and is there anything wrong with it?',
  'Fix the failing test in the accounts folder.',
  'Summarise what you found.',
  'Why is it so slow on Mondays? Explain it to me in two sentences.',
  'Add a retry to the upload and tell me when it is done.',
  'Was steht da drin, und was heißt das für uns?',
];

const REMARKS = [
  'As you can see, this part is important.',
  'Next comes the following section.',
  'The code continues like this:',
  'Let us look at what follows.',
];

/** A preface longer than the text that is held back at the beginning. */
export const LONG_PREFACE =
  'I have had a look at what the tool returned, and before I go on I want to make sure that we are talking about the same thing, so that nothing is lost. There are a few details in it which matter for your question. The content is as follows.\n\n';

/** Forms in which models repeat a result. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'without the last line break': (text) => text.trimEnd(),
  'in a fence': (text) => `\`\`\`\n${text}\n\`\`\``,
  'in a fence of a language': (text) => `\`\`\`typescript\n${text}\n\`\`\``,
  'with a preface': (text) => `Here is the file:\n\n${text}`,
  'with a preface, fence and closing': (text) =>
    `Sure! Here is the full content:\n\n\`\`\`\n${text}\n\`\`\`\n\nLet me know if you need anything else.`,
  'behind a long preface': (text) => `${LONG_PREFACE}${text}`,
  'with line numbers 12:': (text) => numbered(text, (line, number) => `${number}: ${line}`),
  'with line numbers 12→': (text) =>
    numbered(text, (line, number) => `${String(number).padStart(6)}→${line}`),
  'with line numbers L12:': (text) => numbered(text, (line, number) => `L${number}: ${line}`),
  'with line numbers Line 12:': (text) => numbered(text, (line, number) => `Line ${number}: ${line}`),
  'with line numbers [12]': (text) => numbered(text, (line, number) => `[${number}] ${line}`),
  'with line numbers 12 |': (text) =>
    numbered(text, (line, number) => `${String(number).padStart(4)} | ${line}`),
  'with line numbers and a tab': (text) =>
    numbered(text, (line, number) => `${String(number).padStart(6)}\t${line}`),
  'with line numbers and spaces': (text) =>
    numbered(text, (line, number) => `${String(number).padStart(3)}  ${line}`),
  'with line numbers 12.': (text) => numbered(text, (line, number) => `${number}. ${line}`),
  'quoted with >': (text) => numbered(text, (line) => `> ${line}`),
  'indented further': (text) => numbered(text, (line) => `    ${line}`),
  'without indentation': (text) => numbered(text, (line) => line.trimStart()),
  'without empty lines': (text) => text.replaceAll(/\n\s*\n/g, '\n'),
  'with an empty line between all': (text) => text.replaceAll('\n', '\n\n'),
  'with Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
  'its beginning': (text) => text.slice(0, Math.max(1500, text.length * 0.45)),
  'its end': (text) => text.slice(-Math.max(1500, text.length * 0.45)),
  'its middle left out': (text) =>
    `${text.slice(0, text.length * 0.4)}\n\n… (rest of the section omitted) …\n\n${text.slice(text.length * 0.6)}`,
  'with a remark now and then': (text) => remarked(text, 500),
  'with a remark every few lines': (text) => remarked(text, 260),
};

const SHORT: readonly ResultName[] = ['testSummary', 'errorLine'];
const LONG = (Object.keys(RESULTS) as ResultName[]).filter((name) => !SHORT.includes(name));

/** Results that become lists with ordinal numbers, which may have been asked for. */
const RECORDS: readonly ResultName[] = ['csv', 'log', 'search', 'paths', 'listing', 'containers'];

/** Behind a plus, the one blank that begins a line of a patch looks like that of an item. */
const isItem = (form: string, name: ResultName): boolean =>
  form === 'as added lines of a patch' && name === 'diff';

const ofForms = Object.entries({ ...FORMS, ...REWRITTEN_FORMS }).flatMap(([form, change], index) =>
  LONG.filter((name) => !isItem(form, name) && (!form.endsWith('12.') || !RECORDS.includes(name))).map(
    (name, at) => entry(form, name, change(RESULTS[name]), [RESULTS[name]], index + at),
  ),
);

const ofShortResults = SHORT.flatMap((name) =>
  (['as it is', 'in a fence', 'with a preface'] as const).map((form, index) =>
    entry(`short, ${form}`, name, FORMS[form]?.(RESULTS[name]) ?? '', [RESULTS[name]], index),
  ),
);

const COLLAPSED: readonly ResultName[] = [
  'typescript',
  'python',
  'go',
  'sql',
  'article',
  'json',
  'log',
  'csv',
  'traceback',
  'html',
];
const collapsed = COLLAPSED.map((name, at) =>
  entry('in one line', name, RESULTS[name].replaceAll(/\s+/g, ' '), [RESULTS[name]], at),
);

const CONDENSED: readonly ResultName[] = ['log', 'search', 'listing', 'json', 'csv', 'diff'];
const ofCondensed = CONDENSED.flatMap((name, at): LabelledReply[] => {
  const text = RESULTS[name];
  const form = condensed(text);
  const results = [{ text, condensed: form }];
  const asked = ASKED[at % ASKED.length] ?? '';
  return [
    { kind: 'condensed form', name, asked, results, reply: form },
    {
      kind: 'condensed form',
      name: `${name} in a fence`,
      asked,
      results,
      reply: `Here it is:\n\`\`\`\n${form}\n\`\`\``,
    },
    { kind: 'condensed form', name: `${name}, the original`, asked, results, reply: text },
  ];
});

const PAIRS: readonly (readonly [ResultName, ResultName])[] = [
  ['sql', 'python'],
  ['traceback', 'yaml'],
  ['chinese', 'german'],
  ['search', 'shortTypescript'],
  ['csv', 'minifiedJson'],
];
const pairs = PAIRS.flatMap(([first, second], at): LabelledReply[] => [
  entry(
    'two results',
    `${first}, ${second}`,
    `${RESULTS[first]}\n${RESULTS[second]}`,
    [RESULTS[first], RESULTS[second]],
    at,
  ),
  entry('one of two results', second, RESULTS[second], [RESULTS[first], RESULTS[second]], at),
  entry(
    'one of two results',
    first,
    `\`\`\`\n${RESULTS[first]}\`\`\``,
    [RESULTS[first], RESULTS[second]],
    at,
  ),
]);

const others: LabelledReply[] = [
  entry(
    'numbers of the result left out',
    'numberedFile',
    RESULTS.numberedFile.replaceAll(/^ *\d+\t/gm, ''),
    [RESULTS.numberedFile],
    0,
  ),
  entry(
    'escapes of the result undone',
    'fileAsJson',
    `\`\`\`ts\n${(JSON.parse(RESULTS.fileAsJson) as { content: string }).content}\n\`\`\``,
    [RESULTS.fileAsJson],
    1,
  ),
  entry(
    'escapes and numbers of the result undone',
    'numberedFile',
    RESULTS.numberedFile.replaceAll(/^ *\d+\t/gm, ''),
    [JSON.stringify({ result: RESULTS.numberedFile })],
    1,
  ),
  entry(
    'as an array of its lines',
    'numberedFile',
    JSON.stringify(RESULTS.numberedFile.trimEnd().split('\n'), null, 2),
    [RESULTS.numberedFile],
    2,
  ),
  entry(
    'JSON made pretty',
    'minifiedJson',
    JSON.stringify(JSON.parse(RESULTS.minifiedJson), null, 4),
    [RESULTS.minifiedJson],
    2,
  ),
  entry('JSON made compact', 'json', JSON.stringify(JSON.parse(RESULTS.json)), [RESULTS.json], 3),
  {
    ...entry('in front of a call', 'shortTypescript', RESULTS.shortTypescript, [RESULTS.shortTypescript], 4),
    call: '{"path":"src/a.ts"}',
  },
  {
    ...entry('in front of a call', 'traceback', `I see:\n${RESULTS.traceback}`, [RESULTS.traceback], 5),
    call: '{"path":"jobs/receipts.py"}',
  },
];

/** Results of short lines, repeated where the user asks for work on them. */
const LINES = [
  (at: number): string => `2026-03-04T10:20:${10 + at}Z error request ${at * 31} of user ${at * 7} timed out`,
  (at: number): string => `${at},Name${at},user${at}@example.org,role${at % 3},${at * 31}`,
  (at: number): string => `SETTING_${at}=value-number-${at * 31}`,
].map((write) => Array.from({ length: 40 }, (_, at) => write(at)).join('\n'));

const ofLines = [
  'Why do all tests fail? Fix the errors.',
  'npm test fails, fix it',
  'Which errors cause the crash? Fix them.',
  'git is broken, fix the merge.',
  'Give me a summary of the settings.',
  'There is a layout bug in the chat. Fix it.',
].flatMap((asked) =>
  LINES.map((text, at): LabelledReply => ({
    kind: 'of short lines',
    name: `${asked} (${at + 1})`,
    asked,
    results: [{ text }],
    reply: text,
  })),
);

/** Texts of which some lines begin with a number or a fence, laid out anew. */
const FIGURES: Readonly<Record<string, string>> = {
  policy: Array.from(
    { length: 14 },
    (_, at) =>
      `# ${at * 10 + 5}: what holds for tools of kind ${at * 31}\n[[rule]]\ntool = "tool_${at * 17}"\n\ndecision = "ask_user"\npriority = ${at * 7}\n`,
  ).join('\n'),
  guide: Array.from(
    { length: 8 },
    (_, at) =>
      `## Step ${at * 3}\n\nBefore the pump ${at * 29} starts, close valve ${at * 13} and call the shift of that hall.\n\n\`\`\`sh\npumpctl start --unit ${at * 41} --wait\n\`\`\`\n`,
  ).join('\n'),
  findings: Array.from(
    { length: 12 },
    (_, at) =>
      `src/part${at}.c:${at * 7 + 3}:9: warning: unused variable 'value${at}'\n   ${at * 7 + 3} |   int value${at} = measure(${at}, ${at * 13});\n      |       ^~~~~~`,
  ).join('\n'),
};
const laidOutAnew = Object.entries(FIGURES).flatMap(([name, text], at) => [
  entry('figures in one line', name, text.replaceAll(/\s+/g, ' '), [text], at),
  entry('figures in lines of 60 characters', name, wrapped(text), [text], at),
]);

export const ECHOES: readonly LabelledReply[] = [
  ...ofLines,
  ...ofForms,
  ...ofShortResults,
  ...collapsed,
  ...laidOutAnew,
  ...ofCondensed,
  ...pairs,
  ...others,
  ...FURTHER_ECHOES,
  ...EVERYDAY_ECHOES,
  ...NAMED_ECHOES,
];

function entry(
  kind: string,
  name: string,
  reply: string,
  results: readonly string[],
  at: number,
): LabelledReply {
  return {
    kind,
    name,
    asked: ASKED[at % ASKED.length] ?? '',
    results: results.map((text) => ({ text })),
    reply,
  };
}

function numbered(text: string, change: (line: string, number: number) => string): string {
  return text
    .split('\n')
    .map((line, index) => change(line, index + 1))
    .join('\n');
}

/** Inserts a remark on a line of its own after every `every` characters. */
function remarked(text: string, every: number): string {
  let since = 0;
  let remarks = 0;
  return text
    .split('\n')
    .map((line) => {
      since += line.length;
      if (since < every) {
        return line;
      }
      since = 0;
      return `${line}\n\n${REMARKS[remarks++ % REMARKS.length] ?? ''}\n`;
    })
    .join('\n');
}
