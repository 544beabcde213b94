import { describe, expect, it } from '@jest/globals';
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { inPieces } from '../support/watch/delta-recorder.js';
import { type CallerView, collect, stream } from './answer-rig.js';
import { agents } from './cases/agents.js';
import { announcements } from './cases/announcements.js';
import { brokenMarkup } from './cases/broken-markup.js';
import { business } from './cases/business.js';
import { coercion } from './cases/coercion.js';
import { dialects } from './cases/dialects.js';
import { elements } from './cases/elements.js';
import { explanations } from './cases/explanations.js';
import { foreign } from './cases/foreign.js';
import { foreignJson } from './cases/foreign-json.js';
import { guards } from './cases/guards.js';
import { inJson } from './cases/improvised/in-json.js';
import { inLines } from './cases/improvised/in-lines.js';
import { inAttributes } from './cases/improvised/in-tags.js';
import { misplaced } from './cases/improvised/misplaced.js';
import { long } from './cases/long.js';
import { malformed } from './cases/malformed.js';
import { mentions } from './cases/mentions.js';
import { names } from './cases/names.js';
import { nestedMarkup } from './cases/nested-markup.js';
import { parallel } from './cases/parallel.js';
import { reasoned } from './cases/reasoned.js';
import { sections } from './cases/sections.js';
import { slips } from './cases/slips.js';
import { text } from './cases/text.js';
import { truncated } from './cases/truncated.js';
import { turns } from './cases/turns.js';
import { unicode } from './cases/unicode.js';
import { wellFormed } from './cases/well-formed.js';
import { type ToolCallCase } from './tool-call-case.js';

const CLASSES = {
  'well-formed': wellFormed,
  'parallel calls': parallel,
  'markup in values': nestedMarkup,
  'text without calls, code and prose about calls': text,
  malformed,
  'broken markup': brokenMarkup,
  'sections and forgotten wrappers': sections,
  'slips of models': slips,
  'brackets and quotes of other languages': inJson,
  'lines of keys and values': inLines,
  'attributes, headers and entities': inAttributes,
  'misplaced arguments': misplaced,
  'elements and brackets': elements,
  'explanations of calls': explanations,
  'mentions of calls': mentions,
  'announcements of calls': announcements,
  truncated,
  'names of tools': names,
  coercion,
  'foreign forms': foreign,
  'JSON of other formats': foreignJson,
  'dialects of models': dialects,
  'turns of a transcript': turns,
  unicode,
  'calls in reasoning': reasoned,
  'guards and demands': guards,
  'long answers': long,
  'work of agents': agents,
  'work of businesses': business,
} satisfies Record<string, readonly ToolCallCase[]>;

// Jest takes ten times as many frames as Node of each error, and the parsers throw many.
Error.stackTraceLimit = 10;

const LONG = 20_000;

/** Cases of a class that are split at every place; of a class that combines many texts, each at as many places less. */
const SPLIT_WHOLLY = 200;

function expected({ text: content = '', calls = [], finish }: ToolCallCase): CallerView {
  return {
    text: content,
    calls: calls.map(([name, json], index) => ({ id: `call_${index + 1}`, name, arguments: json })),
    finish: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
  };
}

/** Pieces of pseudo-random lengths, the same at every run. */
function randomPieces(whole: string): string[] {
  let state = whole.length + 1;
  const pieces: string[] = [];
  for (let at = 0; at < whole.length;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const length = 1 + ((state >>> 16) % 19);
    pieces.push(whole.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function tokens(whole: string): string[] {
  if (whole.length > LONG) {
    return inPieces(whole, 4);
  }
  const pieces = encode(whole, { disallowedSpecial: new Set() }).map((token) => decode([token]));
  // A token that is part of a character cannot be decoded alone.
  return pieces.join('') === whole ? pieces : inPieces(whole, 4);
}

function chunkings(whole: string): Record<string, string[]> {
  return {
    whole: [whole],
    'pieces of 1': inPieces(whole, 1),
    'pieces of 7': inPieces(whole, 7),
    'random pieces': randomPieces(whole),
    tokens: tokens(whole),
  };
}

describe.each(Object.entries(CLASSES))('tool calls: %s', (_class, cases: readonly ToolCallCase[]) => {
  it.each(cases)('$name', (one) => {
    const view = expected(one);
    const answered = Object.entries(chunkings(one.upstream)).map(([chunking, pieces]) => ({
      chunking,
      ...collect(one, pieces),
      // Each piece becomes a frame, so long answers are streamed at one chunking only.
      streamed: one.upstream.length < LONG || chunking === 'pieces of 7' ? stream(one, pieces) : view,
    }));
    const wanted = {
      ...view,
      problems: one.problem ? [one.problem] : [],
      report: {
        calls: view.calls.map(({ id, name }, index) => ({
          id,
          name,
          repairs: one.repairs?.[index] ?? (expect.any(Array) as unknown),
        })),
        notes: one.notes ?? (expect.any(Array) as unknown),
      },
      streamed: view,
    };
    expect(answered).toEqual(answered.map(({ chunking }) => ({ chunking, ...wanted })));
  });

  it('gives the same result when the answer is split at any place', () => {
    const differences: unknown[] = [];
    const short = cases.filter(({ upstream }) => upstream.length < 400);
    const step = Math.ceil(short.length / SPLIT_WHOLLY);
    for (const [index, one] of short.entries()) {
      const view = JSON.stringify(expected(one));
      for (let at = 1 + (index % step); at < one.upstream.length; at += step) {
        const pieces = [one.upstream.slice(0, at), one.upstream.slice(at)];
        const { text: content, calls, finish } = collect(one, pieces);
        if (JSON.stringify({ text: content, calls, finish }) !== view) {
          differences.push({ name: one.name, at, content, calls, finish });
        }
      }
    }
    expect(differences).toEqual([]);
  });
});
