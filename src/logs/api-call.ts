const API = /^\/v1(?:[/?]|$)/i;
const OWN_PAGES = '/dashboard/';

/** What clients ask for that have another base URL, or take the gateway for a provider with another API. */
const MISPLACED = [
  /\/(?:chat\/completions|completions|messages|responses|models)\/?$/i,
  /^\/api\/(?:chat|generate|tags|show)$/,
  /^\/(?:openai\/deployments|v1beta\/models)\//,
];

/** Whether a request has an entry in the log: it is for the API, or was meant for it. @param url target of the request */
export function isApiCall(url: string): boolean {
  return API.test(url) || isMisplaced(url);
}

function isMisplaced(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return !path.startsWith(OWN_PAGES) && MISPLACED.some((pattern) => pattern.test(path));
}
