import { Agent, type ClientRequestArgs, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type EgressPolicy } from './egress-policy.js';
import { connectTo, dialRoute } from './outgoing-connection.js';
import { endToEndFields, type ProxyTarget } from './proxy-target.js';

const NO_BYTES = Buffer.alloc(0);
/** Chrome's own limit for the header fields of a message. */
export const MAX_HEADER_BYTES = 256 * 1024;

/**
 * The path of plain HTTP requests from one connection of the browser, over one connection of their own to the target, or to
 * the outbound proxy in front of it, which is asked for the whole URL. Both end together: the browser knows best whether a
 * request may be repeated when an idle connection turns out to be closed.
 */
export class ForwardingLane {
  private readonly agent: LaneAgent;
  private underWay = 0;
  private isCut = false;

  constructor(
    private readonly client: Socket,
    private readonly policy: EgressPolicy,
  ) {
    this.agent = new LaneAgent(policy, () => {
      this.isCut = true;
      this.endIfCut();
    });
    client.once('close', () => this.agent.destroy());
  }

  /**
   * Sends a request on and streams its response back. A failure ends the browser's connection: to the page it is the
   * failed connection that it would be without a proxy.
   * @param onOutcome called with the cause if the request fails, without one once it is answered
   */
  forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    { host, port, path }: ProxyTarget,
    onOutcome: (error?: Error) => void,
  ): void {
    const route = this.policy.proxiedRoute(host, port, false);
    const outgoing = request({
      agent: this.agent,
      host,
      port,
      path: route ? `http://${host}${port === 80 ? '' : `:${port}`}${path}` : path,
      method: incoming.method,
      headers: [...endToEndFields(incoming.rawHeaders), ...(route?.fields ?? [])],
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.underWay++;
    outgoing.on('error', (error) => {
      if (!this.client.destroyed) {
        onOutcome(route?.failure(error) ?? error);
      }
      this.client.destroy();
    });
    outgoing.once('response', (answer) => {
      const refusal = route?.refusal(answer.statusCode ?? 0);
      if (refusal) {
        outgoing.destroy(refusal);
        return;
      }
      onOutcome();
      this.answer(answer, response);
    });
    // Its errors are those of `outgoing`.
    pipeline(incoming, outgoing, () => undefined);
    response.once('close', () => {
      this.underWay--;
      if (!response.writableFinished) {
        outgoing.destroy();
      }
      this.endIfCut();
    });
  }

  private answer(answer: IncomingMessage, response: ServerResponse): void {
    const { statusCode = 502, statusMessage, rawHeaders } = answer;
    response.sendDate = false;
    try {
      response.writeHead(statusCode, statusMessage, endToEndFields(rawHeaders, 'transfer-encoding'));
    } catch {
      // A field that is read but may not be sent.
      this.client.destroy();
      return;
    }
    // The head of a stream may come long before its first piece. `flushHeaders` would send it as UTF-8.
    response.write(NO_BYTES);
    // A broken body breaks the response, and so the browser's connection.
    pipeline(answer, response, () => undefined);
  }

  private endIfCut(): void {
    if (this.isCut && this.underWay === 0) {
      this.client.destroySoon();
    }
  }
}

/** Keeps at most one connection, to allowed targets only, and tells when it has ended. */
class LaneAgent extends Agent {
  constructor(
    private readonly policy: EgressPolicy,
    private readonly onEnd: () => void,
  ) {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection({ host, port }: ClientRequestArgs): Socket {
    const target = { host: host ?? '', port: Number(port) };
    const route = this.policy.proxiedRoute(target.host, target.port, false);
    const socket = route ? dialRoute(route) : connectTo(this.policy, target);
    return socket.once('close', this.onEnd);
  }
}
