import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { isMarkersOnly, parseMarkers, type Script } from './sandbox-script.js';

const markers: readonly [string, Script][] = [
  ['[[delay:500]]', { delayMs: 500 }],
  ['[[slowfirst]]', { firstChunkMs: 1000 }],
  ['[[slowfirst:20]]', { firstChunkMs: 20 }],
  ['[[chunks:200x20ms]]', { pace: { count: 200, intervalMs: 20 } }],
  ['[[chunks:5x0ms]]', { pace: { count: 5, intervalMs: 0 } }],
  ['[[say:two words\\nand a line]]', { say: 'two words\nand a line' }],
  ['[[say:]]', { say: '' }],
  ['[[say:a:b]]', { say: 'a:b' }],
  ['[[say:[1,[2]]]]', { say: '[1,[2]]' }],
  ['[[say:\\]\\] tab\\tback\\\\slash]]', { say: ']] tab\tback\\slash' }],
  ['[[call:now]]', { calls: [[{ name: 'now', arguments: {} }]] }],
  [
    '[[call:fs.read:v2:{"a":[[1]\\],"b":"\\n"}]]',
    { calls: [[{ name: 'fs.read:v2', arguments: { a: [[1]], b: '\n' } }]] },
  ],
  ['[[also:now:{"re":"[^\\\\\\]]"}]]', { calls: [[{ name: 'now', arguments: { re: '[^\\]]' } }]] }],
  ['[[think:hm]]', { think: 'hm' }],
  ['[[hang]]', { hang: 'headers' }],
  ['[[hang:0]]', { hang: 0 }],
  ['[[hang:5]]', { hang: 5 }],
  ['[[reset]]', { reset: 'headers' }],
  ['[[reset:5]]', { reset: 5 }],
  ['[[status:500]]', { status: { code: 500 } }],
  ['[[status:429:retry-after=7]]', { status: { code: 429, retryAfterSeconds: 7 } }],
  ['[[limit:sse]]', { limit: { form: 'sse' } }],
  ['[[limit:sse:30]]', { limit: { form: 'sse', resetSeconds: 30 } }],
  ['[[limit:page]]', { limit: { form: 'page' } }],
  ['[[garbage]]', { garbage: 'events' }],
  ['[[garbage:utf8]]', { garbage: 'utf8' }],
  ['[[partial]]', { partial: true }],
  ['[[big:8MB]]', { bigBytes: 8 * 1024 * 1024 }],
  ['[[big:64KB]]', { bigBytes: 64 * 1024 }],
  ['[[cumulative]]', { cumulative: true }],
  ['[[echo]]', { echo: true }],
  ['[[usage]]', { usage: true }],
  ['[[length]]', { length: true }],
  ['[[duplicate]]', { duplicate: true }],
  ['[[foreign]]', { foreign: true }],
  ['[[login-wall]]', { loginWall: true }],
  ['[[logout]]', { logout: true }],
  ['[[too-long]]', { tooLong: true }],
  ['[[overloaded]]', { overloaded: true }],
  ['[[blocked]]', { blockedSeconds: Infinity }],
  ['[[blocked:3]]', { blockedSeconds: 3 }],
  ['[[think-tags]]', { thinkTags: true }],
];

describe('parseMarkers', () => {
  it.each(markers)('reads %s', (marker, script) => {
    expect(parseMarkers(marker)).toEqual(script);
    expect(parseMarkers(`Before ${marker} after [[ and ]].`)).toEqual(script);
    expect(isMarkersOnly(marker)).toBe(true);
  });

  it.each([
    '[[delay]]',
    '[[delay:-1]]',
    '[[delay:1.5]]',
    '[[delay:9999999999]]',
    '[[chunks:5]]',
    '[[chunks:5x5]]',
    '[[status:200]]',
    '[[status:429:retry-after=soon]]',
    '[[limit:headers]]',
    '[[garbage:plastic]]',
    '[[partial:5]]',
    '[[big:8GB]]',
    '[[say]]',
    '[[call]]',
    '[[call:read it:{}]]',
    '[[call:read:{"a":}]]',
    '[[also:read:[1]]]',
    '[[constructor]]',
    '[[__proto__]]',
    '[[unknown]]',
    '[[delay:5]',
    '[delay:5]]',
    '[[say:never closed',
    '[[say:escaped\\]]',
  ])('ignores %s as ordinary text', (text) => {
    expect(parseMarkers(text)).toEqual({});
    expect(isMarkersOnly(text)).toBe(false);
  });

  it.each([
    '[[call:run:{"command":"echo \\"a\\" > b\\\\c\\n"}]]',
    '[[call:run:{"lines":[["a"\\],"\\\\["]}]]',
    '[[call:run:{}]][[also:run:{"a":1}]][[say:done]]',
  ])('reads %s in the quotes of an agent that quotes the whole instruction', (markers) => {
    const quoted = `"${markers.replace(/["\\]/g, '\\$&')}"`;
    expect(parseMarkers(markers).calls).toBeDefined();
    expect(parseMarkers(quoted)).toEqual(parseMarkers(markers));
    // Some escape the quotes alone.
    const halfQuoted = '"[[call:run:{\\"a\\":1}]]"';
    expect(parseMarkers(halfQuoted)).toEqual({ calls: [[{ name: 'run', arguments: { a: 1 } }]] });
  });

  it('groups calls by message: `call` begins one, `also` adds to it', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, arguments: {} }));
    expect(parseMarkers('[[call:a]] then [[call:b]] and [[also:c]] [[say:x]]')).toEqual({
      calls: [[a], [b, c]],
      say: 'x',
    });
  });

  it('combines markers, the later of two winning', () => {
    const text = '[[delay:5]] x [[status:500]][[delay:6]] [[status:429]]';
    expect(parseMarkers(text)).toEqual({ delayMs: 6, status: { code: 429 } });
  });

  it('finds a marker after other brackets', () => {
    expect(parseMarkers('a[[0]][[x[[usage]]')).toEqual({ usage: true });
  });

  it('reads megabytes of brackets in linear time', async () => {
    const text = `${'[['.repeat(500_000)}${'x'.repeat(2 ** 21)}[[usage]]`;
    await cpuPace.expectOnceWithin(
      () => cpuMs(() => expect(parseMarkers(text)).toEqual({ usage: true })),
      1000,
    );
  });

  it('round-trips any escaped text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = text.replace(/[\\\]]/g, '\\$&').replaceAll('\n', '\\n');
        expect(parseMarkers(`[[say:${escaped}]]`)).toEqual({ say: text });
      }),
    );
  });
});

describe('isMarkersOnly', () => {
  it('accepts markers and nothing else', () => {
    expect(isMarkersOnly('[[delay:5]][[status:500]]')).toBe(true);
    expect(isMarkersOnly('')).toBe(false);
    expect(isMarkersOnly('[[delay:5]] ')).toBe(false);
    expect(isMarkersOnly('[[delay:5]][[nothing]]')).toBe(false);
  });
});
