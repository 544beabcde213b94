import { type ElementHandle } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { type PromptImage } from '../../upstream-driver.js';
import {
  attachFiles,
  type InputExcerpt,
  type PageFile,
  pasteText,
  readExcerpt,
  setValue,
} from '../page/page-functions.js';
import { type PageGuard } from '../page/page-guard.js';
import { untilTrue } from '../page/until-found.js';
import { type SiteRecipe } from '../recipe/site-recipe.js';

const EXCERPT_LENGTH = 64;
/** Slate, the slowest of the editors, looks at the selection ten times a second. */
const SELECTION_MS = 120;
/** Within which an editor shows what was put into it. */
const SHOW_MS = 1000;

/** What is entered into a page for one prompt. */
export interface EnteredPrompt {
  readonly text: string;
  readonly images: readonly PromptImage[];
}

/** Enters a prompt into the page as one change: typing a megabyte would take minutes. */
export class PromptInput {
  /** Text put into the input: the prompt, its placeholder, or the text that goes with an attached prompt. */
  readonly text: string;
  private isAttached = false;

  constructor(
    private readonly guard: PageGuard,
    private readonly rules: SiteRecipe['prompt'],
    private readonly prompt: EnteredPrompt,
    /** Put in instead of the prompt; undefined puts in the prompt itself. */
    placeholder: string | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.text = this.attachment?.text ?? placeholder ?? prompt.text;
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
    await this.put(input);
    const { guard, signal } = this;
    if (!(await untilTrue(() => this.holdsText(input), guard, SHOW_MS, signal))) {
      throw new UnavailableError('prompt_refused', 'The page does not keep the text entered into its input.');
    }
  }

  /** Whether the input holds the text now; false if there is no input any more. */
  async isFilled(): Promise<boolean> {
    const input = await this.run(this.guard.page.$(this.rules.input), 'look at the prompt');
    return input !== null && this.holdsText(input as ElementHandle);
  }

  /** Pastes into editors, whose text is not what their elements hold, unless the recipe fills them. */
  private async put(input: ElementHandle): Promise<void> {
    const what = 'fill the prompt';
    const isPasted =
      this.rules.method !== 'fill' &&
      (await this.run(input.evaluate(pasteText, this.text, SELECTION_MS), what));
    if (!isPasted) {
      await this.run(input.evaluate(setValue, this.text), what);
    }
  }

  private get attachment(): SiteRecipe['prompt']['attachment'] {
    const { attachment } = this.rules;
    return attachment && this.prompt.text.length > attachment.above ? attachment : undefined;
  }

  /** Attaches a prompt that is too long for the input, and its images; once, since a site may take the same files twice. */
  private async attach(): Promise<void> {
    if (this.isAttached) {
      return;
    }
    for (const [selector, files] of this.filesByInput()) {
      const input = await this.element(selector, false);
      await this.run(input.evaluate(attachFiles, files), `attach files to ${selector}`);
    }
    const { attachment, rules, prompt } = this;
    if (attachment?.ready) {
      await this.element(attachment.ready, true);
    }
    if (rules.images?.attached && prompt.images.length > 0) {
      await this.untilTaken(rules.images.attached, prompt.images.length);
    }
    this.isAttached = true;
  }

  /** Files of one input go in together: a site may drop the first when others come. */
  private filesByInput(): ReadonlyMap<string, PageFile[]> {
    const { attachment, rules, prompt } = this;
    const files = new Map<string, PageFile[]>();
    if (attachment) {
      files.set(attachment.selector, [{ name: attachment.fileName, type: 'text/plain', text: prompt.text }]);
    }
    if (rules.images && prompt.images.length > 0) {
      const { selector } = rules.images;
      const images = prompt.images.map((image, index) => ({ ...image, name: imageName(index, image) }));
      files.set(selector, [...(files.get(selector) ?? []), ...images]);
    }
    return files;
  }

  /** Waits until the page shows as many images as were attached. */
  private async untilTaken(selector: string, count: number): Promise<void> {
    const { guard, rules, signal } = this;
    const look = async (): Promise<boolean> =>
      (await this.run(guard.page.$$(selector), `find ${selector}`)).length >= count;
    if (!(await untilTrue(look, guard, rules.timeoutMs, signal))) {
      throw new UnavailableError('prompt_refused', 'The page does not accept the attached images.');
    }
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

/** E.g. `image-1.png`, after the prompt's name of it. */
function imageName(index: number, { type }: PromptImage): string {
  const [, extension = ''] = /^image\/([a-z0-9]+)/.exec(type) ?? [];
  return `image-${index + 1}.${extension}`;
}
