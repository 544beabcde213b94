import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'puppeteer';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { Clock } from '../../src/common/time/clock.js';
import { FullTexts } from '../../src/logs/full-texts.js';
import { RequestLog } from '../../src/logs/request-log.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { findings } from '../support/browser/appearance.js';
import { inPage, textOf } from '../support/browser/dashboard-browser.js';
import { type Hand, Person } from '../support/browser/person.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk, failed, hangs } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** Number of daily tasks of operators, each to be done with few clicks. */
const STORY_COUNT = 15;
const MOST_CLICKS = 3;
const KEY = 'key-of-the-operator';
const TOOLS = [{ type: 'function', function: { name: 'run_tests', parameters: { type: 'object' } } }];
/** Longer than a preview, shorter than a page shows at once. */
const LONG = `${'All of it. '.repeat(200)}To the end.`;

const dashboard = useDashboard({
  API_KEY: KEY,
  UPSTREAM_API_KEYS: 'sk-one,sk-two',
  RETRY_MAX_ATTEMPTS: 1,
  LOG_CONTENT: 'full',
});
const registry = (): AccountRegistry => dashboard.gateway.app.get(AccountRegistry);
const commands = (): AccountCommands => dashboard.gateway.app.get(AccountCommands);
const row = (id: string): string => `#stream [data-entry="${id}"]`;

beforeAll(() => {
  // A failure of yesterday evening, by the clock on the wall.
  const clock = dashboard.gateway.app.get(Clock);
  const at = new Date(clock.now());
  const evening = new Date(at.getFullYear(), at.getMonth(), at.getDate() - 1, 20).getTime();
  const now = jest.spyOn(clock, 'now').mockReturnValue(evening);
  const evenings = { id: 'req_of_the_evening', method: 'POST', path: '/v1/x' };
  const log = dashboard.gateway.app.get(RequestLog).open(evenings);
  now.mockRestore();
  log.add({ excerpt: 'In the evening', attempts: [timeout] });
  log.finish('upstream_error', { status: 504 });
});
const timeout = { account: 'one', startedMs: 1, durationMs: 9000, outcome: 'first_byte_timeout' };

/** Asks for a completion. @returns the id of the request */
async function ask(content: string, plan: StubPlan = answer(), more: object = {}): Promise<string> {
  const response = await begin(content, plan, more);
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

function begin(content: string, plan: StubPlan, more: object, signal?: AbortSignal): Promise<Response> {
  dashboard.stub.answerNextWith(plan);
  const body = { model: 'svc-max', messages: [{ role: 'user', content }], ...more };
  return dashboard.gateway.post(body, { ...dashboard.withKey, ...(signal && { signal }) });
}

/** The text that was copied, which holds a part that nothing before it held. */
function copied(page: Page, part: string): Promise<string> {
  return eventually(PATIENCE_MS, async () => {
    const text = await inPage<string>(page, 'navigator.clipboard.readText()');
    expect(text).toContain(part);
    return text;
  });
}

/** Ids of the requests that the log shows, from the top. */
function rowsOf(page: Page): Promise<string[]> {
  return eventually(PATIENCE_MS, async () => {
    const ids = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('#list .entry')].map(({ dataset }) => dataset.entry)`,
    );
    expect(ids).not.toEqual([]);
    return ids;
  });
}

/** Each is told from the moment at which the person looks at the overview. */
const STORIES: Readonly<
  Record<string, (person: (ready?: string) => Promise<Person>, hand: Hand) => Promise<Person>>
> = {
  'why did this request fail': async (atOverview) => {
    const id = await ask('Does it fail?', failed(500));
    const person = await atOverview(row(id));
    await person.follow('#tiles', 'Errors');
    await person.press(`[data-entry="${id}"] summary`);
    await person.sees('.notice.bad', 'The upstream answered with an error');
    await person.sees('.notice.bad', 'status 500');
    return person;
  },

  'why was it slow': async (atOverview) => {
    const id = await ask('A slow one.', answer({ pieces: ['a', 'b', 'c'], intervalMs: 300 }));
    const fast = await ask('A fast one.');
    const person = await atOverview(row(fast));
    await person.follow('#tiles', 'Duration');
    const order = await rowsOf(person.page);
    expect(order.indexOf(id)).toBeLessThan(order.indexOf(fast));
    await person.press(`[data-entry="${id}"] summary`);
    await person.sees(`[data-entry="${id}"] .trace`, 'First token went to the caller');
    return person;
  },

  'which account served it': async (atOverview) => {
    const id = await ask('Who serves it?');
    const person = await atOverview(row(id));
    expect(await textOf(person.page, `${row(id)} .account`)).toBe(dashboard.gateway.lastEntry?.account);
    return person;
  },

  'what exactly was sent upstream': async (atOverview) => {
    dashboard.gateway.settings.LOG_CONTENT = 'preview';
    const id = await ask(LONG);
    const person = await atOverview(row(id));
    await person.follow(row(id));
    await person.sees('#pinned', 'First 500 of');
    await person.press('#pinned', 'Keep full texts for 15 minutes');
    await person.sees('#status', 'The log keeps full texts');
    await ask(LONG);
    await person.follow('nav', 'Network');
    await person.press('button.exchange');
    await person.sees('#detail', 'To the end.');
    const body = await textOf(person.page, '#detail [aria-label="Body of the request"]');
    expect(JSON.parse(body)).toEqual(dashboard.stub.requests.at(-1)?.body);
    dashboard.gateway.settings.LOG_CONTENT = 'full';
    dashboard.gateway.app.get(FullTexts).keepFor(0);
    return person;
  },

  'what did condensing remove': async (atOverview) => {
    const id = await ask('Run them.', answer(), { messages: afterTests(), tools: TOOLS });
    const person = await atOverview(row(id));
    await person.follow(row(id));
    await person.press('.condensed > summary');
    const [before, after] = await Promise.all(
      ['first', 'last'].map((place) => textOf(person.page, `.before-after > :${place}-child pre`)),
    );
    expect(before?.match(/PASS/g)).toHaveLength(150);
    expect(after!.length).toBeLessThan(before!.length / 2);
    return person;
  },

  'put an account on hold': async (atOverview) => {
    const { id, name } = registry().list()[0]!;
    const person = await atOverview();
    await person.follow('nav', 'Accounts');
    await person.press(dashboard.card(name), 'Disable');
    await person.press('#confirm .dialog-foot', 'Disable');
    await person.sees(dashboard.card(name), `${name} disabled`);
    expect(registry().list()[0]?.isEnabled).toBe(false);
    await commands().enable(null, id);
    return person;
  },

  'add an account': async (atOverview, hand) => {
    const name = `added-by-${hand}`;
    const person = await atOverview();
    await person.follow('nav', 'Accounts');
    await person.press('#add');
    await person.type('#account-form [name="name"]', name);
    await person.key('Tab');
    await person.type('[name="credential-key"]', `sk-of-${name}`);
    await person.key('Enter');
    await person.sees('.accounts, #list', `${name} ready`);
    expect(registry().list().at(-1)?.credentials).toEqual({ key: `sk-of-${name}` });
    return person;
  },

  'fix an expired login': async (atOverview) => {
    const person = await atOverview();
    await person.sees('#sign', 'Serving');
    for (const account of registry().list()) {
      const failure = new LoginRequiredError('login_wall', 'It asks for a login.');
      dashboard.gateway.app.get(AccountHealth).requireLogin(account, failure);
    }
    await person.sees('#status', 'accounts need a login');
    await person.press('#status', 'Log in again');
    await person.sees('#sign', 'Serving');
    await eventually(PATIENCE_MS, async () => expect(await textOf(person.page, '#status')).toBe(''));
    return person;
  },

  'change a cooldown without a restart': async (atOverview, hand) => {
    const ms = hand === 'mouse' ? 61_000 : 62_000;
    const person = await atOverview();
    await person.follow('nav', 'Settings');
    await person.type('#setting-RATE_LIMIT_COOLDOWN_MS', String(ms));
    await person.press('#save');
    await person.sees('#summary', 'Saved RATE_LIMIT_COOLDOWN_MS.');
    expect(dashboard.gateway.settings.RATE_LIMIT_COOLDOWN_MS).toBe(ms);
    return person;
  },

  'put back what somebody changed': async (atOverview) => {
    const path = `${dashboard.gateway.origin}/dashboard/api/settings`;
    const { headers } = await fetch(path, dashboard.withKey);
    const changed = await fetch(path, {
      method: 'PATCH',
      headers: {
        ...dashboard.withKey.headers,
        'content-type': 'application/json',
        'if-match': headers.get('etag') ?? '',
      },
      body: JSON.stringify({ values: { POOL_QUEUE_LIMIT: 7 } }),
    });
    expect(changed.status).toBe(200);
    const person = await atOverview();
    await person.follow('nav', 'Settings');
    await person.press('#latest summary');
    await person.sees('#latest tbody tr', 'API_KEY POOL_QUEUE_LIMIT');
    await person.press('#latest tbody', 'Put back');
    await person.key('Enter');
    await person.sees('#summary', 'Saved POOL_QUEUE_LIMIT.');
    expect(dashboard.gateway.settings.POOL_QUEUE_LIMIT).not.toBe(7);
    return person;
  },

  "yesterday evening with 'timeout'": async (atOverview) => {
    await ask('Today, without a timeout.');
    const person = await atOverview();
    await person.follow('nav', 'Logs');
    await person.sees('#list', 'Today');
    await person.key('/');
    await person.page.keyboard.type('timeout');
    await person.choose('[name="time"]', 'Yesterday evening');
    // By the keyboard the choice leads over others, which show as many requests.
    const address = () => new URL(person.page.url()).search;
    await eventually(PATIENCE_MS, () => expect(address()).toBe('?q=timeout&time=yesterday-evening'));
    await person.sees('#summary', '1 request shown');
    await person.sees('[data-entry="req_of_the_evening"] .about', 'In the evening');
    return person;
  },

  'is the pool too small': async (atOverview) => {
    await ask('Is there room?');
    const person = await atOverview();
    await person.sees('#capacity .advice', '.');
    const response = await fetch(
      `${dashboard.gateway.origin}/dashboard/api/capacity?minutes=60`,
      dashboard.withKey,
    );
    const { advice } = (await response.json()) as { advice: string };
    expect(advice).toMatch(/in use/);
    await person.sees('#capacity .advice', advice);
    await person.sees('#capacity .plain-table', 'svc-max');
    return person;
  },

  'copy as curl and run it again': async (atOverview) => {
    const id = await ask('Repeat me.', answer({ pieces: ['The cat.'] }), {
      messages: afterTests(),
      tools: TOOLS,
    });
    const first = dashboard.stub.requests.at(-1)?.body;
    const person = await atOverview(row(id));
    await person.follow(row(id));
    await person.press('#pinned', 'Copy as curl');
    const command = await copied(person.page, 'curl');
    expect(command).not.toContain(KEY);
    const [, body = ''] = /^printf %s '(.*)' \| curl /s.exec(command) ?? [];
    await (await dashboard.gateway.post(body.replaceAll(`'\\''`, `'`), dashboard.withKey)).text();
    expect(dashboard.stub.requests.at(-1)?.body).toEqual(first);
    dashboard.stub.answerNextWith(answer({ pieces: ['The dog.'] }));
    await person.press('.run-again', 'Run again');
    await person.sees('.difference', 'The catdog.');
    return person;
  },

  'watch one conversation live': async (atOverview) => {
    const caller = new AbortController();
    const { go, plan } = stepwise();
    const running = begin('Tell me more.', plan, { stream: true }, caller.signal);
    const person = await atOverview('#stream [data-entry]');
    await person.follow('#stream .entry-row', 'Tell me more.');
    await person.sees('#pinned .messages', 'Tell me more.');
    await person.sees('#pinned .role-answer', 'Once');
    go();
    await person.sees('#pinned .role-answer', 'Once upon');
    caller.abort();
    await running.then((response) => response.text()).catch(() => undefined);
    return person;
  },

  'send a link to a colleague': async (atOverview) => {
    const id = await ask('Look at this.');
    const person = await atOverview(row(id));
    await person.follow(row(id));
    await person.press('#pinned', 'Copy link');
    const link = new URL(await copied(person.page, id));
    const colleague = await dashboard.open(link.pathname.replace('/dashboard', '') + link.search);
    await eventually(PATIENCE_MS, async () =>
      expect(await textOf(colleague, '#pinned')).toContain('user Look at this.'),
    );
    await person.page.bringToFront();
    await person.press('#pinned', 'Copy id');
    await eventually(PATIENCE_MS, async () =>
      expect(await inPage(person.page, 'navigator.clipboard.readText()')).toBe(id),
    );
    return person;
  },
};

/** A conversation that ends with a long result of a tool. */
function afterTests(): object[] {
  const output = Array.from({ length: 150 }, (_, at) => `PASS src/part-${at % 7}.spec.ts (${at} ms)`);
  return [
    { role: 'user', content: "Run the team's tests." },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run_tests', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: output.join('\n') },
  ];
}

/** An answer that goes on, once, when it is told to. */
function stepwise(): { readonly go: () => void; readonly plan: StubPlan } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const plan: StubPlan = async (reply) => {
    await reply.event(chunk({ role: 'assistant', content: 'Once' }));
    await promise;
    await reply.event(chunk({ content: ' upon' }));
    await hangs()(reply);
  };
  return { go: resolve, plan };
}

describe.each(['mouse', 'keyboard'] as const)('by %s', (hand) => {
  const clicks: number[] = [];

  it.each(Object.entries(STORIES))('%s', async (_name, tell) => {
    const person = await tell(async (ready = '#tiles a') => {
      const page = await dashboard.open('', { width: 1440 });
      await page
        .browserContext()
        .overridePermissions(dashboard.gateway.origin, [
          'clipboard-read',
          'clipboard-write',
          'clipboard-sanitized-write',
        ]);
      await page.waitForSelector(ready, { timeout: PATIENCE_MS });
      await page.waitForSelector('#tiles a', { timeout: PATIENCE_MS });
      return new Person(page, hand);
    }, hand);
    clicks.push(person.clicks);
    if (hand === 'mouse') {
      expect(await findings(person.page)).toEqual([]);
    }
  });

  afterAll(() => {
    const median = clicks.toSorted((a, b) => a - b)[clicks.length >> 1];
    expect(median).toBeLessThanOrEqual(MOST_CLICKS);
    expect(Object.keys(STORIES)).toHaveLength(STORY_COUNT);
    process.stdout.write(`${clicks.length} stories by ${hand}: ${clicks.join(', ')} clicks\n`);
  });
});
