import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type AllowedReach } from './allowed-reach.js';
import { type ProxyTarget } from './proxy-target.js';

const CONNECT_LIMIT_MS = 30_000;
/** As of Chrome's own connections. */
const KEEP_ALIVE_MS = 45_000;

/**
 * Begins to connect to an allowed target, at the addresses that its name is pinned to. The socket fails with the error of
 * `AllowedReach.lookup`, or after 30 s.
 * @param allowHalfOpen whether each side may end on its own
 */
export function connectTo(
  reach: AllowedReach,
  { host, port }: Pick<ProxyTarget, 'host' | 'port'>,
  allowHalfOpen = false,
): Socket {
  const socket = connect({
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    port,
    lookup: reach.lookup,
    allowHalfOpen,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  const timer = setTimeout(
    () => socket.destroy(new Error(`No connection to ${host} in time.`)),
    CONNECT_LIMIT_MS,
  );
  const onFailed = (): void => {
    clearTimeout(timer);
    reach.forget(host);
  };
  socket.once('close', onFailed);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('close', onFailed);
  });
  return socket;
}

/** Passes bytes both ways until both sides have ended; a side that breaks takes the other with it. */
export function joinSockets(client: Duplex, upstream: Duplex): void {
  const onEnd = (error?: Error | null): void => {
    if (error) {
      client.destroy();
      upstream.destroy();
    }
  };
  pipeline(client, upstream, onEnd);
  pipeline(upstream, client, onEnd);
  // A pipeline listens no more once its direction has ended.
  client.on('error', () => undefined);
  upstream.on('error', () => undefined);
}
