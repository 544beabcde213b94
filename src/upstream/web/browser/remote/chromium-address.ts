import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { askJson, authorization } from './ask-json.js';
import { type RemoteAddress, socketPath } from './remote-address.js';

/**
 * Finds the DevTools of a Chromium that listens on a port. Chromium answers only if `Host` is an IP address, and names
 * the socket as that says, so its name is resolved here and of the socket's URL the path is taken.
 * @param url `http` or `https`, host and port
 * @param signal ends the search
 */
export async function findChromium(url: URL, signal: AbortSignal): Promise<RemoteAddress> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  let failure: unknown;
  for (const { address } of await lookup(name, { all: true })) {
    signal.throwIfAborted();
    try {
      return await askAt(url, name, address, signal);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function askAt(url: URL, name: string, address: string, signal: AbortSignal): Promise<RemoteAddress> {
  const at = new URL(url);
  at.hostname = isIPv6(address) ? `[${address}]` : address;
  const secure = url.protocol === 'https:' ? { servername: name } : {};
  const question = { method: 'GET', path: '/json/version', host: at.host, signal, ...secure } as const;
  const version = (await askJson(at, question)) as { webSocketDebuggerUrl?: unknown } | null;
  const path = socketPath(version?.webSocketDebuggerUrl);
  return {
    url: `${at.protocol === 'https:' ? 'wss:' : 'ws:'}//${at.host}${path}`,
    headers: { ...authorization(url) },
    ...secure,
    release: async () => undefined,
  };
}
