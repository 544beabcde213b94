import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsIn, postLogin, SandboxClient, textOf } from '../../test/support/upstream/sandbox-client.js';
import { PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { processPace } from '../../test/support/watch/machine-pace.js';
import { SandboxSite, type SandboxSiteOptions } from './sandbox-site.js';
import { type PromptRecord } from './state/sandbox-records.js';

let site: SandboxSite;
let origin: string;

async function start(options: SandboxSiteOptions = {}): Promise<void> {
  site = new SandboxSite(options);
  origin = await site.start();
}

beforeEach(() => start());
afterEach(() => site.close());

function whenRecord(fits: (record: PromptRecord) => boolean): Promise<PromptRecord> {
  return site.whenRecord(fits, AbortSignal.timeout(PATIENCE_MS));
}

function admin(body: unknown, token = site.adminToken): Promise<Response> {
  return fetch(`${origin}/admin/switches`, {
    method: 'POST',
    headers: { 'x-admin-token': token },
    body: JSON.stringify(body),
  });
}

describe('SandboxSite: login', () => {
  it('redirects to the login page without a session', async () => {
    const response = await fetch(`${origin}/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/login']);
    const page = await (await fetch(`${origin}/login`)).text();
    expect(page).toMatch(/<form id="login" method="post" action="\/login">/);
    expect(page).toContain('<p id="login-error" role="alert"></p>');
  });

  it('reports a wrong password and keeps the name, escaped', async () => {
    const response = await postLogin(origin, '"><script>', 'wrong');
    const page = await response.text();
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(page).toContain('<p id="login-error" role="alert">Wrong user name or password.</p>');
    expect(page).toContain('value="&#34;&#62;&#60;script&#62;"');
  });

  it('logs in with a cookie that scripts cannot read', async () => {
    const { name, password } = site.accounts[0]!;
    const response = await postLogin(origin, name, password);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^sandbox_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    expect(site.logins.get(name)).toEqual({ ok: 1, wrong: 0, locked: 0 });
  });

  it('shows the chat page to a session until its logout', async () => {
    const client = await SandboxClient.logIn(origin, site, 1);
    const page = await (await client.get('/')).text();
    expect(page).toContain('<span class="quiet" id="account">sandbox-2</span>');
    for (const id of [
      'new-chat',
      'model',
      'thinking',
      'prompt',
      'attachment',
      'send',
      'stop',
      'messages',
      'logout',
    ]) {
      expect(page).toContain(` id="${id}"`);
    }
    const form = { body: new URLSearchParams({ csrf_token: client.csrfToken }), redirect: 'manual' as const };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await client.post('/logout', undefined, { ...form, headers })).status).toBe(303);
    expect((await client.get('/')).headers.get('location')).toBe('/login');
    expect((await client.ask('x')).status).toBe(401);
  });

  it('keeps logins across a restart with the same secret', async () => {
    await site.close();
    await start({ secret: 'kept' });
    const client = await SandboxClient.logIn(origin, site);
    const accounts = site.accounts;
    await site.close();
    await start({ secret: 'kept' });
    expect(site.accounts).toEqual(accounts);
    expect(
      (await fetch(`${origin}/`, { headers: { cookie: client.cookie }, redirect: 'manual' })).status,
    ).toBe(200);
  });

  it('locks an account out', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const { name, password } = site.accounts[0]!;
    site.lock(name);
    expect((await client.ask('x')).status).toBe(401);
    const response = await postLogin(origin, name, password);
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('This account is locked.'),
    ]);
    site.clearSwitches(name);
    expect((await postLogin(origin, name, password)).status).toBe(303);
  });
});

describe('SandboxSite: the chat API', () => {
  it('streams the default answer as server-sent events', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const response = await client.ask('Hello!', { thinking: true, conversationId: 'c1' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const body = await response.text();
    expect(body.slice(0, 55)).toBe('data: {"type":"start","conversation_id":"c1","seq":0}\n\n');
    const events = eventsIn(body);
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'stop' });
    expect(events.filter(({ type }) => type === 'reasoning').length).toBeGreaterThan(10);
    expect(textOf(events)).toContain('Your message of 6 characters begins: “Hello!”');
  });

  it('records each prompt', async () => {
    const client = await SandboxClient.logIn(origin, site, 2);
    const prompt = `[[say:ok]] ${'long '.repeat(50)}`;
    await client.ask(prompt, { conversationId: 'c1', messageId: 'm1' }).then((response) => response.text());
    expect(site.records).toEqual([
      {
        account: 'sandbox-3',
        sessionId: expect.any(String),
        conversationId: 'c1',
        messageId: 'm1',
        model: 'svc-max',
        thinking: false,
        transport: 'http',
        promptHash: createHash('sha256').update(prompt).digest('hex'),
        promptLength: prompt.length,
        promptHead: prompt.slice(0, 64),
        promptTail: prompt.slice(-64),
        headers: { 'user-agent': 'node', 'x-csrf-token': client.csrfToken },
        acceptedAt: expect.any(Number),
        endedAt: expect.any(Number),
        outcome: 'completed',
        piecesSent: 1,
      },
    ]);
  });

  it('evicts the oldest records', async () => {
    await site.close();
    await start({ recordLimit: 2 });
    const client = await SandboxClient.logIn(origin, site);
    for (const name of ['a', 'b', 'c']) {
      await client.say(`[[say:${name}]]`);
    }
    expect(site.records.map(({ promptHead }) => promptHead)).toEqual(['[[say:b]]', '[[say:c]]']);
  });

  it('serves accounts and pages at the same time', async () => {
    const clients = await Promise.all([0, 0, 1, 2].map((index) => SandboxClient.logIn(origin, site, index)));
    const answers = clients.flatMap((client, index) =>
      [0, 1, 2].map((page) => client.say(`[[say:${index} ${page} ${'word '.repeat(20)}]]`)),
    );
    expect((await Promise.all(answers)).map((text) => text.slice(0, 3))).toEqual(
      [0, 1, 2, 3].flatMap((index) => [0, 1, 2].map((page) => `${index} ${page}`)),
    );
  });

  it('takes a prompt of several megabytes, and its attachments', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const prompt = 'many words '.repeat(400_000);
    const attachments = [{ name: 'a.txt', text: '<user>\n[[say:from the file]]\n</user>' }];
    const response = await client.post('/api/chat', { ...client.request(prompt), attachments });
    expect(textOf(eventsIn(await response.text()))).toBe('from the file');
    expect(site.records[0]?.promptLength).toBe(prompt.length + 2 + attachments[0]!.text.length);
  });

  it.each([
    [401, 'unauthenticated', { headers: { cookie: '' } }],
    [403, 'csrf', { headers: { 'x-csrf-token': 'wrong' } }],
    [400, 'invalid_request', { body: '{' }],
    [400, 'invalid_request', { body: '[]' }],
    [400, 'invalid_request', { body: '{"prompt":" ","model":"svc-max"}' }],
    [400, 'invalid_request', { body: '{"prompt":"x","model":"svc-mini"}' }],
  ])('refuses with %i %s', async (status, code, init) => {
    const client = await SandboxClient.logIn(origin, site);
    const response = await client.post('/api/chat', client.request('x'), init);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { code, message: expect.any(String) } },
    ]);
    expect(site.records).toEqual([]);
  });

  it('notices at once that a client has left', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const control = new AbortController();
    const response = await client.ask('[[chunks:1000x10ms]]', { signal: control.signal });
    await whenRecord(({ piecesSent }) => piecesSent > 1);
    control.abort();
    const leftAt = performance.now();
    const record = await whenRecord(({ outcome }) => outcome === 'client_closed');
    await processPace.expectWithin(record.endedAt! - leftAt, 500);
    expect(record.piecesSent).toBeLessThan(1000);
    await expect(response.text()).rejects.toThrow();
  });

  it('stops an answer by its conversation or its message', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const stops = [{ conversation_id: 'c1' }, { message_id: 'm2' }];
    for (const [index, ids] of stops.entries()) {
      const options = { conversationId: `c${index + 1}`, messageId: `m${index + 1}` };
      const response = await client.ask('[[chunks:1000x10ms]]', options);
      await whenRecord(({ messageId, piecesSent }) => messageId === options.messageId && piecesSent > 0);
      const stranger = await SandboxClient.logIn(origin, site, 1);
      await stranger.post('/api/stop', ids);
      expect(site.records.at(-1)?.outcome).toBe('pending');
      expect((await client.post('/api/stop', ids)).status).toBe(200);
      const events = eventsIn(await response.text());
      expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'stop' });
      expect(site.records.at(-1)?.outcome).toBe('stopped');
    }
  });

  it('ends its answers when it closes', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const bodies = ['[[chunks:1000x10ms]]', '[[hang:1]]', '[[hang:0]]'].map((prompt) =>
      client.ask(prompt).then((response) => response.text()),
    );
    const results = Promise.allSettled(bodies);
    await whenRecord(() => site.records.length === 3);
    await site.close();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(site.records.map(({ outcome }) => outcome)).toEqual(['shutdown', 'shutdown', 'shutdown']);
  });
});

describe('SandboxSite: the EventSource variant', () => {
  it('posts the prompt and streams the answer over another request, once', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const posted = await client.ask('[[say:two requests]]', { path: '/api/messages' });
    const { id } = (await posted.json()) as { id: string };
    const stranger = await SandboxClient.logIn(origin, site, 1);
    expect((await stranger.get(`/api/events?id=${id}`)).status).toBe(204);
    const response = await client.get(`/api/events?id=${id}`);
    expect(textOf(eventsIn(await response.text()))).toBe('two requests');
    expect((await client.get(`/api/events?id=${id}`)).status).toBe(204);
    expect(site.records[0]).toMatchObject({ transport: 'eventsource', outcome: 'completed' });
  });

  it('refuses at the post', async () => {
    const client = await SandboxClient.logIn(origin, site);
    const posted = await client.ask('[[status:429]]', { path: '/api/messages' });
    expect(posted.status).toBe(429);
    expect(site.records[0]?.outcome).toBe('refused');
  });

  it('ends unfetched answers when it closes', async () => {
    const client = await SandboxClient.logIn(origin, site);
    await client.ask('[[say:x]]', { path: '/api/messages' });
    expect(site.records[0]?.outcome).toBe('pending');
    await site.close();
    expect(site.records[0]?.outcome).toBe('shutdown');
  });
});

describe('SandboxSite: switches', () => {
  it('apply to the next prompts of an account', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((index) => SandboxClient.logIn(origin, site, index)),
    );
    expect((await admin({ markers: '[[say:switched]]', account: 'sandbox-1', prompts: 2 })).status).toBe(200);
    expect(await second!.say('x [[chunks:1x0ms]]')).toBe('chunk 1');
    expect(await first!.say('x')).toBe('switched');
    expect(await first!.say('[[say:marker wins]]')).toBe('marker wins');
    expect(await first!.say('[[chunks:1x0ms]]')).toBe('chunk 1');
  });

  it('apply to all until they are cleared', async () => {
    const client = await SandboxClient.logIn(origin, site);
    site.setSwitches('[[status:500]]');
    site.setSwitches('[[status:503]]', { account: 'sandbox-1' });
    expect([(await client.ask('x')).status, (await client.ask('x')).status]).toEqual([503, 503]);
    await admin({ clear: true, account: 'sandbox-1' });
    expect((await client.ask('x')).status).toBe(500);
    await admin({ clear: true });
    expect(await client.say('[[say:fine]]')).toBe('fine');
  });

  it('set the features of the pages', async () => {
    const client = await SandboxClient.logIn(origin, site);
    await admin({ features: { hydration_ms: 50, transport: 'worker' } });
    const page = await (await client.get('/')).text();
    expect(page).toContain(
      '{&#34;transport&#34;:&#34;worker&#34;,&#34;painting&#34;:&#34;chunk&#34;,&#34;markdown&#34;:false,' +
        '&#34;hydration_ms&#34;:50,&#34;welcome&#34;:false,&#34;before_unload&#34;:false,' +
        '&#34;prompt_limit&#34;:0,&#34;stop&#34;:&#34;server&#34;,&#34;login_ms&#34;:0,' +
        '&#34;login_code&#34;:false,&#34;consent&#34;:false}',
    );
  });

  it('log an account out, and lock it', async () => {
    const client = await SandboxClient.logIn(origin, site);
    await admin({ account: 'sandbox-1', log_out: true });
    expect((await client.ask('x')).status).toBe(401);
    await admin({ account: 'sandbox-1', lock: true });
    const { name, password } = site.accounts[0]!;
    expect((await postLogin(origin, name, password)).status).toBe(403);
  });

  it('report prompts and logins', async () => {
    const client = await SandboxClient.logIn(origin, site);
    await client.say('[[say:x]]');
    const response = await fetch(`${origin}/admin/records`, {
      headers: { 'x-admin-token': site.adminToken },
    });
    expect(await response.json()).toMatchObject({
      prompts: [{ account: 'sandbox-1', outcome: 'completed' }],
      logins: { 'sandbox-1': { ok: 1, wrong: 0, locked: 0 } },
    });
  });

  it.each([
    [{ markers: 'x' }, 'markers'],
    [{ markers: '[[status:429]] x' }, 'markers'],
    [{ markers: '[[usage]]', prompts: 0 }, 'prompts'],
    [{ features: { transport: 'pigeon' } }, 'transport'],
    [{ features: { colour: 'red' } }, 'colour'],
    [{ markres: '[[usage]]' }, 'markres'],
    [{ markers: '[[usage]]', account: 'sandbox-9' }, 'sandbox-9'],
  ])('are refused for %j', async (body, word) => {
    const response = await admin(body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(word);
  });

  it('require the admin token', async () => {
    expect((await admin({ clear: true }, 'wrong')).status).toBe(403);
    expect((await fetch(`${origin}/admin/records`)).status).toBe(403);
  });
});

describe('SandboxSite: pages', () => {
  it('have a strict content policy; other paths are not found', async () => {
    const style = await fetch(`${origin}/sandbox.css`);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.headers.get('content-security-policy')).toBe(
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    );
    for (const path of ['/chat.html', '/nothing.js', '/..%2f..%2fpackage.json', '/api/chat', '/toString']) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
  });

  it('delay a login by `login_ms`', async () => {
    site.setFeatures({ loginMs: 60 });
    const { name, password } = site.accounts[0]!;
    const startedAt = performance.now();
    await postLogin(origin, name, password);
    expect(performance.now() - startedAt).toBeGreaterThan(55);
  });

  it('want a code and a consent before a login counts', async () => {
    site.setFeatures({ loginCode: true, consent: true });
    const { name, password } = site.accounts[0]!;
    const step = async (path: string, cookie: string, body?: Record<string, string>) => {
      const response = await fetch(origin + path, {
        redirect: 'manual',
        headers: { cookie },
        ...(body && { method: 'POST', body: new URLSearchParams(body) }),
      });
      const set = response.headers.get('set-cookie')?.split(';')[0];
      return { to: response.headers.get('location'), cookie: set ?? '', text: await response.text() };
    };
    const atCode = await step('/login', '', { user: name, password });
    expect(atCode.to).toBe('/login/code');
    const { text } = await step('/login/code', atCode.cookie);
    const code = /code is (\d{6})\./.exec(text)?.[1] ?? '';
    expect((await step('/login/code', atCode.cookie, { code: `${code}0` })).text).toContain('not the code');
    // A login cannot skip a step, nor be forged.
    expect((await step('/login/consent', atCode.cookie, {})).to).toBe('/login');
    expect((await step('/login/code', `${atCode.cookie}x`, { code })).to).toBe('/login');
    expect((await step('/', atCode.cookie)).to).toBe('/login');
    const atConsent = await step('/login/code', atCode.cookie, { code });
    expect(atConsent.to).toBe('/login/consent');
    expect((await step('/login/consent', atConsent.cookie)).text).toContain('I accept');
    const inside = await step('/login/consent', atConsent.cookie, {});
    expect(inside.to).toBe('/');
    expect((await step('/', inside.cookie)).text).toContain('id="prompt"');
  });
});
