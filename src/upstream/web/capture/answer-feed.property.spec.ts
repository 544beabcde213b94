import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../../test/support/hostile/any-code-point.js';
import { type UpstreamEvent } from '../../upstream-driver.js';
import { capture, type NetworkRules } from '../recipe/capture-rules.js';
import { signs } from '../recipe/recipe-signs.js';
import { AnswerFeed } from './answer-feed.js';
import { AnswerStream } from './answer-stream.js';
import { ConversationId } from './conversation-id.js';
import { readPacket, splitPayload } from './reading/engine-io.js';
import { createRecordDecoder } from './reading/record-decoder.js';

type Event = readonly [name: string, data: object];

const kind = (equals: string): object[] => [{ path: '[1].stream', sameAs: 'kind', equals }];
const RULES = capture.parse({
  mode: 'observe',
  transport: 'socketio',
  request: { url: 'http://site.example/socket.io/*', method: 'GET' },
  promptRequest: { url: 'http://site.example/api/chat' },
  format: 'json',
  answer: {
    bind: [{ name: 'kind', event: 'start', path: '[1].stream', value: '[1].kind' }],
    content: [{ event: 'token', path: '[1].token', when: kind('answer') }],
    reasoning: [{ event: 'token', path: '[1].token', when: kind('step') }],
    done: [{ event: 'done' }],
    conversation: { responsePath: 'id', path: '[1].chat' },
  },
}) as NetworkRules;

/** One reader of the shared connection, which waits for the answer to one of the prompts. */
class Reader {
  readonly events: UpstreamEvent[] = [];
  private readonly id = new ConversationId(RULES.answer.conversation);
  private readonly feed = new AnswerFeed(this.id, () => undefined);

  constructor() {
    this.feed.begin(
      new AnswerStream(RULES, {
        emit: (batch) => this.events.push(...batch),
        signs: signs.parse({}),
        conversationId: () => this.id.value,
        now: () => 0,
      }),
    );
    this.id.sent('{}');
  }

  readonly push = (data: string, event?: string): void => void this.feed.push(data, event);

  /** The site's answer to the prompt comes in. */
  learn(id: string): void {
    this.id.answered(JSON.stringify({ id }));
    this.feed.release();
  }

  get answer(): object {
    const join = (type: 'text' | 'reasoning'): string =>
      this.events.map((event) => (event.type === type ? event.text : '')).join('');
    return { text: join('text'), reasoning: join('reasoning'), last: this.events.at(-1)?.type };
  }
}

const piece = fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 8 });
const answer = fc.record({
  pieces: fc.array(fc.record({ isStep: fc.boolean(), token: piece }), { maxLength: 12 }),
});
type Plan = typeof answer extends fc.Arbitrary<infer T> ? T : never;

function eventsOf(chat: string, { pieces }: Plan): Event[] {
  return [
    ['start', { chat, stream: `${chat}-s`, kind: 'step' }],
    ['start', { chat, stream: `${chat}-a`, kind: 'answer' }],
    ...pieces.map(({ isStep, token }): Event => [
      'token',
      { stream: `${chat}-${isStep ? 's' : 'a'}`, token },
    ]),
    ['done', { chat }],
  ];
}

function expected({ pieces }: Plan): object {
  const join = (isStep: boolean): string =>
    pieces.flatMap((part) => (part.isStep === isStep ? [part.token] : [])).join('');
  return { text: join(false), reasoning: join(true), last: 'done' };
}

/** Both lists in their own order, and in any order of each other, with noise of the transport in between. */
function interleave(a: readonly Event[], b: readonly Event[], picks: readonly number[]): string[] {
  const rest = [[...a], [...b]];
  const packets: string[] = [];
  for (let at = 0; rest.some((list) => list.length > 0); at++) {
    const pick = picks[at % picks.length] ?? 0;
    if (pick > 1) {
      packets.push(['2', '40', '43["ok"]', '42["news",{"n":1}]', 'bAQID'][pick % 5] ?? '');
    }
    const list = rest[pick % 2]?.length ? rest[pick % 2] : rest.find(({ length }) => length > 0);
    const event = list?.shift();
    if (event) {
      packets.push(`42${JSON.stringify(event)}`);
    }
  }
  return packets;
}

const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });
const picks = fc.array(fc.nat(9), { minLength: 1, maxLength: 40 });

describe('two conversations on one shared connection', () => {
  it('come whole and unmixed, however packets are bundled and whenever the ids are known', () => {
    fc.assert(
      fc.property(answer, answer, picks, cuts, fc.nat(), fc.nat(), (a, b, order, sizes, knownA, knownB) => {
        const packets = interleave(eventsOf('A', a), eventsOf('B', b), order);
        const readers = [new Reader(), new Reader()] as const;
        for (let at = 0, turn = 0, bundle = 0; at < packets.length; at += bundle, turn++) {
          bundle = sizes[turn % sizes.length] ?? 1;
          const payload = packets.slice(at, at + bundle).join('\x1e');
          readers.forEach((reader, index) => {
            const known = (index === 0 ? knownA : knownB) % (packets.length + 1);
            if (known >= at && known < at + bundle) {
              reader.learn(index === 0 ? 'A' : 'B');
            }
            splitPayload(payload).forEach((packet) => readPacket(packet, reader.push));
          });
        }
        readers.forEach((reader, index) => reader.learn(index === 0 ? 'A' : 'B'));
        expect(readers.map((reader) => reader.answer)).toEqual([expected(a), expected(b)]);
      }),
    );
  });

  it('come whole and unmixed from one stream of text, wherever it is split', () => {
    fc.assert(
      fc.property(answer, answer, picks, cuts, (a, b, order, lengths) => {
        const events = interleave(
          eventsOf('A', a),
          eventsOf('B', b),
          order.map((pick) => pick % 2),
        );
        const text = events
          .map((packet) => packet.slice(2))
          .map((data) => `event: ${(JSON.parse(data) as [string])[0]}\ndata: ${data}\n\n`)
          .join('');
        const readers = [new Reader(), new Reader()] as const;
        readers.forEach((reader, index) => {
          const decoder = createRecordDecoder('sse', reader.push);
          for (let at = 0, cut = 0; at < text.length; cut++) {
            const length = lengths[cut % lengths.length] ?? 1;
            decoder.push(text.slice(at, at + length));
            at += length;
          }
          reader.learn(index === 0 ? 'A' : 'B');
        });
        expect(readers.map((reader) => reader.answer)).toEqual([expected(a), expected(b)]);
      }),
    );
  });
});
