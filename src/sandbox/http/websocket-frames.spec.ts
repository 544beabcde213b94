import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import {
  acceptKey,
  closeFrame,
  FrameDecoder,
  pongFrame,
  type SocketMessage,
  textFrame,
  WebSocketProtocolError,
} from './websocket-frames.js';

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** A frame as a client sends it. */
function clientFrame(opcode: number, payload: Buffer, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const { length } = payload;
  let head = [first, 0x80 | length];
  if (length >= 126) {
    head = [first, 0x80 | 126, length >> 8, length & 0xff];
  }
  if (length >= 2 ** 16) {
    head = [
      first,
      0x80 | 127,
      0,
      0,
      0,
      0,
      length >>> 24,
      (length >> 16) & 0xff,
      (length >> 8) & 0xff,
      length & 0xff,
    ];
  }
  return Buffer.concat([Buffer.from(head), MASK, payload.map((byte, index) => byte ^ MASK[index & 3]!)]);
}

function decode(...chunks: readonly Buffer[]): SocketMessage[] {
  const decoder = new FrameDecoder(2 ** 20);
  return chunks.flatMap((chunk) => decoder.read(chunk));
}

describe('the handshake', () => {
  it('answers the sample key of RFC 6455 §1.3', () => {
    expect(acceptKey('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });
});

describe('frames to the client', () => {
  it('encodes the samples of RFC 6455 §5.7', () => {
    expect(textFrame('Hello').toString('hex')).toBe('810548656c6c6f');
    expect(pongFrame(Buffer.from('Hello')).toString('hex')).toBe('8a0548656c6c6f');
    expect(closeFrame(1000).toString('hex')).toBe('880203e8');
  });

  it.each([
    [125, '817d'],
    [126, '817e007e'],
    [65_535, '817effff'],
    [65_536, '817f0000000000010000'],
  ])('tells a length of %i', (length, head) => {
    const frame = textFrame('x'.repeat(length));
    expect(frame.subarray(0, head.length / 2).toString('hex')).toBe(head);
    expect(frame).toHaveLength(head.length / 2 + length);
  });
});

describe('FrameDecoder', () => {
  it('reads the masked sample of RFC 6455 §5.7', () => {
    expect(decode(Buffer.from('818537fa213d7f9f4d5158', 'hex'))).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('reads frames cut at any place', () => {
    const bytes = Buffer.concat([
      clientFrame(1, Buffer.from('one €')),
      clientFrame(9, Buffer.from('are you there')),
      clientFrame(1, Buffer.from('tw'), false),
      clientFrame(10, Buffer.alloc(0)),
      clientFrame(0, Buffer.from('o '), false),
      clientFrame(9, Buffer.alloc(0)),
      clientFrame(0, Buffer.from('x'.repeat(200))),
      clientFrame(8, Buffer.from([0x03, 0xe8])),
    ]);
    const messages = [
      { type: 'text', text: 'one €' },
      { type: 'ping', payload: Buffer.from('are you there') },
      { type: 'ping', payload: Buffer.alloc(0) },
      { type: 'text', text: `two ${'x'.repeat(200)}` },
      { type: 'close' },
    ];
    for (let at = 0; at <= bytes.length; at++) {
      expect(decode(bytes.subarray(0, at), bytes.subarray(at))).toEqual(messages);
    }
    expect(decode(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(messages);
  });

  it('reads any texts cut anyhow', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(2000)), (written, cuts) => {
        const bytes = Buffer.concat(written.map((text) => clientFrame(1, Buffer.from(text))));
        const places = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(decode(...chunks)).toEqual(written.map((text) => ({ type: 'text', text })));
      }),
    );
  });

  it('reads a message of several megabytes that comes in small pieces', () => {
    const bytes = clientFrame(1, Buffer.alloc(8 * 2 ** 20, 'a'));
    const decoder = new FrameDecoder(2 ** 24);
    const messages: SocketMessage[] = [];
    const costMs = cpuMs(() => {
      for (let at = 0; at < bytes.length; at += 1024) {
        messages.push(...decoder.read(bytes.subarray(at, at + 1024)));
      }
    });
    expect(costMs).toBeLessThan(2000);
    expect(messages).toEqual([{ type: 'text', text: 'a'.repeat(8 * 2 ** 20) }]);
  });

  it.each([
    ['a frame without a mask', 1002, textFrame('Hello')],
    ['a reserved bit', 1002, Buffer.from([0xc1, 0x80, 0, 0, 0, 0])],
    ['an unknown opcode', 1002, clientFrame(3, Buffer.alloc(0))],
    ['a ping in parts', 1002, clientFrame(9, Buffer.alloc(0), false)],
    ['a long ping', 1002, clientFrame(9, Buffer.alloc(126))],
    ['a continuation of nothing', 1002, clientFrame(0, Buffer.from('x'))],
    [
      'a text inside a text',
      1002,
      Buffer.concat([clientFrame(1, Buffer.from('x'), false), clientFrame(1, Buffer.from('y'))]),
    ],
    ['binary data', 1003, clientFrame(2, Buffer.from('x'))],
    ['text that is not UTF-8', 1007, clientFrame(1, Buffer.from([0xc3, 0x28]))],
    ['a message that is too large', 1009, clientFrame(1, Buffer.alloc(2 ** 20 + 1))],
    [
      'parts that are too large together',
      1009,
      Buffer.concat([clientFrame(1, Buffer.alloc(2 ** 20, 'a'), false), clientFrame(0, Buffer.from('a'))]),
    ],
    [
      'an impossible length',
      1009,
      Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ],
  ])('refuses %s', (_, code, bytes) => {
    let error: unknown;
    try {
      decode(bytes);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(WebSocketProtocolError);
    expect(error).toMatchObject({ code });
  });
});
