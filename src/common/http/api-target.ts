/** First segments of the paths of the API. All others are of pages, operators and probes. */
export const API_ROOTS: readonly string[] = ['v1', 'v1beta', 'api'];

const API_TARGET = new RegExp(`^(?:[hH][tT]{2}[pP][sS]?://[^/?#]*)?/(?:${API_ROOTS.join('|')})/`);

/** Whether a request target, in either form, is an endpoint of the API. */
export function isApiTarget(url: string): boolean {
  return API_TARGET.test(url);
}
