import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { PageDocument } from './page-document.js';

const FRAME = {};

function watched(): { page: EventEmitter; document: PageDocument } {
  const page = Object.assign(new EventEmitter(), { mainFrame: () => FRAME, url: () => 'http://site/login' });
  return { page, document: new PageDocument(page as unknown as Page) };
}

const requestOf = (frame = FRAME, isNavigation = true): object => ({
  isNavigationRequest: () => isNavigation,
  frame: () => frame,
  method: () => 'GET',
  resourceType: () => 'document',
  url: () => 'http://site/',
});
/** A form as the page's own code sends it. */
const formOf = (url = 'http://site/api/login', method = 'POST'): object =>
  Object.assign(requestOf(FRAME, false), {
    method: () => method,
    resourceType: () => 'fetch',
    url: () => url,
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

  describe('a form that the page sends', () => {
    it('blames a site that does not take it, until it takes another', () => {
      const { page, document, request } = asked();
      answer(page, request, 200);
      const [form, next] = [formOf(), formOf()];
      page.emit('request', form);
      expect(document.formFailure('log in')).toBeUndefined();
      fail(page, form, 'net::ERR_EMPTY_RESPONSE');
      expect(document.formFailure('log in')).toMatchObject({ fault: 'connect_failed' });
      expect(document.failure('log in')).toBeUndefined();
      page.emit('request', next);
      answer(page, next, 503);
      expect(document.formFailure('log in')).toMatchObject({ fault: 'upstream_status_503' });
      page.emit('request', form);
      answer(page, form, 401);
      expect(document.formFailure('log in')).toBeUndefined();
    });

    it('is forgotten with its page', () => {
      const { page, document } = asked();
      const [form, request] = [formOf(), requestOf()];
      page.emit('request', form);
      fail(page, form, 'net::ERR_EMPTY_RESPONSE');
      page.emit('request', request);
      answer(page, request, 200);
      expect(document.formFailure('log in')).toBeUndefined();
    });

    it.each([
      ['another site', formOf('http://metrics/api/login')],
      ['what it only reads', formOf('http://site/api/me', 'GET')],
    ])('is none to %s', (_what, form) => {
      const { page, document, request } = asked();
      answer(page, request, 200);
      page.emit('request', form);
      fail(page, form, 'net::ERR_EMPTY_RESPONSE');
      expect(document.formFailure('log in')).toBeUndefined();
    });
  });
});
