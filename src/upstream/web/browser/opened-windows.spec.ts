import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type CDPSession } from 'puppeteer';
import { OpenedWindows } from './opened-windows.js';

/** A browser that reports its targets, and ends one some time after it was asked to. */
class FakeSession extends EventEmitter {
  readonly asked: string[] = [];

  async send(_method: string, { targetId }: { targetId: string }): Promise<void> {
    this.asked.push(targetId);
  }

  create(targetId: string, openerId?: string): void {
    this.emit('Target.targetCreated', { targetInfo: { targetId, openerId } });
  }

  destroy(...targetIds: string[]): void {
    targetIds.forEach((targetId) => this.emit('Target.targetDestroyed', { targetId }));
  }
}

function openPage(
  gone = new AbortController().signal,
  keepsWindows = true,
): { session: FakeSession; windows: OpenedWindows } {
  const session = new FakeSession();
  return {
    session,
    windows: new OpenedWindows(session as unknown as CDPSession, gone, 'page', keepsWindows),
  };
}

async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe('OpenedWindows', () => {
  it('closes the page with its windows and theirs, and no others', () => {
    const { session, windows } = openPage();
    session.create('a', 'page');
    session.create('b', 'a');
    session.create('other');
    session.create('c', 'other');
    void windows.close();
    expect(session.asked).toEqual(['page', 'a', 'b']);
  });

  it('closes each window at once if it keeps none', () => {
    const { session } = openPage(undefined, false);
    session.create('a', 'page');
    session.create('other');
    session.create('b', 'a');
    expect(session.asked).toEqual(['a', 'b']);
  });

  it('knows the windows of a window that is closed by now', () => {
    const { session, windows } = openPage();
    session.create('a', 'page');
    session.destroy('a');
    session.create('b', 'a');
    void windows.close();
    expect(session.asked).toEqual(['page', 'b']);
  });

  it('closes a window that turns up after the page was closed, and waits for its end', async () => {
    const { session, windows } = openPage();
    session.create('a', 'page');
    const closed = windows.close();
    session.destroy('page');
    session.create('late', 'page');
    expect(session.asked).toEqual(['page', 'a', 'late']);
    session.destroy('a');
    expect(await isSettled(closed)).toBe(false);
    session.destroy('late');
    await closed;
  });

  it('closes the windows of a page that closed itself', async () => {
    const { session, windows } = openPage();
    session.create('a', 'page');
    session.destroy('page');
    const closed = windows.close();
    expect(session.asked).toEqual(['a']);
    session.destroy('a');
    await closed;
  });

  it('listens no more when nothing is left, and asks for each end once', async () => {
    const { session, windows } = openPage();
    session.create('a', 'page');
    const closed = [windows.close(), windows.close()];
    session.destroy('a', 'page');
    await Promise.all(closed);
    expect(session.asked).toEqual(['page', 'a']);
    expect(session.eventNames()).toEqual([]);
  });

  it('waits no longer once the browser is gone', async () => {
    const browser = new AbortController();
    const { session, windows } = openPage(browser.signal);
    const closed = windows.close();
    browser.abort();
    await closed;
    expect(session.eventNames()).toEqual([]);
  });
});
