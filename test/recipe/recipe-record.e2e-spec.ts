import { afterEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { type SandboxFeatures } from '../../src/sandbox/state/sandbox-features.js';
import { parseRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { type RecipeDraft } from '../../tools/recipe/record/recipe-draft.js';
import { RecipeRecord } from '../../tools/recipe/record/recipe-record.js';
import { ask, WebSite } from '../support/upstream/web-site.js';

const never = new AbortController().signal;

describe('RecipeRecord', () => {
  let web: WebSite | undefined;
  const lines: string[] = [];

  afterEach(async () => {
    await web?.close();
    lines.length = 0;
  });

  async function record(
    features: Partial<SandboxFeatures>,
    credentials?: Record<string, string>,
  ): Promise<RecipeDraft> {
    web = await WebSite.start({ features });
    return new RecipeRecord({
      url: web.origin,
      credentials: credentials ?? web.account().credentials,
      prompt: 'Say hello in one short sentence.',
      settings: web.settings,
      clock: new SystemClock(),
      print: (line) => lines.push(line),
      signal: never,
    }).run();
  }

  it.each<Partial<SandboxFeatures>>([
    { welcome: true, hydrationMs: 500 },
    { transport: 'worker' },
    { transport: 'eventsource', beforeUnload: true },
    { transport: 'websocket' },
  ])('writes a recipe that a driver can use, of a site with %j', async (features) => {
    const { recipe, notes } = await record(features);
    expect(notes).toContain('login.failure: add the message that the site shows when the password is wrong.');
    const session = await web?.driver(() => parseRecipe(recipe, 'draft')).open(web.account(1), never);
    try {
      const answer = session && (await ask(session, '[[think:Hm.]][[say:Hello there.]]'));
      expect(answer).toMatchObject({ text: 'Hello there.', reasoning: 'Hm.', error: undefined });
      expect(answer?.events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
    } finally {
      await session?.close();
    }
    expect([...lines, JSON.stringify(recipe)].join('\n')).not.toContain(web?.account().credentials.password);
  });

  it('needs an account where the site asks for a login', async () => {
    await expect(record({}, {})).rejects.toMatchObject({
      name: 'RobotError',
      message: 'The site asks for a login: give --user and --password.',
    });
  });

  it('leaves the rest to a person where there is a display, and has nothing to write if that does nothing', async () => {
    web = await WebSite.start();
    const recording = new RecipeRecord({
      url: web.origin,
      credentials: {},
      prompt: '',
      // The headless browser of the tests asks for none.
      display: {},
      whenDone: Promise.resolve(),
      settings: web.settings,
      clock: new SystemClock(),
      print: (line) => lines.push(line),
      signal: never,
    });
    await expect(recording.run()).rejects.toMatchObject({ name: 'NothingRecordedError' });
    expect(lines[0]).toBe(`✓ opened ${web.origin}/login`);
  });
});
