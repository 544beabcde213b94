import { describe, expect, it } from '@jest/globals';
import { defaultAccounts, SandboxAccounts } from './sandbox-accounts.js';
import { SandboxSessions } from './sandbox-sessions.js';

/** Header `Cookie` of a browser that got this `Set-Cookie` value. */
function cookie(setCookie: string): string {
  return `other=1; ${setCookie.split(';', 1)[0]}; more=2`;
}

describe('SandboxSessions', () => {
  it('accepts its own logins, also after a restart with the same secret', () => {
    const issued = cookie(new SandboxSessions('secret').issue('anna.b:ü'));
    expect(new SandboxSessions('secret').read(issued)).toEqual({
      account: 'anna.b:ü',
      id: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(new SandboxSessions('other').read(issued)).toBeUndefined();
  });

  it('rejects a cookie with any character changed', () => {
    const sessions = new SandboxSessions('secret');
    const issued = cookie(sessions.issue('anna'));
    for (let at = issued.indexOf('=', 8) + 1; at < issued.length - '; more=2'.length; at++) {
      const changed = issued.slice(0, at) + (issued[at] === 'A' ? 'B' : 'A') + issued.slice(at + 1);
      expect(sessions.read(changed)).toBeUndefined();
    }
    for (const header of [
      undefined,
      '',
      'sandbox_session=',
      'sandbox_session=...',
      'sandbox_session=a.b.c.d',
    ]) {
      expect(sessions.read(header)).toBeUndefined();
    }
  });

  it('revokes one login, or all logins of an account', () => {
    const sessions = new SandboxSessions('secret');
    const [first, second, other] = ['anna', 'anna', 'ben'].map((name) => cookie(sessions.issue(name)));
    sessions.revoke(sessions.read(first)!);
    expect([first, second, other].map((each) => sessions.read(each)?.account)).toEqual([
      undefined,
      'anna',
      'ben',
    ]);
    sessions.revokeAll('anna');
    expect([second, other].map((each) => sessions.read(each)?.account)).toEqual([undefined, 'ben']);
    expect(sessions.read(cookie(sessions.issue('anna')))?.account).toBe('anna');
  });

  it('gives each login a CSRF token of its own', () => {
    const sessions = new SandboxSessions('secret');
    const [first, second] = [1, 2].map(() => sessions.read(cookie(sessions.issue('anna')))!);
    expect(sessions.isCsrfToken(first!, sessions.csrfToken(first!))).toBe(true);
    expect(sessions.isCsrfToken(first!, sessions.csrfToken(second!))).toBe(false);
    expect(sessions.isCsrfToken(first!, undefined)).toBe(false);
  });
});

describe('SandboxAccounts', () => {
  it('derives the same passwords from the same secret', () => {
    expect(defaultAccounts('a')).toEqual(defaultAccounts('a'));
    expect(
      new Set([...defaultAccounts('a'), ...defaultAccounts('b')].map(({ password }) => password)).size,
    ).toBe(6);
  });

  it('counts logins by their result', () => {
    const accounts = new SandboxAccounts([{ name: 'anna', password: 'pass' }]);
    expect(accounts.logIn('anna', 'pass')).toBe('ok');
    expect(accounts.logIn('anna', 'wrong')).toBe('wrong');
    expect(accounts.logIn('nobody', 'pass')).toBe('wrong');
    accounts.setLocked('anna', true);
    expect(accounts.logIn('anna', 'wrong')).toBe('wrong');
    expect(accounts.logIn('anna', 'pass')).toBe('locked');
    accounts.setLocked('anna', false);
    expect(accounts.logIn('anna', 'pass')).toBe('ok');
    expect(Object.fromEntries(accounts.logins)).toEqual({ anna: { ok: 2, wrong: 2, locked: 1 } });
  });

  it('blocks an account for a time, or until it is cleared', () => {
    const accounts = new SandboxAccounts([{ name: 'anna', password: 'pass' }]);
    accounts.block('anna', Infinity);
    expect(accounts.isBlocked('anna')).toBe(true);
    accounts.unblock('anna');
    expect(accounts.isBlocked('anna')).toBe(false);
    accounts.block('anna', 0);
    expect(accounts.isBlocked('anna')).toBe(false);
  });
});
