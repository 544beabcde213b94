import { type JSHandle, type Page } from 'puppeteer';
import { PATIENCE_MS } from '../watch/eventually.js';
import { click, inPage, seeText } from './dashboard-browser.js';

/** Most presses of Tab that a person can be expected to make. */
const MOST_TABS = 400;
const CONTROL = 'a[href], button, summary, input, select, textarea';

/** Members of an element that are used within the page. */
interface PageElement {
  readonly isConnected: boolean;
  readonly ownerDocument: { readonly activeElement: object | null };
  closest(selector: string): object | null;
}

/** Input device of a person. */
export type Hand = 'mouse' | 'keyboard';

/** Operates a page as a person does, with the mouse or by keyboard alone, and counts what it takes. */
export class Person {
  /** Clicks, or controls that were operated by keyboard. Opening a list and choosing from it are two. */
  clicks = 0;

  constructor(
    readonly page: Page,
    private readonly hand: Hand,
  ) {}

  /** Operates the first visible control that matches, or that shows a text within what matches. */
  async press(selector: string, text?: string): Promise<void> {
    this.clicks++;
    const wanted = text === undefined ? selector : `${selector} ::-p-text(${text})`;
    if (this.hand === 'mouse') {
      await click(this.page, wanted);
      return;
    }
    await this.tabTo(wanted);
    await this.page.keyboard.press('Enter');
  }

  /** The same with a control that leads to another page, which is then waited for. */
  async follow(selector: string, text?: string): Promise<void> {
    await Promise.all([this.page.waitForNavigation({ timeout: PATIENCE_MS }), this.press(selector, text)]);
  }

  /** Types into a field in place of what it holds; costs no click if it has the focus already. */
  async type(selector: string, text: string): Promise<void> {
    const field = await this.find(selector);
    if (!(await hasFocus(field))) {
      if (this.hand === 'mouse') {
        this.clicks++;
        await click(this.page, selector);
      } else {
        await this.tabTo(selector);
      }
    }
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('a');
    await this.page.keyboard.up('Control');
    await this.page.keyboard.type(text);
  }

  /** Presses a key. */
  key(key: 'Tab' | 'Enter' | 'Escape' | '/'): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Chooses from a list by its text. */
  async choose(selector: string, text: string): Promise<void> {
    this.clicks += 2;
    if (this.hand === 'mouse') {
      // The opened list is no part of the page.
      const value = await inPage<string>(
        this.page,
        `[...document.querySelector(${JSON.stringify(selector)}).options].find((option) => option.text === ${JSON.stringify(text)}).value`,
      );
      await this.page.select(selector, value);
      return;
    }
    await this.tabTo(selector);
    await this.arrowTo(selector, text);
  }

  /** Waits until a text can be read. */
  sees(selector: string, text: string): Promise<void> {
    return seeText(this.page, selector, text);
  }

  private async tabTo(selector: string): Promise<void> {
    let target = await this.find(selector);
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if (await hasFocus(target)) {
        return;
      }
      if (!(await target.evaluate(({ isConnected }) => isConnected))) {
        target = await this.find(selector);
      }
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${selector}.`);
  }

  /** By arrows: of a text that is typed, a browser that is too busy takes the end for a new one. */
  private async arrowTo(selector: string, text: string): Promise<void> {
    const list = `document.querySelector(${JSON.stringify(selector)})`;
    const offset = `[...${list}.options].findIndex((option) => option.text === ${JSON.stringify(text)}) - ${list}.selectedIndex`;
    const most = await inPage<number>(this.page, `${list}.options.length`);
    for (let presses = 0; presses <= most; presses++) {
      const left = await inPage<number>(this.page, offset);
      if (left === 0) {
        return;
      }
      await this.page.keyboard.press(left > 0 ? 'ArrowDown' : 'ArrowUp');
    }
    throw new Error(`The arrow keys do not lead to ${text} in ${selector}.`);
  }

  private async find(selector: string): Promise<JSHandle<PageElement>> {
    const found: unknown = await this.page.locator(selector).setTimeout(PATIENCE_MS).waitHandle();
    return found as JSHandle<PageElement>;
  }
}

/** Whether the control that an element stands for has the focus. */
function hasFocus(element: JSHandle<PageElement>): Promise<boolean> {
  return element.evaluate(
    (node, control) => node.closest(control) === node.ownerDocument.activeElement,
    CONTROL,
  );
}
