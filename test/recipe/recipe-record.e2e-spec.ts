import { describe, expect } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { type SandboxFeatures } from '../../src/sandbox/state/sandbox-features.js';
import { parseRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { RecipeRecord, type RecipeRecordOptions } from '../../tools/recipe/record/recipe-record.js';
import { OddSite } from '../support/upstream/odd-site.js';
import { ask, WebSite } from '../support/upstream/web-site.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';

const never = new AbortController().signal;

/** Each test has a site and browsers of its own, and they run at once: they wait for pages most of the time. */
describe('RecipeRecord', () => {
  const atOnce = new TestsAtOnce();

  function recording(web: WebSite, lines: string[], change: Partial<RecipeRecordOptions> = {}): RecipeRecord {
    return new RecipeRecord({
      url: web.origin,
      credentials: web.account().credentials,
      prompt: 'Say hello in one short sentence.',
      settings: web.settings,
      clock: new SystemClock(),
      print: (line) => lines.push(line),
      signal: never,
      ...change,
    });
  }

  atOnce.each<[Partial<SandboxFeatures>]>([
    [{ welcome: true, hydrationMs: 500 }],
    [{ transport: 'worker' }],
    [{ transport: 'eventsource', beforeUnload: true }],
    [{ transport: 'websocket' }],
  ])('writes a recipe that a driver can use, of a site with %j', async (features) => {
    await using web = await WebSite.start({ features });
    const lines: string[] = [];
    const { recipe, notes } = await recording(web, lines).run();
    expect(notes).toContain('login.failure: add the message that the site shows when the password is wrong.');
    const session = await web.driver(() => parseRecipe(recipe, 'draft')).open(web.account(1), never);
    try {
      const answer = await ask(session, '[[think:Hm.]][[say:Hello there.]]');
      expect(answer).toMatchObject({ text: 'Hello there.', reasoning: 'Hm.', error: undefined });
      expect(answer.events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
    } finally {
      await session.close();
    }
    expect([...lines, JSON.stringify(recipe)].join('\n')).not.toContain(web.account().credentials.password);
  });

  atOnce.it('needs an account where the site asks for a login', async () => {
    await using web = await WebSite.start();
    await expect(recording(web, [], { credentials: {} }).run()).rejects.toMatchObject({
      name: 'RobotError',
      message: 'The site asks for a login: give --user and --password.',
    });
  });

  atOnce.it(
    'takes the first field of a login form that is painted piece by piece for no prompt',
    async () => {
      const form = `<input aria-label="User"><script>
      setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<input type="password">'), 200);
    </script>`;
      await using web = await WebSite.start();
      await using odd = await OddSite.start({ routes: { '/': form } });
      await expect(recording(web, [], { url: odd.origin, credentials: {} }).run()).rejects.toMatchObject({
        message: 'The site asks for a login: give --user and --password.',
      });
    },
  );

  atOnce.it(
    'leaves the rest to a person where there is a display, and has nothing to write if that does nothing',
    async () => {
      await using web = await WebSite.start();
      const lines: string[] = [];
      const robot = recording(web, lines, {
        credentials: {},
        prompt: '',
        // The headless browser of the tests asks for none.
        display: {},
        whenDone: Promise.resolve(),
      });
      await expect(robot.run()).rejects.toMatchObject({ name: 'NothingRecordedError' });
      expect(lines[0]).toBe(`✓ opened ${web.origin}/login`);
    },
  );
});
