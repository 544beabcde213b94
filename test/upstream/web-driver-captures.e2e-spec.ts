import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SandboxFeatures } from '../../src/sandbox/state/sandbox-features.js';
import { type NetworkRules } from '../../src/upstream/web/recipe/capture-rules.js';
import { parseRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { type SiteRecipe } from '../../src/upstream/web/recipe/site-recipe.js';
import { ask, WebSite } from '../support/upstream/web-site.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

const never = new AbortController().signal;

const EVENT_SOURCE = {
  request: { url: '{{site.origin}}/api/events*', method: 'GET' },
  promptRequest: { url: '{{site.origin}}/api/messages', method: 'POST' },
};
const SOCKET = {
  transport: 'websocket',
  request: { url: '{{site.origin.socket}}/api/socket', method: 'GET' },
};
const LIMITED_FRAME = { when: [{ path: 'limited', equals: true }] };

/** The sandbox recipe with another way to get the answer. */
function withCapture(change: object): (recipe: SiteRecipe) => SiteRecipe {
  return (recipe) => {
    const { answer, ...rules } = recipe.capture as NetworkRules;
    const error = [...answer.error, LIMITED_FRAME];
    const capture = { ...rules, ...change, answer: { ...answer, error } };
    // What is undefined here is to be absent.
    return parseRecipe(JSON.parse(JSON.stringify({ ...recipe, capture })), 'test', [
      'site.origin',
      'site.origin.socket',
    ]);
  };
}

interface Way {
  readonly name: string;
  readonly transport: SandboxFeatures['transport'];
  /** Differences from the capture rules of the sandbox recipe. */
  readonly capture: object;
}

const OBSERVED = { mode: 'observe', credentials: undefined };
const WAYS: readonly Way[] = [
  { name: 'replay of a worker', transport: 'worker', capture: {} },
  { name: 'replay of an EventSource', transport: 'eventsource', capture: EVENT_SOURCE },
  { name: 'observation of fetch', transport: 'fetch', capture: OBSERVED },
  { name: 'observation of a worker', transport: 'worker', capture: OBSERVED },
  {
    name: 'observation of an EventSource',
    transport: 'eventsource',
    capture: { ...OBSERVED, transport: 'eventsource', ...EVENT_SOURCE },
  },
  { name: 'observation of a WebSocket', transport: 'websocket', capture: { ...OBSERVED, ...SOCKET } },
];

describe.each(WAYS)('WebDriver, $name', ({ transport, capture }) => {
  let web: WebSite;

  beforeAll(async () => {
    web = await WebSite.start({ features: { transport }, adapt: withCapture(capture) });
  });
  afterAll(() => web.close());

  it('streams an answer, ends with the caller, and sees a limit', async () => {
    const session = await web.driver().open(web.account(), never);
    const answer = await ask(session, '[[think:Hm.]][[say:Grüße, Welt! 👋]][[usage]]');
    expect(answer).toMatchObject({ text: 'Grüße, Welt! 👋', reasoning: 'Hm.', error: undefined });
    expect(answer.events[0]).toEqual({ type: 'accepted' });
    expect(answer.events.slice(-2)).toEqual([
      { type: 'usage', usage: expect.objectContaining({ reasoningTokens: 1 }) },
      { type: 'done', reason: 'stop' },
    ]);

    const caller = new AbortController();
    const left = await ask(session, '[[chunks:1000x10ms]]', {
      signal: caller.signal,
      onEvent: ({ type }) => type === 'text' && caller.abort(new Error('left')),
    });
    expect(left.error).toEqual(new Error('left'));
    await web.site.whenRecord(({ outcome }) => outcome === 'client_closed', AbortSignal.timeout(PATIENCE_MS));

    const long = `[[say:ok]]${'x'.repeat(200_000)}`;
    expect((await ask(session, long)).text).toBe('ok');
    expect(web.site.records.at(-1)?.promptLength).toBe(long.length);

    expect((await ask(session, '[[limit:page:9]]')).error).toMatchObject({
      fault: 'rate_limited',
      retryAfterMs: 9000,
    });
    expect((await ask(session, '[[limit:sse:9]]')).error).toMatchObject({ fault: 'rate_limited' });
    await session.close();
    expect(web.site.records).toHaveLength(5);
  });
});

describe('WebDriver, reading off the page', () => {
  let web: WebSite;

  beforeAll(async () => {
    web = await WebSite.start({
      adapt: (recipe) =>
        parseRecipe(
          {
            ...recipe,
            capture: {
              mode: 'dom',
              answer: '.message.assistant .text',
              reasoning: '.message.assistant .reasoning p',
              busy: '#stop:not([hidden])',
            },
          },
          'test',
          ['site.origin'],
        ),
    });
  });
  afterAll(() => web.close());

  it('gets text and reasoning, and says that it is lossy', async () => {
    const driver = web.driver();
    expect(driver.isLossy).toBe(true);
    const session = await driver.open(web.account(), never);
    const answer = await ask(session, '[[think:Hm, hm.]][[say:One two three four]]');
    expect(answer).toMatchObject({ text: 'One two three four', reasoning: 'Hm, hm.', error: undefined });
    expect(answer.events[0]).toEqual({ type: 'accepted' });
    expect(answer.events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
    await session.close();
  });
});
