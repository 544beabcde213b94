import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../../../test/support/hostile/any-code-point.js';
import { packetTexts, readPacket, splitPayload } from './engine-io.js';

/** Polling bodies of both protocols with these packets. */
const PROTOCOLS: readonly (readonly [string, (packets: readonly string[]) => string])[] = [
  ['4', (packets) => packets.join('\x1e')],
  ['3', (packets) => packets.map((packet) => `${packet.length}:${packet}`).join('')],
];
const STREAM = [
  '0{"sid":"a"}',
  '40',
  '42["a","5:x\u{1F44B}"]',
  '2',
  '431["1:2"]',
  'bAQID',
  '42/n,7["b",{"c":"[,"}]',
];

function read(packet: string): [string, string][] {
  const records: [string, string][] = [];
  readPacket(packet, (data, event) => records.push([data, event]));
  return records;
}

describe('readPacket', () => {
  it.each<[string, string, [string, string][]]>([
    ['an event', '42["token",{"t":"a"}]', [['["token",{"t":"a"}]', 'token']]],
    ['an event of a namespace', '42/chat,["token",1]', [['["token",1]', 'token']]],
    ['an event that asks for an acknowledgement', '4217["token",1]', [['["token",1]', 'token']]],
    ['both', '42/chat,17["token",1]', [['["token",1]', 'token']]],
    ['an escaped name', '42["a\\"b\\u00e9",1]', [['["a\\"b\\u00e9",1]', 'a"bé']]],
    ['an acknowledgement', '430[{"id":"x"}]', [['[{"id":"x"}]', 'ack']]],
    [
      'an event with an attachment',
      '451-["f",{"_placeholder":true,"num":0}]',
      [['["f",{"_placeholder":true,"num":0}]', 'f']],
    ],
    ['a refused connection', '44{"message":"no"}', [['{"message":"no"}', 'connect_error']]],
    ['a number in place of a name', '42[5]', [['[5]', 'message']]],
    ['a ping', '2', []],
    ['a pong of the probe', '3probe', []],
    ['a handshake', '0{"sid":"a","pingInterval":25000}', []],
    ['a connected namespace', '40{"sid":"a"}', []],
    ['a binary attachment of a poll', 'bAQID', []],
    ['nothing', '', []],
    ['other text', 'hello', []],
  ])('reads %s', (_what, packet, expected) => {
    expect(read(packet)).toEqual(expected);
  });
});

describe('splitPayload', () => {
  it('splits bodies of both protocols', () => {
    expect(splitPayload('2\x1e42["a"]\x1ebAQID')).toEqual(['2', '42["a"]', 'bAQID']);
    expect(splitPayload('1:29:42["a\u{1F44B}"]')).toEqual(['2', '42["a\u{1F44B}"]']);
    expect(splitPayload('42["5:x"]')).toEqual(['42["5:x"]']);
    expect(splitPayload('9999:42["a"]')).toEqual(['42["a"]']);
    expect(splitPayload('')).toEqual(['']);
  });

  it.each(['1:2-3:42', '1:2:42', '1:2 :42', '1:21e3:42', '1:2x', '1:2 1:3'])(
    'ends at what is no length in %j',
    (payload) => {
      expect(splitPayload(payload)).toEqual(['2']);
    },
  );
});

describe.each(PROTOCOLS)('polling bodies of protocol %s', (_version, encode) => {
  it('give the same records, however the packets are spread over polls', () => {
    const expected = [
      ['["a","5:x\u{1F44B}"]', 'a'],
      ['["1:2"]', 'ack'],
      ['["b",{"c":"[,"}]', 'b'],
    ];
    for (let at = 0; at <= STREAM.length; at++) {
      for (let end = at; end <= STREAM.length; end++) {
        const polls = [STREAM.slice(0, at), STREAM.slice(at, end), STREAM.slice(end)];
        expect(polls.flatMap((packets) => splitPayload(encode(packets)).flatMap(read))).toEqual(expected);
      }
    }
  });

  it('bring every event back, whatever its text', () => {
    const text = fc.string({ unit: anyCodePoint });
    const namespace = fc.constantFrom('', '/chat,', '/a-b/1,');
    const id = fc.option(fc.nat(), { nil: '' });
    const event = fc.record({ namespace, id, list: fc.tuple(text, fc.jsonValue(), text) });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (events) => {
        const packets = events.map(({ namespace, id, list }) => `42${namespace}${id}${JSON.stringify(list)}`);
        const records = splitPayload(encode(packets)).flatMap(read);
        expect(records).toEqual(events.map(({ list }) => [JSON.stringify(list), list[0]]));
      }),
    );
  });
});

describe('a packet that is cut or is none', () => {
  it('is read or skipped, and never throws', () => {
    for (const packet of STREAM) {
      for (let at = 0; at <= packet.length; at++) {
        expect(() => [packet.slice(0, at), packet.slice(at)].flatMap(read)).not.toThrow();
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => void splitPayload(text).flatMap(read)),
    );
  });
});

describe('packetTexts', () => {
  it('finds the JSON of a frame and of a polling body', () => {
    expect(packetTexts('42["say",{"text":"a\\nb"}]')).toEqual(['["say",{"text":"a\\nb"}]']);
    expect(packetTexts('3\x1e42["say"]\x1e42["more"]')).toEqual(['["say"]', '["more"]']);
    expect(packetTexts('2probe')).toEqual([]);
  });
});
