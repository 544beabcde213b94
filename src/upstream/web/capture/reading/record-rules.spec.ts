import { describe, expect, it } from '@jest/globals';
import { type UpstreamEvent } from '../../../upstream-driver.js';
import { capture, type NetworkRules } from '../../recipe/capture-rules.js';
import { readingRules, RecordReader } from './record-reader.js';

const SOCKET = {
  mode: 'observe',
  transport: 'websocket',
  request: { url: 'ws://site.example/', method: 'GET' },
  format: 'json',
};

/** The text and reasoning of records that a socket brings one by one. */
function read(answer: object, records: readonly unknown[], more: object = {}): UpstreamEvent[] {
  const rules = capture.parse({ ...SOCKET, ...more, answer }) as NetworkRules;
  const reader = new RecordReader(readingRules(rules));
  const events = records.flatMap((record) => {
    const [event, data] = Array.isArray(record) ? (record as [string, unknown]) : ['message', record];
    return reader.read(typeof data === 'string' ? data : JSON.stringify(data), event).events;
  });
  return [...events, ...reader.finishEvents(false)];
}

const text = (value: string): UpstreamEvent => ({ type: 'text', text: value });
const reasoning = (value: string): UpstreamEvent => ({ type: 'reasoning', text: value });

describe('records that refer to earlier ones', () => {
  it('take the kind of a stream from the record that opened it', () => {
    const answer = {
      bind: [{ name: 'kind', path: 'id', value: 'type', event: 'start' }],
      content: [{ path: 'token', event: 'token', when: [{ path: 'id', sameAs: 'kind', equals: 'answer' }] }],
      reasoning: [{ path: 'token', event: 'token', when: [{ path: 'id', sameAs: 'kind', equals: 'step' }] }],
    };
    expect(
      read(answer, [
        ['token', { id: 's', token: 'too early' }],
        ['start', { id: 's', type: 'step' }],
        ['start', { id: 'a', type: 'answer' }],
        ['token', { id: 's', token: 'Hm' }],
        ['token', { id: 'a', token: 'Hi' }],
        ['token', { id: 'x', token: 'of another' }],
        ['token', { id: 's', token: ', so.' }],
      ]),
    ).toEqual([reasoning('Hm'), text('Hi'), reasoning(', so.')]);
  });

  it('follow a message whose state changes', () => {
    const when = (state: string): object[] => [{ path: 'id', sameAs: 'state', equals: state }];
    const answer = {
      bind: [{ name: 'state', path: 'id', value: 'state' }],
      content: [{ path: 't', when: when('writing') }],
      reasoning: [{ path: 't', when: when('thinking') }],
    };
    expect(
      read(answer, [
        { id: 1, state: 'thinking', t: 'Hm' },
        { id: 1, t: '...' },
        { id: 1, state: 'writing' },
        { id: 1, t: 'Hi' },
      ]),
    ).toEqual([reasoning('Hm'), reasoning('...'), text('Hi')]);
  });

  it('need no id where a site has one part at a time', () => {
    const answer = {
      bind: [{ name: 'part', value: 'part' }],
      content: [{ path: 't', when: [{ sameAs: 'part', equals: 'text' }] }],
      reasoning: [{ path: 't', when: [{ sameAs: 'part', equals: 'thought' }] }],
    };
    expect(
      read(answer, [{ t: '?' }, { part: 'thought' }, { t: 'Hm' }, { part: 'text' }, { t: 'Hi' }]),
    ).toEqual([reasoning('Hm'), text('Hi')]);
  });

  it('may ask for an id to be known, or not to be', () => {
    const answer = {
      bind: [{ name: 'mine', path: 'id', when: [{ path: 'own', equals: true }] }],
      content: [{ path: 't', when: [{ path: 'id', sameAs: 'mine' }] }],
      reasoning: [{ path: 't', when: [{ path: 'id', sameAs: 'mine', exists: false }] }],
    };
    expect(
      read(answer, [
        { id: 1, own: true },
        { id: 1, t: 'a' },
        { id: 2, t: 'b' },
      ]),
    ).toEqual([text('a'), reasoning('b')]);
  });
});

describe('records with lists of operations', () => {
  const answer = {
    content: [
      { path: 'text', delivery: 'snapshot' },
      {
        each: 'diff',
        path: '[2]',
        when: [
          { path: '[0]', equals: 'append' },
          { path: '[1]', equals: '/text' },
        ],
      },
      {
        each: 'diff',
        path: '[2]',
        when: [
          { path: '[0]', equals: ['replace', 'add'] },
          { path: '[1]', equals: '/text' },
        ],
        delivery: 'snapshot',
      },
    ],
  };

  it('append, replace and add in the order of the list', () => {
    expect(
      read(answer, [
        { text: 'He' },
        {
          diff: [
            ['append', '/text', 'll'],
            ['append', '/title', 'x'],
            ['append', '/text', 'o'],
          ],
        },
        { diff: [['replace', '/text', 'Hello, W']] },
        { diff: [['add', '/text', 'Hello, World']] },
        { diff: 'none' },
      ]),
    ).toEqual([text('He'), text('ll'), text('o'), text(', W'), text('orld')]);
  });

  it('end the answer where they change what was passed on', () => {
    expect(() => read(answer, [{ text: 'Thinking...' }, { diff: [['replace', '/text', 'Hello']] }])).toThrow(
      expect.objectContaining({ fault: 'garbled_answer' }),
    );
  });

  it('never pass on half of a character', () => {
    const [high = '', low = ''] = '👋'.split('');
    expect(read(answer, [{ text: high }, { diff: [['append', '/text', low]] }])).toEqual([text('👋')]);
  });
});

describe('frames that fit no rule', () => {
  it('are skipped, whether they are JSON or not', () => {
    expect(
      read({ content: [{ path: 't' }] }, ['ping', '2', '', '<p>', 'null', { t: 'a' }, { t: 5 }]),
    ).toEqual([text('a')]);
  });
});

describe('a prefix', () => {
  it('is cut off and names the event', () => {
    const prefix = ['0:', 'g:', 'd:', '0:!'];
    const answer = {
      content: [{ path: '$', event: '0:' }],
      reasoning: [{ path: '$', event: 'g:' }],
    };
    const records = ['g:"Hm"', '0:"Hi"', '8:[broken', '0:!7', 'd:{"x":1}'];
    expect(read(answer, records, { prefix })).toEqual([reasoning('Hm'), text('Hi')]);
  });
});
