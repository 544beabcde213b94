import { type ElementHandle } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { attachFile, type InputExcerpt, pasteText, readExcerpt, setValue } from '../page/page-functions.js';
import { type PageGuard } from '../page/page-guard.js';
import { type SiteRecipe } from '../recipe/site-recipe.js';

const EXCERPT_LENGTH = 64;

/** Enters a prompt into the page as one change: typing a megabyte would take minutes. */
export class PromptInput {
  /** Text put into the input: the prompt, its placeholder, or the text that goes with an attached prompt. */
  readonly text: string;
  private isAttached = false;

  constructor(
    private readonly guard: PageGuard,
    private readonly rules: SiteRecipe['prompt'],
    private readonly prompt: string,
    /** Put in instead of the prompt; undefined puts in the prompt itself. */
    placeholder: string | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.text = this.attachment?.text ?? placeholder ?? prompt;
  }

  /** Whether the prompt is attached as a file instead of entered as text. */
  get isAttachment(): boolean {
    return this.attachment !== undefined;
  }

  /** Enters the text unless the input holds it; pages that hydrate late wipe earlier input. */
  async ensure(): Promise<void> {
    await this.attach();
    const input = await this.element(this.rules.input, true);
    if (await this.holdsText(input)) {
      return;
    }
    const put = this.rules.method === 'paste' ? pasteText : setValue;
    await this.run(input.evaluate(put, this.text), 'fill the prompt');
    if (!(await this.holdsText(input))) {
      throw new UnavailableError('prompt_refused', 'The page does not keep what is put into its input.');
    }
  }

  /** Whether the input holds the text now; false if there is no input any more. */
  async isFilled(): Promise<boolean> {
    const input = await this.run(this.guard.page.$(this.rules.input), 'look at the prompt');
    return input !== null && this.holdsText(input as ElementHandle);
  }

  private get attachment(): SiteRecipe['prompt']['attachment'] {
    const { attachment } = this.rules;
    return attachment && this.prompt.length > attachment.above ? attachment : undefined;
  }

  private async attach(): Promise<void> {
    const { attachment } = this;
    if (!attachment || this.isAttached) {
      return;
    }
    const input = await this.element(attachment.selector, false);
    await this.run(input.evaluate(attachFile, this.prompt, attachment.fileName), 'attach the prompt');
    if (attachment.ready) {
      await this.element(attachment.ready, true);
    }
    this.isAttached = true;
  }

  private async holdsText(input: ElementHandle): Promise<boolean> {
    const held = await this.run(input.evaluate(readExcerpt, EXCERPT_LENGTH), 'read the prompt back');
    const wanted = excerpt(this.text);
    return held.head === wanted.head && held.tail === wanted.tail;
  }

  private async element(selector: string, visible: boolean): Promise<ElementHandle> {
    const { signal } = this;
    const found = await this.run(
      this.guard.page.waitForSelector(selector, { visible, timeout: this.rules.timeoutMs, signal }),
      `find ${selector}`,
    );
    if (!found) {
      throw new UnavailableError('page_failed', `${selector} is not there.`);
    }
    return found as ElementHandle;
  }

  private run<T>(operation: Promise<T>, what: string): Promise<T> {
    return this.guard.run(operation, { timeoutMs: this.rules.timeoutMs, signal: this.signal, what });
  }
}

function excerpt(text: string): InputExcerpt {
  return readExcerpt({ value: text }, EXCERPT_LENGTH);
}
