import { setTimeout as pause } from 'node:timers/promises';
import { type ElementHandle, type Page } from 'puppeteer';
import { findByRoleScript, type PageRole } from './page/find-by-role.js';

const POLL_MS = 100;
const APPEAR_MS = 20_000;
const SENT_MS = 3000;
const PAINTED_MS = 1000;
const MAX_COVERS = 5;

/** The robot cannot go on without a person. */
export class RobotError extends Error {
  override name = 'RobotError';
}

/** Logs in and sends a prompt on an unknown site, guided by the looks of its elements. */
export class SiteRobot {
  constructor(
    private readonly page: Page,
    private readonly signal: AbortSignal,
    private readonly print: (line: string) => void,
  ) {}

  /** Logs in, if the site asks for that. Rejects with RobotError. */
  async logIn({ user, password }: Readonly<Record<string, string>>): Promise<void> {
    let found = await this.first(['password', 'prompt']);
    if (found.role === 'prompt') {
      // A form that is painted piece by piece may have shown its first field only.
      await pause(PAINTED_MS, undefined, { signal: this.signal });
      found = await this.first(['password', 'prompt']);
    }
    if (found.role === 'prompt') {
      this.print('· no login is asked for');
      return;
    }
    if (password === undefined) {
      throw new RobotError('The site asks for a login: give --user and --password.');
    }
    const userField = await this.find('user');
    if (userField && user !== undefined) {
      await this.type(userField, user);
    }
    await this.type(found.element, password);
    await this.press('logIn', found.element);
    await this.until(
      async () => (await this.find('password')) === undefined,
      'The login form does not go away',
    );
    this.print('✓ the login form was sent');
  }

  /** Sends a prompt. Rejects with RobotError if none goes out. */
  async ask(prompt: string, isSent: () => boolean): Promise<void> {
    // A page that hydrates late wipes earlier input or covers it, and the first button found may be a wrong one.
    for (const way of ['send', 'send', 'enter', 'send'] as const) {
      await this.first(['prompt']);
      await this.uncover();
      const { element } = await this.first(['prompt']);
      await this.type(element, prompt);
      await (way === 'send' ? this.press('send', element) : element.press('Enter'));
      if (await this.sent(isSent)) {
        this.print('✓ the prompt was sent');
        return;
      }
    }
    throw new RobotError('No request went out with the prompt in it.');
  }

  private async uncover(): Promise<void> {
    for (let covers = 0; covers < MAX_COVERS; covers++) {
      const cover = await this.find('cover');
      if (!cover) {
        return;
      }
      await cover.click();
      this.print('✓ closed what covered the prompt box');
    }
  }

  private async type(element: ElementHandle, text: string): Promise<void> {
    await element.click({ count: 3 });
    await this.page.keyboard.press('Backspace');
    await element.type(text);
  }

  /** Clicks the button of that role, or presses Enter where there is none. */
  private async press(role: PageRole, field: ElementHandle): Promise<void> {
    const button = await this.find(role);
    await (button ? button.click() : field.press('Enter'));
  }

  private async sent(isSent: () => boolean): Promise<boolean> {
    const deadline = AbortSignal.any([this.signal, AbortSignal.timeout(SENT_MS)]);
    while (!isSent() && !deadline.aborted) {
      await pause(POLL_MS);
    }
    this.signal.throwIfAborted();
    return isSent();
  }

  private async first(roles: readonly PageRole[]): Promise<{ role: PageRole; element: ElementHandle }> {
    let found: { role: PageRole; element: ElementHandle } | undefined;
    await this.until(
      async () => {
        for (const role of roles) {
          const element = await this.find(role);
          found ??= element && { role, element };
        }
        return found !== undefined;
      },
      `There is no ${roles.join(' and no ')} field`,
    );
    if (!found) {
      throw new RobotError(`There is no ${roles.join(' and no ')} field.`);
    }
    return found;
  }

  private async until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
    const deadline = AbortSignal.any([this.signal, AbortSignal.timeout(APPEAR_MS)]);
    while (!(await holds())) {
      if (deadline.aborted) {
        this.signal.throwIfAborted();
        throw new RobotError(`${otherwise} within ${APPEAR_MS / 1000} s.`);
      }
      await pause(POLL_MS);
    }
  }

  /** Undefined also while the page navigates. */
  private async find(role: PageRole): Promise<ElementHandle | undefined> {
    const handle = await this.page.evaluateHandle(findByRoleScript(role)).catch(() => undefined);
    return (handle?.asElement() as ElementHandle | null | undefined) ?? undefined;
  }
}
