import { describe, expect, it } from '@jest/globals';
import { type ErrorCode } from '../../../src/common/errors/error-catalog.js';
import { type Answer, type ControllerApp } from './controller-app.js';

/** A query with its `?`, or a JSON body. */
type Input = string | Readonly<Record<string, unknown>>;

export interface RouteCase {
  /** Answers without the key. False by default. */
  readonly isPublic?: boolean;
  /** Inputs that are answered 400, each with the parameter named in the error. */
  readonly bad?: readonly (readonly [input: Input, param: string])[];
  /** A good input and its answer, 200 by default; `body` is matched in part. Left out for answers that do not end. */
  readonly good?: { readonly input?: Input; readonly status?: number; readonly body?: object };
}

/** Expected body of an error. @param param the parameter at fault, if one is */
export type ErrorMatch = (code: ErrorCode, param?: string) => object;

const DEFAULT_ERRORS: ErrorMatch = (code, param) => ({
  error: { code, ...(param !== undefined && { param }) },
});

/**
 * The tests that every route needs: it wants the key, refuses bad input by name, and answers good input.
 *
 * @param routes by method and path
 * @param errorBody for routes that answer errors in a format of their own
 * @example
 * describeRoutes(() => app, {
 *   'GET /dashboard/api/overview': { bad: [['?minutes=0', 'minutes']], good: { body: { provider: 'sandbox' } } },
 * });
 */
export function describeRoutes(
  app: () => ControllerApp,
  routes: Readonly<Record<string, RouteCase>>,
  errorBody = DEFAULT_ERRORS,
): void {
  describe.each(Object.entries(routes))('%s', (route, { isPublic = false, bad = [], good }) => {
    const [method = '', path = ''] = route.split(' ');
    const ask = (input: Input | undefined, key?: string): Promise<Answer> =>
      typeof input === 'string'
        ? app().ask(method, path + input, { key })
        : app().ask(method, path, { body: input, key });
    const { input, status = 200, body } = good ?? {};

    if (isPublic) {
      it('answers without the key', async () => {
        expect((await ask(input, '')).status).toBe(status);
      });
    } else {
      it.each(['', 'wrong'])('refuses the key %j', async (key) => {
        const answer = await ask(input, key);
        expect(answer).toMatchObject({ status: 401, body: errorBody('invalid_api_key') });
      });
    }

    if (bad.length > 0) {
      it.each(bad)('refuses %j and names %s', async (badInput, param) => {
        const answer = await ask(badInput);
        expect(answer).toMatchObject({ status: 400, body: errorBody('invalid_request', param) });
      });
    }

    if (good) {
      it(`answers ${input === undefined ? 'a request' : JSON.stringify(input)} with ${status}`, async () => {
        expect(await ask(input)).toMatchObject({ status, ...(body && { body }) });
      });
    }
  });
}
