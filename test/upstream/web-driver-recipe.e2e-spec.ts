import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { loadRecipe } from '../../src/upstream/web/recipe/recipe-loader.js';
import { type RecipeStep } from '../../src/upstream/web/recipe/recipe-step.js';
import { type SiteRecipe } from '../../src/upstream/web/recipe/site-recipe.js';
import { WebDriver } from '../../src/upstream/web/web-driver.js';
import { type Answer, ask, WebSite } from '../support/upstream/web-site.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

const never = new AbortController().signal;

describe('WebDriver, what a recipe can say', () => {
  let web: WebSite;

  beforeAll(async () => {
    web = await WebSite.start();
  });
  afterAll(() => web.close());

  async function answerOf(driver: WebDriver): Promise<Answer> {
    const session = await driver.open(web.account(), never);
    try {
      return await ask(session, '[[say:Hello.]]');
    } finally {
      await session.close();
    }
  }

  describe('a step on an element that is not visible', () => {
    const withClick = (hidden: boolean): ((recipe: SiteRecipe) => SiteRecipe) => {
      const click: RecipeStep = {
        action: 'click',
        // In a dialog that was closed before.
        selector: '#welcome-close',
        hidden,
        optional: false,
        timeoutMs: hidden ? PATIENCE_MS : 1000,
      };
      return (recipe) => ({ ...recipe, model: [click] });
    };

    it('is done when the recipe says so', async () => {
      expect(await answerOf(web.driver(withClick(true)))).toMatchObject({ text: 'Hello.', error: undefined });
    });

    it('fails by its name otherwise', async () => {
      const { error } = await answerOf(web.driver(withClick(false)));
      expect(error).toMatchObject({
        fault: 'page_timeout',
        message: 'click #welcome-close: not done in time.',
      });
    });
  });

  it('names its own origin', async () => {
    const recipe = { ...(await loadRecipe('recipes/sandbox.json', ['site.origin'])), origin: web.origin };
    const driver = new WebDriver({
      recipe,
      settings: web.settings,
      clock: new SystemClock(),
      log: () => undefined,
    });
    try {
      expect(await answerOf(driver)).toMatchObject({ text: 'Hello.', error: undefined });
    } finally {
      await driver.close();
    }
  });
});
