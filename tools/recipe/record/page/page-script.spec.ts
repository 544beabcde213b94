import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { ACTION_SCRIPT } from './action-report.js';
import { findByRoleScript, type PageRole } from './find-by-role.js';
import { anyOf, pageScript } from './page-script.js';

declare const PREFIX: string;
declare const VOWELS: RegExp;

function greet(name: string): string {
  return PREFIX + mark(name);
}

function mark(name: string): string {
  return VOWELS.test(name) ? name : `${name}?`;
}

describe('pageScript', () => {
  it('makes an expression that needs nothing from outside', () => {
    const constants = { PREFIX: 'Hello "', VOWELS: anyOf(['a', 'e\\b']) };
    expect(runInNewContext(pageScript([greet, mark], constants, 'Ada'))).toBe('Hello "Ada');
    expect(runInNewContext(pageScript([greet, mark], constants, 'Bo'))).toBe('Hello "Bo?');
  });
});

describe('anyOf', () => {
  it('matches each pattern in any case, and nothing else', () => {
    const words = anyOf(['log ?-?in', 'next']);
    expect(['Log in', 'LOG-IN', 'Go next'].every((text) => words.test(text))).toBe(true);
    expect(words.test('logout')).toBe(false);
  });
});

/** An element of which every question has an answer, so that each function of a script is run. */
function fakeElement(tagName: string): object {
  const element = {
    tagName,
    id: 'x',
    type: tagName === 'BUTTON' ? 'submit' : 'password',
    innerText: '',
    textContent: '',
    isContentEditable: false,
    children: [],
    parentElement: null,
    getAttribute: () => 'name',
    closest: () => element,
    contains: () => false,
    compareDocumentPosition: () => 4,
    getRootNode: () => ({
      querySelectorAll: (selector: string) => (selector === 'select' ? [] : [element]),
      elementFromPoint: () => fakeElement('DIV'),
    }),
    querySelectorAll: () => [element],
    getBoundingClientRect: () => ({ x: 0, y: 0, width: 100, height: 20 }),
    checkVisibility: () => true,
  };
  return element;
}

describe('findByRoleScript', () => {
  const document = {
    querySelectorAll: (selector: string) => [
      fakeElement(selector.startsWith('button') ? 'BUTTON' : 'TEXTAREA'),
    ],
    elementFromPoint: () => fakeElement('DIV'),
  };

  it.each<PageRole>(['user', 'password', 'logIn', 'prompt', 'send', 'cover'])(
    'holds all that it calls to find %s',
    (role) => {
      expect(() => void runInNewContext(findByRoleScript(role), { document })).not.toThrow();
    },
  );
});

describe('ACTION_SCRIPT', () => {
  const field = { ...fakeElement('INPUT'), closest: () => null };

  function run(isFrame: boolean): { listeners: Record<string, (event: object) => void>; reports: unknown[] } {
    const listeners: Record<string, (event: object) => void> = {};
    const reports: unknown[] = [];
    const page = {
      document: { querySelectorAll: (selector: string) => (selector === 'select' ? [] : [field]) },
      location: { href: 'http://site.example/' },
      CSS: { escape: (text: string) => text },
      window: {},
      addEventListener: (type: string, listener: (event: object) => void) => (listeners[type] = listener),
      reportAction: (report: string) => reports.push(JSON.parse(report)),
    };
    runInNewContext(`${isFrame ? '' : 'window.top = globalThis;'} ${ACTION_SCRIPT}`, page);
    return { listeners, reports };
  }

  it('reports what a person does', () => {
    const { listeners, reports } = run(false);
    const event = { isTrusted: true, key: 'Enter', composedPath: () => [field] };
    ['input', 'click', 'keydown'].forEach((type) => listeners[type]?.(event));
    const common = { selector: '#x', url: 'http://site.example/', isInDialog: false };
    expect(reports).toEqual([
      { kind: 'input', field: 'password', ...common },
      { kind: 'click', ...common },
      { kind: 'enter', ...common },
    ]);
  });

  it('leaves out what scripts of the page do, and line breaks', () => {
    const { listeners, reports } = run(false);
    const composedPath = (): unknown[] => [field];
    listeners.click?.({ isTrusted: false, composedPath });
    listeners.keydown?.({ isTrusted: true, key: 'Enter', shiftKey: true, composedPath });
    listeners.keydown?.({ isTrusted: true, key: 'a', composedPath });
    expect(reports).toEqual([]);
  });

  it('does nothing in a frame', () => {
    expect(run(true).listeners).toEqual({});
  });
});
