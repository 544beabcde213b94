import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { type NetworkRules } from '../../src/upstream/web/recipe/capture-rules.js';
import { loadRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { type SiteRecipe } from '../../src/upstream/web/recipe/site-recipe.js';
import { RecipeCheck, type RecipeCheckOptions } from '../../tools/recipe/check/recipe-check.js';
import { WebSite } from '../support/upstream/web-site.js';
import { browserPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;

/** Times and ids differ from run to run. */
function timeless(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line
      .replace(/\d+ ms/g, 'N ms')
      .replace(/answered with \d+/, 'answered with N')
      .replace(/\w*Chrome\/[\d.]+/, 'Chrome')
      .replace(/"conversation_id":"[^"]+"/, '"conversation_id":"…"'),
  );
}

describe('RecipeCheck', () => {
  let web: WebSite;
  let folder: string;
  let lines: string[];

  beforeAll(async () => {
    web = await WebSite.start();
  });
  afterAll(() => web.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipe-tools-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function check(
    change: (recipe: SiteRecipe) => SiteRecipe,
    options: Partial<RecipeCheckOptions> = {},
  ): Promise<boolean> {
    return new RecipeCheck({
      recipe: change(await loadRecipe('recipes/sandbox.json', ['site.origin'])),
      variables: { 'site.origin': web.origin },
      credentials: web.account().credentials,
      prompt: '[[think:Hm.]][[say:Hello there.]]',
      model: 'svc-max',
      thinking: true,
      screenshotFolder: folder,
      settings: web.settings,
      clock: new SystemClock(),
      print: (line) => lines.push(line),
      signal: never,
      ...options,
    }).run();
  }

  it('shows each step of a recipe that works', async () => {
    expect(await check((recipe) => recipe)).toBe(true);
    // What the network tells comes beside the steps, not after them.
    expect(new Set(timeless(lines))).toEqual(
      new Set([
        '✓ browser Chrome (N ms)',
        '✓ newChat.url goto {{site.origin}}/ (N ms)',
        '✓ login.steps[0] goto {{site.origin}}/login (N ms)',
        '✓ login.steps[1] fill #user (N ms)',
        '✓ login.steps[2] fill #password (N ms)',
        '✓ login.steps[3] click #login button[type=submit] (N ms)',
        '· dismiss[0] click #welcome[open] #welcome-close: not there, and optional',
        '✓ newChat.ready waitFor #prompt (N ms)',
        '✓ login: logged in',
        '✓ model[0] select #model (N ms)',
        '· thinking.on[0] click #thinking:not(:checked): not there, and optional',
        '✓ prompt.input #prompt: fill, 75 characters (N ms)',
        '✓ send[0] click #send (N ms)',
        `✓ capture.request takes POST ${web.origin}/api/chat`,
        `· the gateway sends it: POST ${web.origin}/api/chat`,
        '✓ the answer begins: status 200, text/event-stream; charset=utf-8 (N ms)',
        '✓ capture.answer.content[0]: 2 of 5 records',
        '✓ capture.answer.reasoning[0]: 1 of 5 records',
        '· capture.answer.usage: no record',
        '✓ capture.answer.done[0]: 1 of 5 records',
        '· capture.answer.error[0]: no record',
        '· no rule takes the record “{"type":"start","conversation_id":"…","seq":0}”',
        '✓ reasoning, 3 characters: “Hm.”',
        '✓ answer, 12 characters: “Hello there.”',
        '✓ done (stop): the first piece after N ms, all after N ms',
        '✓ a second prompt of 74 characters, in a new chat: answered with N',
      ]),
    );
    expect(await readdir(folder)).toEqual([]);
    expect(lines.join('\n')).not.toContain(web.account().credentials.password);
  });

  it('attaches an image where the recipe takes images', async () => {
    const images = { selector: '#attachment', attached: '.attached', most: 1 };
    const isGood = await check((recipe) => ({ ...recipe, prompt: { ...recipe.prompt, images } }), {
      prompt: '[[echo]]',
    });
    expect(isGood).toBe(true);
    expect(lines).toContain('✓ prompt.images #attachment: 1 attached');
    expect(lines.join('\n')).toContain('image-1.png: image/png');
  });

  it('names the step that fails, and keeps a screenshot of its page', async () => {
    const isGood = await check((recipe) => ({
      ...recipe,
      login: {
        ...recipe.login,
        steps: recipe.login.steps.map((step, i) =>
          i === 3 ? { ...step, selector: '#sign-in', timeoutMs: 500 } : step,
        ),
      },
    }));
    expect(isGood).toBe(false);
    const screenshot = join(folder, 'sandbox-failed.png');
    expect(timeless(lines.slice(-5))).toEqual([
      '✗ login.steps[3] click #sign-in (N ms)',
      '  error: click #sign-in: not done in time.',
      '  sign: signs.loginWall.page[0]',
      `  page: ${web.origin}/login “Log in · Sandbox”`,
      `  screenshot: ${screenshot}`,
    ]);
    expect((await readFile(screenshot)).subarray(1, 4).toString()).toBe('PNG');
  });

  it('says that the login was refused', async () => {
    const { user = '' } = web.account().credentials;
    expect(await check((recipe) => recipe, { credentials: { user, password: 'wrong' } })).toBe(false);
    expect(timeless(lines.slice(-5, -1))).toEqual([
      '✗ login.failure (N ms)',
      '  error: The site does not accept the login.',
      '  sign: signs.loginWall.page[0]',
      `  page: ${web.origin}/login “Log in · Sandbox”`,
    ]);
  });

  it('shows which requests the capture rule does not take', async () => {
    const isGood = await check(
      (recipe) => ({
        ...recipe,
        capture: {
          ...(recipe.capture as NetworkRules),
          request: { url: '{{site.origin}}/api/chat', method: 'PUT' },
        },
      }),
      { settings: { ...web.settings, UPSTREAM_FIRST_BYTE_MS: 5000 } },
    );
    expect(isGood).toBe(false);
    expect(lines).toContain(
      `· no capture rule takes POST ${web.origin}/api/chat: capture.request.method is PUT`,
    );
    expect(timeless(lines)).toContain('✗ capture.request (N ms)');
  });

  it('names the sign that a refusal shows', async () => {
    expect(await check((recipe) => recipe, { prompt: '[[status:429:retry-after=7]]' })).toBe(false);
    expect(timeless(lines)).toEqual(
      expect.arrayContaining([
        '✗ capture.answer (N ms)',
        '  error: The upstream limits this account.',
        '  sign: signs.rateLimit.response[0]',
      ]),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^· no answer by its head: status 429,/));
    expect(lines.filter((line) => line.startsWith('✓ the answer'))).toEqual([]);
  });

  it('names what it kept the page from', async () => {
    const timeoutMs = 1000 * Math.ceil(await browserPace.factor());
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<title>Elsewhere</title><script>fetch("http://127.0.0.1:9/api?token=s3cret-s3cret")</script>',
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const isGood = await check((recipe) => ({
        ...recipe,
        allowedOrigins: [origin],
        newChat: { ...recipe.newChat, url: `${origin}/`, timeoutMs },
      }));
      expect(isGood).toBe(false);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    expect(lines).toContain('· kept from http://127.0.0.1:9/api?token=…: not in allowedOrigins');
    expect(timeless(lines)).toContain('✗ newChat.ready (N ms)');
    expect(lines.join('\n')).not.toContain('s3cret');
  });
});
