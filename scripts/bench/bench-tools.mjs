/**
 * Measures the throughput of the tool-call parser on answers that arrive in small pieces: megabytes per second of
 * processor time, by form and by the length of one argument, and the share of the answer that must have arrived before
 * the first piece of that argument is emitted. Equal speed at every length means linear time.
 *
 *     npm run build && node scripts/bench/bench-tools.mjs [options]
 *
 *     --piece N      characters of a piece; 7 by default
 *     --rounds N     rounds of each measurement, of which the median counts; 15 by default
 *     --lengths A,B  KB of the argument; 75,150,300,600 by default
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    piece: { type: 'string', default: '7' },
    rounds: { type: 'string', default: '15' },
    lengths: { type: 'string', default: '75,150,300,600' },
  },
});

const { ToolCallStage } = await load('chat/tools/tool-call.stage.js');
const { OfferedTools } = await load('chat/tools/calls/offered-tools.js');

/** Rounds before the first that counts, in which the compiler optimises the code. */
const WARM_UP_ROUNDS = 5;

const string = { type: 'string' };
const tools = new OfferedTools([
  {
    type: 'function',
    function: { name: 'write_file', parameters: { properties: { path: string, content: string } } },
  },
]);

const CODE = `export function find<T>(list: readonly T[], name = "x"): T | undefined {
  // A comment on why, with \`code\` in it & a path: C:\\temp\\new
  return list.length < 3 ? undefined : <T>list.at(-1);
}
`;
const PROSE = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all.\n';

/** Answers by form, each made from the length of its argument. */
const FORMS = {
  'tags, code': (length) => tags(repeat(CODE, length)),
  'tags, prose': (length) => tags(repeat(PROSE, length)),
  'JSON, code': (length) => json(repeat(CODE, length)),
  'JSON, prose': (length) => json(repeat(PROSE, length)),
  'JSON as text, code': (length) =>
    call({ name: 'write_file', arguments: JSON.stringify({ path: 'a', content: repeat(CODE, length) }) }),
  'keys in tags, code': (length) =>
    `<tool_call>write_file\n${pair('path', 'a')}\n${pair('content', repeat(CODE, length))}\n</tool_call>`,
  'Python, code': (length) =>
    `<|python_start|>[write_file(path="a", content=${JSON.stringify(repeat(CODE, length))})]<|python_end|>`,
  'tokens, code': (length) =>
    `<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>${repeat(CODE, length)}<|"|>}<tool_call|>`,
  'no call, code': (length) => repeat(CODE.replaceAll('`', '"'), length),
  'no call, prose': (length) => repeat(PROSE, length),
};

for (const [name, answer] of Object.entries(FORMS)) {
  const results = options.lengths.split(',').map((kilobytes) => measure(answer(Number(kilobytes) * 1000)));
  const speeds = results.map(({ speed }) => `${speed.toFixed(0).padStart(4)}`).join(' ');
  const [first] = results.slice(-1).map(({ firstAt }) => firstAt);
  const at = first === undefined ? '' : `, first piece after ${(100 * first).toFixed(2)} % of the longest`;
  console.log(`${name.padEnd(20)} ${speeds} MB/s at ${options.lengths} KB${at}`);
}

function measure(answer) {
  const pieces = inPieces(answer, Number(options.piece));
  const rounds = Array.from({ length: Number(options.rounds) + WARM_UP_ROUNDS }, () => run(pieces)).slice(
    WARM_UP_ROUNDS,
  );
  const times = rounds.map(({ microseconds }) => microseconds).sort((a, b) => a - b);
  const median = times[times.length >> 1];
  return { speed: answer.length / median, firstAt: rounds[0].first && rounds[0].first / pieces.length };
}

function run(pieces) {
  let received = 0;
  let first;
  const sink = {
    text: () => undefined,
    reasoning: () => undefined,
    toolCall: (delta) => (received += delta.arguments.length),
  };
  const before = process.cpuUsage();
  const stage = new ToolCallStage(sink, {
    tools,
    isRequired: false,
    isParallel: true,
    nextId: () => 'call_1',
    onProblem: () => 'text',
    end: () => undefined,
  });
  for (let index = 0; index < pieces.length; index++) {
    stage.text(pieces[index]);
    // The path is emitted first; the long argument counts.
    if (first === undefined && received > '{"path":"a","content":"'.length) {
      first = index + 1;
    }
  }
  stage.flush();
  const { user, system } = process.cpuUsage(before);
  return { microseconds: user + system, first };
}

function tags(content) {
  const body = `<parameter=path>a</parameter>\n<parameter=content>\n${content}\n</parameter>`;
  return `I will write it.\n\n<tool_call>\n<function=write_file>\n${body}\n</function>\n</tool_call>`;
}

function pair(key, value) {
  return `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`;
}

function json(content) {
  return call({ name: 'write_file', arguments: { path: 'a', content } });
}

function call(value) {
  return `<tool_call>\n${JSON.stringify(value)}\n</tool_call>`;
}

function repeat(text, length) {
  return text.repeat(Math.ceil(length / text.length));
}

function inPieces(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

async function load(path) {
  return import(pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', path)).href);
}
