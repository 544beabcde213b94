import { describe, expect, it } from '@jest/globals';
import { fieldReport } from './action-report.js';
import { type PageElement } from './page-element.js';

describe('fieldReport', () => {
  it.each([
    [{ tagName: 'INPUT', type: 'password', value: 'secret' }, { field: 'password' }],
    [
      { tagName: 'INPUT', type: 'email', value: 'me@site.example' },
      { field: 'text', value: 'me@site.example' },
    ],
    [
      { tagName: 'TEXTAREA', value: 'x'.repeat(30_000) },
      { field: 'text', value: 'x'.repeat(20_000) },
    ],
    [
      { tagName: 'DIV', isContentEditable: true, innerText: 'Hello' },
      { field: 'rich', value: 'Hello' },
    ],
    [{ tagName: 'INPUT', type: 'checkbox', value: 'on' }, undefined],
    [{ tagName: 'SELECT', value: 'svc-max' }, undefined],
  ])('case %#', (element, expected) => {
    expect(fieldReport(element as unknown as PageElement)).toEqual(expected);
  });
});
