import { describe, expect, it } from '@jest/globals';
import { isLastingName, ownSelectors, pathStep } from './element-selector.js';
import { type PageElement } from './page-element.js';

Object.assign(globalThis, { CSS: { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') } });

function element(tagName: string, attributes: Record<string, string> = {}, more: object = {}): PageElement {
  return {
    tagName,
    id: attributes.id ?? '',
    isContentEditable: false,
    getAttribute: (name: string) => attributes[name] ?? null,
    ...more,
  } as PageElement;
}

describe('isLastingName', () => {
  it.each([
    ['send-button', true],
    ['message-173', true],
    ['message-17324', false],
    ['css-1a2b3c4d', false],
    [':r1:', false],
    ['radix-3', false],
    ['headlessui-menu-button-1', false],
    ['', false],
    ['x'.repeat(80), false],
  ])('%j: %j', (name, expected) => {
    expect(isLastingName(name)).toBe(expected);
  });
});

describe('ownSelectors', () => {
  it('names an element by its id, then by attributes that sites change the least', () => {
    const attributes = { id: 'a.b', type: 'submit', 'aria-label': 'Say "hi"', 'data-testid': 'send' };
    expect(ownSelectors(element('BUTTON', attributes))).toEqual([
      '#a\\.b',
      'button[data-testid="send"]',
      'button[aria-label="Say \\"hi\\""]',
      'button[type="submit"]',
    ]);
  });

  it('goes by names with a number last', () => {
    const attributes = { id: 'mat-input-0', name: 'c5', 'aria-label': 'Message' };
    expect(ownSelectors(element('TEXTAREA', attributes))).toEqual([
      'textarea[aria-label="Message"]',
      'textarea',
      '#mat-input-0',
      'textarea[name="c5"]',
    ]);
  });

  it('knows text areas, editable and custom elements by what they are', () => {
    expect(ownSelectors(element('CHAT-APP'))).toEqual(['chat-app']);
    expect(ownSelectors(element('TEXTAREA'))).toEqual(['textarea']);
    expect(ownSelectors(element('DIV', {}, { isContentEditable: true }))).toEqual([
      '[contenteditable="true"]',
    ]);
  });

  it('has none for an element whose names do not last', () => {
    expect(ownSelectors(element('DIV', { id: ':r1:', title: '20301231' }))).toEqual([]);
  });
});

describe('pathStep', () => {
  it('counts elements of one tag among their neighbours', () => {
    const parent = { children: [] as PageElement[] };
    const [div, first, second] = ['DIV', 'BUTTON', 'BUTTON'].map((tag) =>
      element(tag, {}, { parentNode: parent }),
    ) as [PageElement, PageElement, PageElement];
    parent.children.push(first, div, second);
    expect([div, first, second].map(pathStep)).toEqual([
      'div',
      'button:nth-of-type(1)',
      'button:nth-of-type(2)',
    ]);
  });
});
