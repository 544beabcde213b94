import { describe, expect, it } from '@jest/globals';
import { parseRecipe } from '../../../src/upstream/web/recipe/recipe-loader.js';
import { WatchedRequest } from '../watched-request.js';
import { answerCandidates, carries, chooseAnswer, isFillable } from './answer-choice.js';
import { type ActionReport } from './page/action-report.js';
import { draftRecipe, type RecipeDraft } from './recipe-draft.js';
import { readActions } from './recorded-chat.js';

const SITE = 'https://chat.example.org';
const PROMPT = 'Say hello.';
const PAGE = 'Say hello. Good morning to you';

function action(
  kind: ActionReport['kind'],
  selector: string,
  more: Partial<ActionReport> = {},
): ActionReport {
  return { kind, selector, url: `${SITE}/c/new?tab=1`, isInDialog: false, ...more };
}

const LOGIN: ActionReport[] = [
  action('click', '#email', { url: `${SITE}/login?next=%2F` }),
  action('input', '#email', { url: `${SITE}/login?next=%2F`, field: 'text', value: 'm' }),
  action('input', '#email', { url: `${SITE}/login?next=%2F`, field: 'text', value: 'me@example.org' }),
  action('input', '#secret', { url: `${SITE}/login?next=%2F`, field: 'password' }),
  action('enter', '#secret', { url: `${SITE}/login?next=%2F` }),
  action('click', '#go', { url: `${SITE}/login?next=%2F` }),
];
const CHAT: ActionReport[] = [
  action('click', '#tour [aria-label="Close"]', { isInDialog: true }),
  action('click', '#new'),
  action('click', '#box'),
  action('input', '#box', { field: 'rich', value: PROMPT }),
  action('enter', '#box'),
];

function request(url: string, body: string | undefined, answer: string, type = 'Fetch'): WatchedRequest {
  const watched = new WatchedRequest({
    method: body === undefined ? 'GET' : 'POST',
    url,
    type,
    isWorker: false,
    body,
  });
  watched.head(200, { 'content-type': 'application/stream+json' });
  watched.data(answer);
  watched.end();
  return watched;
}

const ANSWER = '{"text":"Good morning"}\n{"text":" to you"}\n{"done":true,"text":""}\n';

function draft(
  actions: readonly ActionReport[],
  requests: readonly WatchedRequest[],
): RecipeDraft | undefined {
  const chat = readActions(actions, (text) => requests.some((sent) => carries(sent, text)));
  const choice = chat && chooseAnswer(answerCandidates(requests, PAGE, chat.prompt), requests, chat.prompt);
  return chat && choice && draftRecipe(chat, choice, requests);
}

describe('draftRecipe', () => {
  it('holds the recorded actions and the rules of the answer', () => {
    const result = draft(
      [...LOGIN, ...CHAT],
      [
        request('https://cdn.elsewhere.net/app', undefined, ''),
        request('https://api.example.org/v1/me', undefined, '{"name":"me"}'),
        request(
          `${SITE}/api/chats/0b5e4bb2-0d1e-4a35-9a55-0d8d2f6f1c11/messages?key=abc`,
          JSON.stringify({ text: PROMPT }),
          ANSWER,
        ),
      ],
    );
    expect(result?.recipe).toEqual({
      $schema: '../docs/site-recipe.schema.json',
      name: 'chat.example.org',
      authorised: {
        by: 'name who allows the automation of this site',
        note: 'say on what ground, e.g. our own server, or a contract',
      },
      origin: SITE,
      allowedOrigins: ['{{site.origin}}', 'https://api.example.org'],
      login: {
        steps: [
          { action: 'goto', url: '{{site.origin}}/login' },
          { action: 'fill', selector: '#email', value: '{{account.user}}' },
          { action: 'fill', selector: '#secret', value: '{{account.password}}' },
          { action: 'click', selector: '#go' },
        ],
        success: { selector: '#box' },
      },
      dismiss: ['#tour [aria-label="Close"]'],
      newChat: {
        url: '{{site.origin}}/c/new',
        steps: [{ action: 'click', selector: '#new', optional: true }],
        ready: '#box',
      },
      prompt: { input: '#box', method: 'request' },
      send: [{ action: 'press', key: 'Enter', selector: '#box' }],
      capture: {
        mode: 'replay',
        request: { url: '{{site.origin}}/api/chats/*/messages*', method: 'POST' },
        format: 'ndjson',
        delivery: 'append',
        answer: {
          content: [{ path: 'text' }],
          done: [{ when: [{ path: 'done', equals: true }] }],
          error: [{ when: [{ path: 'error' }] }],
        },
      },
      signs: { loginWall: { response: [{ status: 401 }], page: [{ selector: '#secret' }] } },
    });
    expect(result?.notes).toContain(
      'allowedOrigins: left out https://cdn.elsewhere.net; add what the site needs.',
    );
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('finds an answer that comes by a request of its own', () => {
    const source = new WatchedRequest({
      method: 'GET',
      url: `${SITE}/events`,
      type: 'EventSource',
      isWorker: false,
    });
    source.message('{"text":"Good morning"}');
    source.message('{"text":" to you"}');
    const post = request(`${SITE}/send`, `text=${encodeURIComponent(PROMPT)}`, '{"ok":true}');
    const result = draft(CHAT, [source, post]);
    expect(result?.recipe.capture).toMatchObject({
      mode: 'observe',
      transport: 'eventsource',
      request: { url: '{{site.origin}}/events', method: 'GET' },
      promptRequest: { url: '{{site.origin}}/send', method: 'POST' },
      format: 'sse',
    });
    expect(result?.recipe.login).toEqual({ steps: [], success: { selector: '#box' } });
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('finds the prompt in an address, and an answer in events of plain text', () => {
    const url = `${SITE}/chat?${new URLSearchParams({ model: 'm', q: PROMPT }).toString()}`;
    const source = new WatchedRequest({ method: 'GET', url, type: 'EventSource', isWorker: false });
    source.message('Good morning');
    source.message(' to you');
    source.message('', 'end');
    const result = draft(CHAT, [source]);
    expect(result?.recipe.capture).toMatchObject({
      request: { url: '{{site.origin}}/chat*', method: 'GET' },
      format: 'sse-text',
      answer: { content: [{ path: '$', event: 'message' }], done: [{ event: 'end' }] },
    });
    expect(result?.recipe.capture).not.toHaveProperty('promptRequest');
    expect(result?.recipe.prompt).toEqual({ input: '#box', method: 'paste' });
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('reads the frames of a socket', () => {
    const url = 'wss://chat.example.org/socket';
    const socket = new WatchedRequest({ method: 'GET', url, type: 'WebSocket', isWorker: false });
    socket.sent('{"ping":1}');
    socket.sent(JSON.stringify({ ask: PROMPT }));
    socket.message('{"text":"Good morning"}');
    socket.message('{"text":" to you"}');
    const result = draft(CHAT, [socket]);
    expect(result?.recipe.capture).toMatchObject({
      mode: 'observe',
      transport: 'websocket',
      request: { url, method: 'GET' },
      format: 'ndjson',
    });
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('reads the events of socket.io, and takes no poll for another request', () => {
    const poll = request(
      `${SITE}/socket.io/?EIO=4&transport=polling&sid=a`,
      `42["say",{"text":"${PROMPT}"}]`,
      'ok',
    );
    const url = 'wss://chat.example.org/socket.io/?EIO=4&transport=websocket&sid=a';
    const socket = new WatchedRequest({ method: 'GET', url, type: 'WebSocket', isWorker: false });
    const frames = [
      '3probe',
      '42["end",{}]',
      '42["start",{}]',
      '42["token",{"id":"m","t":"Good morning"}]',
      '2',
    ];
    [...frames, '42["token",{"id":"m","t":" to you"}]', '42["end",{}]'].forEach((frame) =>
      socket.message(frame),
    );
    const result = draft(CHAT, [poll, socket]);
    expect(result?.recipe.capture).toEqual({
      mode: 'observe',
      transport: 'socketio',
      request: { url: '{{site.origin}}/socket.io/*' },
      format: 'json',
      delivery: 'append',
      answer: {
        content: [{ path: '[1].t' }],
        done: [{ event: 'end' }],
        error: [{ when: [{ path: 'error' }] }, { event: 'error' }],
      },
    });
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('reads the page where no request is seen to bring the answer, and says what is missing', () => {
    const chat = readActions([...LOGIN, ...CHAT], () => true);
    const result = chat && draftRecipe(chat, undefined, []);
    expect(result?.recipe).toMatchObject({
      login: { success: { selector: '#box' } },
      prompt: { input: '#box', method: 'paste' },
      capture: { mode: 'dom' },
    });
    expect(result?.notes).toContain(
      'capture.answer: name the element of the answer, e.g. .message.assistant .content.',
    );
    const shown = chat && draftRecipe(chat, undefined, [], { answer: '.md', busy: '.stop' });
    expect(shown?.recipe.capture).toEqual({ mode: 'dom', answer: '.md', busy: '.stop', format: 'markdown' });
    expect(shown?.notes).toContain('capture.answer: check that .md fits answers alone.');
    expect(() => parseRecipe(result?.recipe, 'draft')).not.toThrow();
  });

  it('knows a prompt in bytes and in Base64, and takes neither for an answer', () => {
    const bytes = Buffer.from(`\n\x12\xff${PROMPT}\x1a`, 'latin1');
    const post = request(`${SITE}/__ui__`, bytes.toString('base64url').padEnd(24, 'A'), '');
    expect(carries(post, PROMPT)).toBe(true);
    expect(carries(post, 'Say good bye.')).toBe(false);
    expect(isFillable(post, PROMPT)).toBe(false);
    const answer = `data: ${Buffer.from('\x12\x0cGood morning to you').toString('base64')}\n\n`;
    const source = request(`${SITE}/__ui__`, JSON.stringify({ text: PROMPT }), answer.repeat(2));
    expect(draft(CHAT, [source])).toBeUndefined();
  });

  it('leaves out failed attempts to send', () => {
    const tries = [
      action('input', '#box', { field: 'text', value: PROMPT }),
      action('click', '#send'),
      action('input', '#box', { field: 'text', value: PROMPT }),
      action('click', '#send'),
    ];
    const result = draft(tries, [request(`${SITE}/api`, JSON.stringify({ text: PROMPT }), ANSWER)]);
    expect(result?.recipe).toMatchObject({
      newChat: { url: '{{site.origin}}/c/new', ready: '#box' },
      prompt: { input: '#box', method: 'fill' },
      send: [{ action: 'click', selector: '#send' }],
    });
    expect(result?.recipe.newChat).not.toHaveProperty('steps');
  });

  it('finds no answer without a prompt, or the request between them', () => {
    expect(draft(CHAT, [request(`${SITE}/other`, '{"text":"something else"}', ANSWER)])).toBeUndefined();
    expect(draft([], [request(`${SITE}/api`, JSON.stringify({ text: PROMPT }), ANSWER)])).toBeUndefined();
    expect(draft(CHAT, [request(`${SITE}/api`, JSON.stringify({ text: PROMPT }), '')])).toBeUndefined();
  });
});
