import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { processPace } from '../../../../test/support/watch/machine-pace.js';
import { InternalError } from '../../errors/gateway.errors.js';
import { Arrivals } from './arrivals.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('Arrivals', () => {
  let server: Server;
  let arrivals: Arrivals;
  let callers: Socket[];
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    callers = [];
    respond = (response) => response.setHeader('Connection', 'close').end('met');
    server = createServer((_request, response) => respond(response));
    arrivals = new Arrivals(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    callers.forEach((caller) => caller.destroy());
    server.close();
    server.closeAllConnections();
  });

  function call(text: string): Socket {
    const caller = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    caller.on('error', () => undefined);
    caller.write(text);
    callers.push(caller);
    return caller;
  }

  const textOf = async (caller: Socket): Promise<string> => (await caller.toArray()).join('');

  it('takes all connections that wait in the kernel before the listener closes', async () => {
    const texts = Array.from({ length: 20 }, () => textOf(call(GET)));
    await arrivals.closeListener();
    expect(server.listening).toBe(false);
    expect((await Promise.all(texts)).filter((text) => !text.endsWith('met'))).toEqual([]);
  });

  it('reads what was sent on an idle connection before that closes', async () => {
    respond = (response) => response.end('met');
    const caller = call(GET);
    await once(caller, 'data');
    respond = (response) => response.setHeader('Connection', 'close').end('met again');
    caller.write(GET);
    const [text] = await Promise.all([textOf(caller), arrivals.closeListener()]);
    expect(text).toMatch(/met again$/);
  });

  it('waits for answers that have not begun, and for the first request of a connection', async () => {
    let later: ServerResponse | undefined;
    respond = (response) => (later = response);
    call(GET);
    await once(server, 'request');
    const caller = call('');
    await once(server, 'connection');
    await arrivals.closeListener();
    let isOver = false;
    const answered = arrivals.answered().then(() => (isOver = true));
    respond = (response) => response.end('met');
    caller.write(GET);
    await once(caller, 'data');
    expect([isOver, arrivals.unanswered]).toEqual([false, [later]]);
    later?.end('late');
    await answered;
    expect(arrivals.unanswered).toEqual([]);
  });

  it('waits no longer than a second for a connection that says nothing', async () => {
    call('');
    await once(server, 'connection');
    await arrivals.closeListener();
    const began = performance.now();
    await arrivals.answered();
    await processPace.expectWithin(performance.now() - began, 1200);
  });

  it('tells the callers of requests that have come in part', async () => {
    const [silent, begun] = [call(''), call(GET.slice(0, 20))];
    const texts = Promise.all([textOf(silent), textOf(begun)]);
    await once(server, 'connection');
    await once(server, 'connection');
    await arrivals.closeListener();
    arrivals.refuseSilent(new InternalError('shutting_down', 'over.'));
    expect(await texts).toEqual(['', expect.stringContaining('x-gateway-reason: shutting_down')]);
  });
});
