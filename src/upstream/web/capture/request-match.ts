import { type Protocol } from 'puppeteer';
import { type NetworkRules, type RequestMatch } from '../recipe/capture-rules.js';
import { compileConditions } from '../recipe/condition.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { readableBody, readFromJson } from './outgoing-prompt.js';

export type RequestTest = (request: Protocol.Network.Request) => boolean;

/** Compiles the test of whether a request is the one that the recipe means. One whose body cannot be read meets no condition. */
export function compileMatch({ url, method, when }: RequestMatch): RequestTest {
  const matchesUrl = compileUrlPattern(url);
  const fits = when && compileConditions(when);
  return (request) =>
    request.method === method &&
    matchesUrl(request.url) &&
    (fits === undefined || readFromJson(readableBody(request) ?? '', fits) === true);
}

/**
 * Patterns for interception by the browser: the requests that the rules name, and the response to the prompt.
 * @param readsResponses whether responses to `request` are intercepted, too
 */
export function fetchPatterns(
  { request, promptRequest }: Pick<NetworkRules, 'request' | 'promptRequest'>,
  readsResponses: boolean,
): Protocol.Fetch.RequestPattern[] {
  const urls = new Set([request.url, ...(promptRequest ? [promptRequest.url] : [])]);
  return [...urls].flatMap((url) => [
    fetchPattern(url, 'Request'),
    ...(readsResponses || url === promptRequest?.url ? [fetchPattern(url, 'Response')] : []),
  ]);
}

/** The pattern for the DevTools protocol, where `?` is a wildcard, too; a fragment may follow. */
function fetchPattern(url: string, requestStage: Protocol.Fetch.RequestStage): Protocol.Fetch.RequestPattern {
  return { urlPattern: `${url.replace(/[?\\]/g, '\\$&')}*`, requestStage };
}
