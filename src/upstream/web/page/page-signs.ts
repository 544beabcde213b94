import { type ElementHandle } from 'puppeteer';
import { type UpstreamError } from '../../upstream.errors.js';
import { type PageSign, type Signs } from '../recipe/recipe-signs.js';
import { fillTemplate, type TemplateValues } from '../recipe/recipe-template.js';
import { SIGN_NAMES, signError } from '../recipe/refusal.js';
import { resetAfterMs } from '../recipe/reset-time.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { type PageGuard } from './page-guard.js';

/** For a page on a machine whose processors are all taken; a frozen one is found out by a ping before. */
const LOOK_TIMEOUT_MS = 10_000;

/** Finds the recipe's signs (limits, login wall, challenge …) on a page. */
export class PageSigns {
  constructor(
    private readonly guard: PageGuard,
    private readonly signs: Signs,
    private readonly values: TemplateValues,
    /** Wall-clock ms. */
    private readonly now: () => number,
  ) {}

  /** Whether one of the signs shows now. */
  async shows(signs: readonly PageSign[]): Promise<boolean> {
    for (const sign of signs) {
      if (sign.url !== undefined && compileUrlPattern(this.fill(sign.url))(this.guard.page.url())) {
        return true;
      }
      if (sign.selector !== undefined && (await this.visible(sign.selector))) {
        return true;
      }
    }
    return false;
  }

  isBlocked(): Promise<boolean> {
    return this.shows(this.signs.blocked.page);
  }

  isLoginWall(): Promise<boolean> {
    return this.shows(this.signs.loginWall.page);
  }

  /** The error that a sign on the page stands for; undefined if none shows now. */
  async error(): Promise<UpstreamError | undefined> {
    for (const name of SIGN_NAMES) {
      if (await this.shows(this.signs[name].page)) {
        return signError(name, name === 'rateLimit' ? await this.resetTime() : undefined);
      }
    }
    return undefined;
  }

  private async visible(selector: string): Promise<ElementHandle | undefined> {
    const element = await this.run(this.guard.page.$(this.fill(selector)));
    return element && (await this.run(element.isVisible())) ? (element as ElementHandle) : undefined;
  }

  private async resetTime(): Promise<number | undefined> {
    for (const { selector, unit } of this.signs.rateLimit.reset) {
      const element = selector === undefined ? undefined : await this.visible(selector);
      if (element) {
        const text = await this.run(
          element.evaluate((node) => (node as { textContent: string }).textContent),
        );
        return resetAfterMs(text, unit, this.now());
      }
    }
    return undefined;
  }

  private run<T>(operation: Promise<T>): Promise<T> {
    return this.guard.run(operation, { timeoutMs: LOOK_TIMEOUT_MS, what: 'look for signs' });
  }

  private fill(template: string): string {
    return fillTemplate(template, this.values);
  }
}
