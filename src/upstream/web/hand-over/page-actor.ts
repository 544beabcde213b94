import { type CDPSession } from 'puppeteer';
import { type PageInput } from '../../../common/live-page/page-visitor.js';
import { type PageGuard } from '../page/page-guard.js';
import { mouseEvent, type VisitorMouse } from './visitor-mouse.js';

/** A page that opens or is busy answers late; what was to be done is then given up. */
const ACT_LIMIT_MS = 5000;
/** Longer texts are pasted in one piece. */
const MAX_TYPED_CHARS = 64;

/** Does in a page what a person does from afar, one thing after the other. What the page does not take is dropped. */
export class PageActor {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly guard: PageGuard,
    private readonly session: CDPSession,
  ) {}

  static async start(guard: PageGuard): Promise<PageActor> {
    const session = guard.page.createCDPSession();
    return new PageActor(
      guard,
      await guard.run(session, { timeoutMs: ACT_LIMIT_MS, what: 'reach the page' }),
    );
  }

  /** Resolves once all of it is done. Never rejects. */
  act(inputs: readonly PageInput[]): Promise<void> {
    const acting = this.last.then(async () => {
      for (const input of inputs) {
        await this.guard
          .run(this.perform(input), { timeoutMs: ACT_LIMIT_MS, what: 'act in the page' })
          .catch(() => undefined);
      }
    });
    this.last = acting;
    return acting;
  }

  private async perform(input: PageInput): Promise<void> {
    switch (input.type) {
      case 'text':
        return this.type(input.text);
      case 'key':
        return this.press(input);
      case 'move':
      case 'down':
      case 'up':
      case 'wheel':
        return this.point(input);
    }
  }

  /** Key by key, since fields for codes move on at each. */
  private async type(text: string): Promise<void> {
    const { keyboard } = this.guard.page;
    await (text.length <= MAX_TYPED_CHARS ? keyboard.type(text) : keyboard.sendCharacter(text));
  }

  private async press({ key, shift }: Extract<PageInput, { type: 'key' }>): Promise<void> {
    const { keyboard } = this.guard.page;
    if (!shift) {
      await keyboard.press(key);
      return;
    }
    await keyboard.down('Shift');
    await keyboard.press(key).finally(() => keyboard.up('Shift'));
  }

  private async point(input: VisitorMouse): Promise<void> {
    await this.session.send('Input.dispatchMouseEvent', mouseEvent(input));
  }
}
