import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HttpAdapterHost } from '@nestjs/core';
import { Subject } from 'rxjs';
import { processPace } from '../../test/support/watch/machine-pace.js';
import { ResponseRig } from '../../test/support/watch/response-rig.js';
import { Settings } from '../common/config/settings.js';
import { DEFAULT_ERROR_FORMAT } from '../common/errors/error-format.js';
import { type GatewayError, ShutdownError } from '../common/errors/gateway.errors.js';
import { type ErrorFormats } from '../common/http/answer/error-formats.js';
import { errorHeaders } from '../common/http/answer/error-headers.js';
import { GatewayHttpAdapter } from '../common/http/server/gateway-http-adapter.js';
import { type KeyRegistry } from '../keys/key-registry.js';
import { RunningCompletions } from './running-completions.js';

describe('RunningCompletions', () => {
  let adapter: GatewayHttpAdapter;
  let server: Server;
  let rig: ResponseRig;

  beforeEach(async () => {
    rig = await ResponseRig.open();
    adapter = new GatewayHttpAdapter();
    adapter.initHttpServer({});
    server = adapter.getHttpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    await rig.close();
    server.close();
  });

  const ended$ = new Subject<string>();

  function runningOf(drainMs: number): RunningCompletions {
    const adapterHost = { httpAdapter: adapter } as unknown as HttpAdapterHost<GatewayHttpAdapter>;
    const settings = Object.assign(new Settings(), { DRAIN_MS: drainMs });
    const formats = { of: () => DEFAULT_ERROR_FORMAT } as unknown as ErrorFormats;
    return new RunningCompletions(settings, adapterHost, formats, { ended$ } as unknown as KeyRegistry);
  }

  /** Waits for the abort of the signal, as a completion does that gets nothing from upstream. */
  async function hang(signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }

  it('aborts the completions of a key that is revoked, and tells why', async () => {
    const running = runningOf(0);
    const reasons: unknown[] = [];
    const run = (name?: string): Promise<void> =>
      running.run(
        rig.response,
        async (signal) => {
          await hang(signal);
          reasons.push([name, errorHeaders(signal.reason as GatewayError)]);
        },
        name,
      );
    const all = [run('ann'), run('bob'), run()];
    ended$.next('ann');
    await all[0];
    expect(reasons).toEqual([['ann', { 'WWW-Authenticate': 'Bearer' }]]);
    await running.endAll();
    await Promise.all(all);
  });

  it('aborts a completion whose caller leaves', async () => {
    let reason: unknown;
    const ran = runningOf(0).run(rig.response, async (signal) => {
      rig.leave();
      await hang(signal);
      reason = signal.reason;
    });
    await ran;
    expect(reason).not.toBeInstanceOf(ShutdownError);
  });

  it('is idle while no completion is under way, and counts those that have begun', async () => {
    const running = runningOf(0);
    expect(running.isIdle).toBe(true);
    const run = running.run(rig.response, hang);
    expect(running.isIdle).toBe(false);
    expect(running.begun).toBe(1);
    await running.endAll();
    await run;
    expect(running.isIdle).toBe(true);
    expect(running.begun).toBe(1);
  });

  it('does not abort one whose answer is complete', async () => {
    let signal: AbortSignal | undefined;
    await runningOf(0).run(rig.response, async (own) => {
      signal = own;
      const closed = once(rig.response, 'close');
      rig.response.end('done');
      await Promise.all([closed, rig.readAll()]);
    });
    expect(signal?.aborted).toBe(false);
  });

  it('passes on a failure, and forgets the completion', async () => {
    const running = runningOf(60_000);
    const failure = new Error('It broke.');
    await expect(running.run(rig.response, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(rig.response.listenerCount('close')).toBe(0);
    await running.beforeApplicationShutdown();
  });

  it('lets running answers finish at a shutdown, and takes no new connections', async () => {
    const running = runningOf(60_000);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const ran = running.run(rig.response, () => answered);
    const { port } = server.address() as AddressInfo;
    const stopped = running.beforeApplicationShutdown();
    await once(server, 'close');
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
    const began = performance.now();
    answer();
    await Promise.all([ran, stopped]);
    await processPace.expectWithin(performance.now() - began, 1000);
  });

  it('ends what still runs after DRAIN_MS, and says why', async () => {
    const running = runningOf(1);
    let reason: unknown;
    const ran = running.run(rig.response, async (signal) => {
      await hang(signal);
      reason = signal.reason;
    });
    await running.beforeApplicationShutdown();
    await ran;
    expect(reason).toBeInstanceOf(ShutdownError);
    await expect(running.run(rig.response, () => Promise.resolve())).rejects.toBeInstanceOf(ShutdownError);
  });
});
