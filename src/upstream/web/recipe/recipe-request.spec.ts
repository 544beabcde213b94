import { describe, expect, it } from '@jest/globals';
import { fillRequest } from './recipe-request.js';

const VALUES = {
  'site.origin': 'https://chat.example:8443',
  'account.password': 'a"b\\c&d=é',
  prompt: 'one\ntwo/../three?\ud800',
};

/** A request with defaults. */
function request(parts: object): Parameters<typeof fillRequest>[0] {
  return { url: '{{site.origin}}/x', method: 'POST', headers: {}, body: undefined, ...parts };
}

describe('fillRequest', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/merge-patch+json'])(
    'keeps a body of %s the JSON that it was',
    (type) => {
      const body = '{"password": "{{account.password}}", "text": "> {{prompt}}"}';
      const filled = fillRequest(request({ headers: { 'Content-Type': type }, body }), VALUES);
      expect(JSON.parse(String(filled.body))).toEqual({
        password: VALUES['account.password'],
        text: `> ${VALUES.prompt}`,
      });
    },
  );

  it('keeps the fields of a form', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'password={{account.password}}&text={{prompt}}';
    const filled = fillRequest(request({ headers, body }), VALUES);
    expect(Object.fromEntries(new URLSearchParams(filled.body))).toEqual({
      password: VALUES['account.password'],
      text: VALUES.prompt.toWellFormed(),
    });
  });

  it('puts values into any other body as they are, and leaves out one that is not there', () => {
    expect(fillRequest(request({ body: '"{{prompt}}"' }), VALUES).body).toBe(`"${VALUES.prompt}"`);
    expect(fillRequest(request({}), VALUES)).toEqual({
      url: 'https://chat.example:8443/x',
      method: 'POST',
      headers: {},
    });
  });

  it('keeps values within their part of the address, apart from the site', () => {
    const { url } = fillRequest(
      request({ url: '{{site.origin}}/a/{{prompt}}?q={{account.password}}' }),
      VALUES,
    );
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin).toBe(VALUES['site.origin']);
    expect(pathname).toBe(`/a/${encodeURIComponent(VALUES.prompt.toWellFormed())}`);
    expect(Object.fromEntries(searchParams)).toEqual({ q: VALUES['account.password'] });
  });

  it('fills in headers, among them the content type', () => {
    const headers = { 'x-user': '{{account.password}}', 'content-type': '{{account.type}}' };
    const values = { ...VALUES, 'account.type': 'application/json' };
    const filled = fillRequest(request({ headers, body: '"{{prompt}}"' }), values);
    expect(filled.headers).toEqual({
      'x-user': VALUES['account.password'],
      'content-type': 'application/json',
    });
    expect(JSON.parse(String(filled.body))).toBe(VALUES.prompt);
  });
});
