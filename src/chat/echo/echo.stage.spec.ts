import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  chunkingOf,
  DeltaRecorder,
  everyChunking,
  feed,
  inPieces,
} from '../../../test/support/watch/delta-recorder.js';
import { type AnswerVerdict } from '../completion/guard.js';
import { EchoStage } from './echo.stage.js';
import { type EchoMatch } from './match/echo-run.js';

const DELTA = { index: 0, id: 'call_1', name: 'read', arguments: '{}' };

/** Text of words that occur once, `length` letters and digits long. */
function letters(seed: string, length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++) {
    text += `${seed}${(i * 7919 + 13).toString(36)}`;
  }
  return text.slice(0, length);
}

/** Lays the text out in lines of four words. */
function laidOut(text: string): string {
  return text.replaceAll(/.{1,6}/g, '$& ').replaceAll(/(.{28})/g, '$1\n');
}

interface Played {
  readonly text: string;
  readonly matches: EchoMatch[];
  readonly sink: DeltaRecorder;
}

function play(
  results: readonly string[],
  pieces: readonly string[],
  verdict: AnswerVerdict = 'stop',
): Played {
  const sink = new DeltaRecorder();
  const matches: EchoMatch[] = [];
  const stage = stageOf(results, sink, matches, verdict);
  feed(stage, pieces);
  return { text: sink.joined('text'), matches, sink };
}

function stageOf(
  results: readonly string[],
  sink: DeltaRecorder,
  matches: EchoMatch[] = [],
  verdict: AnswerVerdict = 'stop',
): EchoStage {
  const indexed = results.map((text, message) => ({ message, text }));
  return new EchoStage(sink, indexed, (match) => {
    matches.push(match);
    return verdict;
  });
}

describe('EchoStage', () => {
  const result = laidOut(letters('res', 3000));
  const own = laidOut(letters('own', 3000));

  it('hands on a refusal behind the text that was held back, unless the answer was given up', () => {
    const sink = new DeltaRecorder();
    const stage = new EchoStage(sink, [], () => 'stop');
    stage.text('Well.');
    stage.refusal('I will not.');
    expect(sink.pieces).toEqual([
      ['text', 'Well.'],
      ['refusal', 'I will not.'],
    ]);
  });

  it('takes the end of a result for an echo from 240 letters and digits on, if nothing else is said', () => {
    const end = (length: number): string => letters('res', 3000).slice(-length);
    const lengths = (reply: (length: number) => string): number[] =>
      [239, 240, 399, 400].map((length) => play([result], [reply(length)]).matches.length);
    expect(lengths(end)).toEqual([0, 1, 1, 1]);
    expect(lengths((length) => `So ${end(length)}`)).toEqual([0, 0, 0, 1]);
    expect(lengths((length) => letters('res', 3000).slice(9, 9 + length))).toEqual([0, 0, 0, 1]);
  });

  it('finds cells that are parted otherwise, and what a page of HTML says', () => {
    const rows = Array.from(
      { length: 40 },
      (_, at) => `user${at * 31}@example.org,role${at % 3},team ${at * 7}`,
    );
    expect(play([rows.join('\n')], [rows.join('\n').replaceAll(',', '\t')]).matches).toHaveLength(1);
    const said = Array.from({ length: 9 }, (_, at) => letters(`part${at}`, 60));
    const page = `<!doctype html>\n<html><body>${said.map((text, at) => `<p class="text-${at}">${text}</p>`).join('\n')}</body></html>`;
    expect(play([page], [said.join('\n')]).matches).toHaveLength(1);
  });

  it('fires at 720 repeated letters and digits of a long result, not at 719', () => {
    const reply = (length: number): string =>
      `${own.slice(0, 200)}\n${letters('res', 3000).slice(100, 100 + length)}\n${own.slice(200, 400)}`;
    expect(play([result], [reply(719)])).toMatchObject({ text: reply(719), matches: [] });
    expect(play([result], [reply(720)]).matches).toEqual([
      { message: 0, matchedChars: 720, resultChars: 3000 },
    ]);
  });

  it('lets a text pass that is written back with an edit far behind its beginning', () => {
    const indented = (text: string): string => text.replaceAll('\n', '\n  ');
    const lines = indented(laidOut(letters('a', 2400))).split('\n');
    const result = lines.join('\n');
    const written = {
      'a word replaced': lines.with(70, lines[70]?.replace(/ \S+ /, ' other ') ?? ''),
      'a line inserted': lines.toSpliced(70, 0, 'what is added here stands on a line of its own'),
    };
    for (const text of Object.values(written)) {
      expect(play([result], [`\`\`\`ts\n${text.join('\n')}\n\`\`\``]).matches).toEqual([]);
    }
    // Outside a fence a line may be a remark, unless it is indented.
    expect(play([result], [written['a line inserted'].join('\n')]).matches).toHaveLength(1);
    const added = lines.toSpliced(70, 0, '  what is added here stands on a line of its own');
    expect(play([result], [added.join('\n')]).matches).toEqual([]);
    // Nobody writes back a list or a log with a change.
    const list = laidOut(letters('a', 2400));
    expect(play([list], [`${list.slice(0, 2000)}other${list.slice(2008)}`]).matches).toHaveLength(1);
    // At some time it is late for edits.
    const long = indented(laidOut(letters('a', 4000)));
    expect(play([long], [`${long}other ${long}`]).matches).toHaveLength(1);
  });

  it('lets a result pass in another layout, if the user speaks of layout', () => {
    const text = laidOut(letters('a', 900));
    const matchesOf = (answer: string): number => {
      const matches: EchoMatch[] = [];
      const result = { message: 0, text, isLayoutAsked: true };
      const stage = new EchoStage(new DeltaRecorder(), [result], (match) => {
        matches.push(match);
        return 'stop';
      });
      feed(stage, [answer]);
      return matches.length;
    };
    expect(matchesOf(text)).toBe(1);
    expect(matchesOf(text.replaceAll('\n', ' '))).toBe(0);
  });

  it('lets a result pass without some of its lines, if the user speaks of taking something out', () => {
    const text = laidOut(letters('a', 900));
    const lines = text.split('\n');
    const matchesOf = (answer: string, isRemovalAsked: boolean): number => {
      const matches: EchoMatch[] = [];
      const stage = new EchoStage(new DeltaRecorder(), [{ message: 0, text, isRemovalAsked }], (match) => {
        matches.push(match);
        return 'stop';
      });
      feed(stage, [answer]);
      return matches.length;
    };
    const shorter = lines.toSpliced(3, 2).join('\n');
    expect([matchesOf(text, true), matchesOf(shorter, false), matchesOf(shorter, true)]).toEqual([1, 1, 0]);
  });

  it('fires at 70 % of a shorter result, not at less', () => {
    const short = letters('sho', 400);
    expect(play([laidOut(short)], [short.slice(0, 279), own.slice(0, 50)]).matches).toEqual([]);
    expect(play([laidOut(short)], [short.slice(0, 280)]).matches).toEqual([
      { message: 0, matchedChars: 280, resultChars: 400 },
    ]);
  });

  it('fires for a small result only if it is most of the answer', () => {
    const small = letters('sma', 80);
    const quote = (behind: number): string => `It says: ${small} ${own.slice(0, behind)}`;
    expect(play([`${small}\n`], [quote(0)])).toMatchObject({
      text: '',
      matches: [{ message: 0, matchedChars: 80 }],
    });
    expect(play([`${small}\n`], [quote(60)])).toMatchObject({ text: quote(60), matches: [] });
    expect(play([small.slice(0, 79)], [small.slice(0, 79)]).matches).toEqual([]);
  });

  it('hands on nothing of an echo nor anything behind it', () => {
    const reply = `Here is what it says:\n\n\`\`\`\n${result}\`\`\`\n`;
    for (const pieces of [
      [reply],
      inPieces(reply, 1),
      inPieces(reply, 7),
      [reply.slice(0, 200), reply.slice(200)],
    ]) {
      const sink = new DeltaRecorder();
      const matches: EchoMatch[] = [];
      const stage = stageOf([result], sink, matches);
      pieces.forEach((piece) => stage.text(piece));
      stage.reasoning('hm');
      stage.toolCall(DELTA);
      stage.text('more');
      stage.flush();
      expect(sink.pieces).toEqual([]);
      expect(matches).toEqual([{ message: 0, matchedChars: 720, resultChars: 3000 }]);
    }
  });

  it('hands on the text before an echo at any chunking', () => {
    const reply = `${own.slice(0, 500)}\n${result}`;
    for (const size of [1, 7, 100]) {
      const { text, matches } = play([result], inPieces(reply, size));
      expect(matches.length).toBe(1);
      expect(own.slice(0, 500).startsWith(text)).toBe(true);
      expect(text.length).toBeGreaterThan(450);
    }
  });

  it('hands on all of an echo that may pass, and judges the answer no more', () => {
    const reply = `${result}${own}${result}`;
    expect(play([result], inPieces(reply, 5), 'pass')).toMatchObject({
      text: reply,
      matches: [{ message: 0 }],
    });
  });

  it('names the message that is repeated', () => {
    const others = [
      laidOut(letters('one', 900)),
      laidOut(letters('two', 900)),
      laidOut(letters('three', 900)),
    ];
    expect(play(others, [others[1] ?? '']).matches).toMatchObject([{ message: 1, resultChars: 900 }]);
  });

  it('judges the newest megabyte of results', () => {
    const large = 'x y z '.repeat(180_000);
    expect(play([result, large, own], [own]).matches).toMatchObject([{ message: 2 }]);
    expect(play([result, large, own], [result]).matches).toEqual([]);
  });

  it('holds back the first 160 characters, then the last 40', () => {
    const sink = new DeltaRecorder();
    const stage = stageOf([result], sink);
    const sizes = [100, 60, 1, 99, 1].map((size) => {
      stage.text('ab cd. '.repeat(40).slice(0, size));
      return sink.joined('text').length;
    });
    expect(sizes).toEqual([0, 0, 121, 220, 221]);
    stage.flush();
    expect(sink.joined('text').length).toBe(261);
  });

  it('holds back a run from its start, and hands it on when it ends', () => {
    const sink = new DeltaRecorder();
    const stage = stageOf([result], sink);
    const passed = (text: string): number => {
      inPieces(text, 3).forEach((piece) => stage.text(piece));
      return sink.joined('text').length;
    };
    const before = own.slice(0, 300);
    expect(passed(before)).toBeGreaterThan(250);
    expect(passed(letters('res', 3000).slice(0, 500))).toBeLessThanOrEqual(300);
    expect(passed(own.slice(300, 1300))).toBeGreaterThan(1700);
  });

  it('judges no reasoning and no arguments', () => {
    const sink = new DeltaRecorder();
    const matches: EchoMatch[] = [];
    const stage = stageOf([result], sink, matches);
    stage.reasoning(result);
    stage.toolCall({ ...DELTA, arguments: result });
    stage.flush();
    expect(matches).toEqual([]);
    expect(sink.pieces).toEqual([
      ['reasoning', result],
      ['toolCall', { ...DELTA, arguments: result }],
    ]);
  });

  it('lets a short result be quoted before a call, which is the answer, but repeats no long one', () => {
    const short = laidOut(letters('sho', 150));
    for (const [quoted, expected] of [
      [short, 0],
      [result, 1],
    ] as const) {
      const matches: EchoMatch[] = [];
      const stage = stageOf([short, result], new DeltaRecorder(), matches);
      stage.text(`The test says:\n\`\`\`\n${quoted}\n\`\`\`\n`);
      stage.toolCall(DELTA);
      stage.flush();
      expect(matches).toHaveLength(expected);
    }
    expect(play([short], [`The test says:\n\`\`\`\n${short}\n\`\`\`\n`]).matches).toHaveLength(1);
  });

  it('hands text on before a call, and goes on judging behind it', () => {
    const sink = new DeltaRecorder();
    const matches: EchoMatch[] = [];
    const stage = stageOf([result], sink, matches);
    stage.text('I look.');
    stage.toolCall(DELTA);
    stage.text(result);
    stage.flush();
    expect(sink.pieces).toEqual([
      ['text', 'I look.'],
      ['toolCall', DELTA],
    ]);
    expect(matches.length).toBe(1);
  });

  it('splits no surrogate pair', () => {
    const reply = '😀'.repeat(300);
    for (const pieces of [inPieces(reply, 2), inPieces(reply, 6), [reply]]) {
      const { sink, text } = play([result], pieces);
      expect(text).toBe(reply);
      expect(sink.pieces.every(([, piece]) => (piece as string).isWellFormed())).toBe(true);
    }
  });

  it('gives up a suspicion that holds back too much text', () => {
    const sink = new DeltaRecorder();
    const matches: EchoMatch[] = [];
    const stage = stageOf([result], sink, matches);
    const wide = [...letters('res', 700)].join(' '.repeat(60));
    inPieces(wide, 100).forEach((piece) => stage.text(piece));
    expect(wide.length - sink.joined('text').length).toBeLessThan(17_000);
    stage.flush();
    expect({ text: sink.joined('text'), matches }).toEqual({ text: wide, matches: [] });
  });

  it('decides and hands on the same wherever an answer is cut in two', () => {
    const small = `first line ${letters('a', 60)}\n- second ${letters('b', 90)}\n12: third ${letters('c', 120)}\n`;
    const quote = `It says "${letters('a', 60)}", and that is all there is to it. Nothing else in it matters to you at all, as far as I can see.`;
    for (const pieces of everyChunking(quote)) {
      expect(play([small], pieces)).toMatchObject({ text: quote, matches: [] });
    }
    for (const pieces of everyChunking(small)) {
      expect(play([small], pieces)).toMatchObject({ text: '', matches: [{ message: 0 }] });
    }
  });

  const words = fc.constantFrom(
    ...letters('w', 400).match(/.{5}/g)!,
    'the',
    'of',
    '\n',
    '- ',
    '1. ',
    '| ',
    '```\n',
    '\\n',
    '😀',
  );
  const texts = fc.array(words, { maxLength: 250 }).map((parts) => parts.join(' '));

  it('hands on a prefix of the answer only, and decides the same at any chunking', () => {
    const cases = texts.chain((text) =>
      fc.tuple(fc.constant(text), fc.oneof(texts, fc.constant(text), fc.constant(`Well:\n${text}`))),
    );
    fc.assert(
      fc.property(
        cases.chain(([text, reply]) => fc.tuple(fc.constant(text), fc.constant(reply), chunkingOf(reply))),
        ([text, reply, pieces]) => {
          const whole = play([text], reply === '' ? [] : [reply]);
          const cut = play([text], pieces);
          expect(cut.matches).toEqual(whole.matches);
          expect(reply.startsWith(cut.text)).toBe(true);
          expect(cut.matches.length > 0 || cut.text === reply).toBe(true);
        },
      ),
    );
  });

  it('never delays an answer without a run of 80 characters beyond the usual hold-back', () => {
    // Stretches of the result of up to 75 characters, with other text between.
    const stretch = fc.tuple(
      fc.nat({ max: 2900 }),
      fc.integer({ min: 1, max: 75 }),
      fc.integer({ min: 1, max: 60 }),
    );
    fc.assert(
      fc.property(
        fc.array(stretch, { maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (stretches, size) => {
          const source = letters('res', 3000);
          const reply = stretches
            .map(([at, length, gap]) => source.slice(at, at + length) + '§ '.repeat(2) + letters('ÄÖ', gap))
            .join('');
          const sink = new DeltaRecorder();
          const stage = stageOf([source], sink);
          let given = 0;
          for (const piece of inPieces(reply, size)) {
            stage.text(piece);
            given += piece.length;
            const passed = sink.joined('text').length;
            // At first a run can begin in the last of the first 160.
            expect(given - passed).toBeLessThanOrEqual(passed < 160 ? 280 : 160);
          }
        },
      ),
    );
  });
});
