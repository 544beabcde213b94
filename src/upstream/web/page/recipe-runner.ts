import { type ElementHandle } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { fillRequest } from '../recipe/recipe-request.js';
import { type RecipeStep } from '../recipe/recipe-step.js';
import { fillTemplate, type TemplateValues } from '../recipe/recipe-template.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { attachFiles, clickElement, selectOption, setValue } from './page-functions.js';
import { type PageGuard } from './page-guard.js';
import { type WorkbenchObserver } from './workbench-observer.js';

/** Runs steps of a recipe on one page, in order. */
export class RecipeRunner {
  constructor(
    private readonly guard: PageGuard,
    private readonly values: TemplateValues,
    private readonly signal?: AbortSignal,
    private readonly workbench?: WorkbenchObserver,
  ) {}

  /** Rejects with an UpstreamError that names the failed step, or with the caller's abort reason. */
  async run(steps: readonly RecipeStep[]): Promise<void> {
    for (const step of steps) {
      this.workbench?.stepStarted(step);
      try {
        const isDone = await this.runStep(step);
        this.workbench?.stepEnded(step, !isDone);
      } catch (error) {
        this.workbench?.stepFailed(step, error);
        throw error;
      }
    }
  }

  /** Waits until the element is visible. */
  private async find(selector: string, timeoutMs: number): Promise<ElementHandle> {
    return this.locate(this.fill(selector), timeoutMs, true);
  }

  /** False if the step was skipped: optional, and its element did not show. */
  private async runStep(step: RecipeStep): Promise<boolean> {
    const { guard, signal } = this;
    const limits = { timeoutMs: step.timeoutMs, signal, what: describeStep(step) };
    if (step.optional && step.action !== 'waitFor' && 'selector' in step && step.selector) {
      const element = await guard.run(guard.page.$(this.fill(step.selector)), limits);
      if (!element || (mustShow(step) && !(await guard.run(element.isVisible(), limits)))) {
        return false;
      }
    }
    try {
      await guard.run(this.perform(step), limits);
      return true;
    } catch (error) {
      const isMissing = error instanceof UnavailableError && error.fault === 'page_timeout';
      if (!(step.optional && isMissing)) {
        throw error;
      }
      return false;
    }
  }

  private async perform(step: RecipeStep): Promise<void> {
    const { page } = this.guard;
    const { timeoutMs } = step;
    switch (step.action) {
      case 'goto':
        await page.goto(this.fill(step.url), {
          waitUntil: 'domcontentloaded',
          timeout: timeoutMs,
          signal: this.signal,
        });
        return;
      case 'click':
        return this.click(step);
      case 'fill':
        return (await this.reach(step)).evaluate(setValue, this.fill(step.value));
      case 'press':
        if (step.selector) {
          await (await this.find(step.selector, timeoutMs)).focus();
        }
        return page.keyboard.press(step.key as Parameters<typeof page.keyboard.press>[0]);
      case 'waitFor':
        return this.waitFor(step);
      case 'select':
        return this.select(step);
      case 'upload': {
        // Sites hide file inputs behind buttons as a rule.
        const input = await this.locate(this.fill(step.selector), timeoutMs, false);
        const file = { name: step.fileName, type: 'text/plain', text: this.fill(step.value) };
        return input.evaluate(attachFiles, [file]);
      }
      case 'request':
        return this.request(step);
    }
  }

  private async click(step: Extract<RecipeStep, { action: 'click' }>): Promise<void> {
    const element = await this.reach(step);
    return step.hidden ? element.evaluate(clickElement) : element.click();
  }

  /** The element of a step, which must be visible unless the step says otherwise. */
  private reach(step: Extract<RecipeStep, { hidden: boolean }>): Promise<ElementHandle> {
    return this.locate(this.fill(step.selector), step.timeoutMs, !step.hidden);
  }

  private async locate(selector: string, timeout: number, visible: boolean): Promise<ElementHandle> {
    const found = await this.guard.page.waitForSelector(selector, { visible, timeout, signal: this.signal });
    if (!found) {
      throw new UnavailableError('page_failed', `${selector} is not there.`);
    }
    return found as ElementHandle;
  }

  private async select(step: Extract<RecipeStep, { action: 'select' }>): Promise<void> {
    const element = await this.reach(step);
    if (!(await element.evaluate(selectOption, this.fill(step.value)))) {
      throw new UnavailableError('option_missing', `There is no option ${step.value}.`);
    }
  }

  private async waitFor(step: Extract<RecipeStep, { action: 'waitFor' }>): Promise<void> {
    const { selector, gone, url, timeoutMs } = step;
    if (selector) {
      await this.guard.page.waitForSelector(this.fill(selector), {
        ...(gone ? { hidden: true } : { visible: true }),
        timeout: timeoutMs,
        signal: this.signal,
      });
    }
    if (url) {
      await this.waitForUrl(compileUrlPattern(this.fill(url)), timeoutMs);
    }
  }

  private async waitForUrl(matches: (url: string) => boolean, timeoutMs: number): Promise<void> {
    const { page } = this.guard;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (matches(page.url())) {
        resolve();
      }
    };
    page.on('framenavigated', look);
    look();
    try {
      await this.guard.run(promise, { timeoutMs, signal: this.signal, what: 'waitFor url' });
    } finally {
      page.off('framenavigated', look);
    }
  }

  private async request(step: Extract<RecipeStep, { action: 'request' }>): Promise<void> {
    const { url, ...init } = fillRequest(step, this.values);
    const status = await this.guard.page.evaluate(
      async (address: string, parts: object) => (await fetch(address, parts)).status,
      url,
      init,
    );
    if (status >= 400) {
      throw new UnavailableError('recipe_request_failed', `A request of the recipe got status ${status}.`);
    }
  }

  private fill(template: string): string {
    return fillTemplate(template, this.values);
  }
}

/** Whether the step needs a visible element. */
function mustShow(step: RecipeStep): boolean {
  return step.action !== 'upload' && !('hidden' in step && step.hidden);
}

/** Name of a step for messages; without its values, which may be passwords or prompts. */
export function describeStep(step: RecipeStep): string {
  switch (step.action) {
    case 'goto':
    case 'request':
      return `${step.action} ${step.url}`;
    case 'press':
      return `press ${step.key}`;
    case 'waitFor':
      return `waitFor ${step.selector ?? step.url ?? ''}`;
    case 'click':
    case 'fill':
    case 'select':
    case 'upload':
      return `${step.action} ${step.selector}`;
  }
}
