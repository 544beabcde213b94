/**
 * Measures the echo guard: megabytes of answer text in a second of processor time, for answers without repetition and
 * with quotes, in small and large pieces; and the milliseconds for an index of a megabyte of results.
 *
 *     npm run build && node scripts/bench/bench-echo.mjs
 */
import { EchoStage } from '../../dist/chat/echo/echo.stage.js';
import { EchoIndex } from '../../dist/chat/echo/match/echo-index.js';

const ROUNDS = 7;
const ANSWER_CHARS = 4_000_000;

const source = text('result', 1_000_000);
const small = [{ message: 1, text: source.slice(0, 20_000) }];
const large = [{ message: 1, text: source }];
const harmless = text('answer', ANSWER_CHARS);
const quoting = quotes(harmless, source.slice(0, 20_000));

console.log(`index of 1 MB of results: ${median(() => new EchoIndex(large)).toFixed(1)} ms`);
for (const [name, answer, results] of [
  ['repeats nothing, 20 KB of results', harmless, small],
  ['repeats nothing, 1 MB of results', harmless, large],
  ['a quarter are quotes, 20 KB of results', quoting, small],
]) {
  for (const size of [4, 64, 4096]) {
    const pieces = inPieces(answer, size);
    const ms = median(() => run(pieces, results));
    const speed = answer.length / 1000 / ms;
    console.log(`${name}, pieces of ${size}: ${speed.toFixed(1)} MB/s`);
  }
}

function run(pieces, results) {
  let length = 0;
  const sink = { text: (piece) => (length += piece.length), reasoning() {}, toolCall() {} };
  const stage = new EchoStage(sink, results, () => {
    throw new Error('The guard took an answer for an echo that is none.');
  });
  for (const piece of pieces) {
    stage.text(piece);
  }
  stage.flush();
  return length;
}

function median(work) {
  const times = Array.from({ length: ROUNDS }, () => {
    // Processor time, so that the load of the machine does not count.
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

/** Code-like text of different lines, equal for the same seed. */
function text(seed, length) {
  let state = [...seed].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 2147483647;
  const next = (below) => (state = (state * 48271) % 2147483647) % below;
  const words = Array.from({ length: 2000 }, () =>
    Array.from({ length: 3 + next(8) }, () => String.fromCharCode(97 + next(26))).join(''),
  );
  const word = () => words[next(words.length)];
  let all = '';
  while (all.length < length) {
    all += `${'  '.repeat(next(4))}const ${word()} = ${word()}(${word()}, '${word()} ${word()}'); // ${word()}\n`;
  }
  return all.slice(0, length);
}

/** The answer with a line of the result behind every third line. */
function quotes(answer, result) {
  const quoted = result.split('\n');
  const lines = answer.split('\n');
  return lines
    .map((line, index) => (index % 3 === 2 ? `${line}\n${quoted[index % quoted.length]}` : line))
    .join('\n');
}

function inPieces(text, size) {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) {
    pieces.push(text.slice(at, at + size));
  }
  return pieces;
}
