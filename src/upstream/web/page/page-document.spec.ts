import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { PageDocument } from './page-document.js';

const FRAME = {};

function watched(): { page: EventEmitter; document: PageDocument } {
  const page = Object.assign(new EventEmitter(), { mainFrame: () => FRAME });
  return { page, document: new PageDocument(page as unknown as Page) };
}

const requestOf = (frame = FRAME, isNavigation = true): object => ({
  isNavigationRequest: () => isNavigation,
  frame: () => frame,
});
const answer = (page: EventEmitter, request: object, status: number): boolean =>
  page.emit('response', { status: () => status, request: () => request });
const fail = (page: EventEmitter, request: object, errorText: string): boolean =>
  page.emit('requestfailed', Object.assign(request, { failure: () => ({ errorText }) }));

/** A page that has asked for its document. */
function asked(): ReturnType<typeof watched> & { request: object } {
  const request = requestOf();
  const { page, document } = watched();
  page.emit('request', request);
  return { page, document, request };
}

describe('PageDocument', () => {
  it('blames nobody before anything was asked for', () => {
    expect(watched().document.failure('goto x')).toBeUndefined();
  });

  it('blames a site that does not answer, also after it led the page elsewhere', () => {
    const { page, document, request } = asked();
    const silence = { fault: 'site_silent', message: 'goto x: the site does not answer.' };
    expect(document.failure('goto x')).toMatchObject(silence);
    answer(page, request, 302);
    expect(document.failure('goto x')).toBeUndefined();
    page.emit('request', requestOf());
    expect(document.failure('goto x')).toMatchObject(silence);
  });

  it('blames a site that answers with an error of its own', () => {
    const { page, document, request } = asked();
    answer(page, request, 404);
    expect([document.isErrorPage, document.failure('goto x')]).toEqual([false, undefined]);
    answer(page, request, 502);
    expect(document.isErrorPage).toBe(true);
    expect(document.failure('goto x')).toMatchObject({
      fault: 'upstream_status_502',
      message: 'goto x: the site answered with status 502.',
    });
  });

  it('blames a site to which there is no connection', () => {
    const { page, document, request } = asked();
    fail(page, request, 'net::ERR_EMPTY_RESPONSE');
    expect(document.failure('log in')).toMatchObject({
      fault: 'connect_failed',
      message: 'log in: net::ERR_EMPTY_RESPONSE',
    });
  });

  it.each(['net::ERR_ABORTED', 'net::ERR_TOO_MANY_REDIRECTS', 'net::ERR_BLOCKED_BY_RESPONSE'])(
    'blames nobody for %s',
    (errorText) => {
      const { page, document, request } = asked();
      fail(page, request, errorText);
      expect(document.failure('goto x')).toBeUndefined();
      expect(document.failure('goto x', `${errorText} at http://x/`)).toBeUndefined();
    },
  );

  it('is about the latest document alone: no frame, nothing that the page loads, nothing that it has left', () => {
    const { page, document, request } = asked();
    answer(page, request, 200);
    for (const other of [requestOf({}), requestOf(FRAME, false)]) {
      page.emit('request', other);
      answer(page, other, 500);
      fail(page, other, 'net::ERR_EMPTY_RESPONSE');
    }
    expect(document.failure('goto x')).toBeUndefined();
    page.emit('request', requestOf());
    fail(page, request, 'net::ERR_ABORTED');
    expect(document.failure('goto x')).toMatchObject({ fault: 'site_silent' });
  });
});
