import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type ProxiedRoute } from '../proxied-route.js';
import { type EgressPolicy } from './egress-policy.js';
import { type ProxyTarget } from './proxy-target.js';

const CONNECT_LIMIT_MS = 30_000;
/** As of Chrome's own connections. */
const KEEP_ALIVE_MS = 45_000;

/**
 * Connects to an allowed target for a tunnel, by an outbound proxy where one is in between. Rejects with the error of
 * `EgressPolicy.lookup`, a ProxyError, or after 30 s.
 * @param signal gives it up
 */
export async function tunnelTo(
  policy: EgressPolicy,
  target: Pick<ProxyTarget, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<Socket> {
  const route = policy.proxiedRoute(target.host, target.port, true);
  if (route) {
    return route.tunnel(target, CONNECT_LIMIT_MS, signal);
  }
  const socket = connectTo(policy, target, true);
  const onLeft = (): void => void socket.destroy();
  signal.addEventListener('abort', onLeft);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  socket.once('error', reject).once('close', () => reject(new Error('The browser gave it up.')));
  socket.once('connect', () => resolve(socket));
  return promise.finally(() => signal.removeEventListener('abort', onLeft));
}

/** Begins to connect to an outbound proxy, which is then asked for whole URLs. The socket fails after 30 s. */
export function dialRoute(route: ProxiedRoute): Socket {
  const socket = route.dial().setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
  endIfLate(socket, 'the outbound proxy');
  return socket;
}

/**
 * Begins to connect to an allowed target, at the addresses that its name is pinned to. The socket fails with the error of
 * `EgressPolicy.lookup`, or after 30 s.
 * @param allowHalfOpen whether each side may end on its own
 */
export function connectTo(
  policy: EgressPolicy,
  { host, port }: Pick<ProxyTarget, 'host' | 'port'>,
  allowHalfOpen = false,
): Socket {
  const socket = connect({
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    port,
    lookup: policy.lookup,
    allowHalfOpen,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  endIfLate(socket, host, () => policy.forget(host));
  return socket;
}

/** @param onFailed called if the connection was not made */
function endIfLate(socket: Socket, host: string, onFailed: () => void = () => undefined): void {
  const timer = setTimeout(
    () => socket.destroy(new Error(`No connection to ${host} in time.`)),
    CONNECT_LIMIT_MS,
  );
  const onEnded = (): void => {
    clearTimeout(timer);
    onFailed();
  };
  socket.once('close', onEnded);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('close', onEnded);
  });
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
