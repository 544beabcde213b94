import { once } from 'node:events';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Request } from 'express';
import { Settings } from '../common/config/settings.js';
import { GatewayError, ShutdownError } from '../common/errors/gateway.errors.js';
import { KEY_REVOKED } from '../common/errors/shared-messages.js';
import { ErrorFormats } from '../common/http/answer/error-formats.js';
import { sendError } from '../common/http/answer/error-response.js';
import { type Arrivals } from '../common/http/server/arrivals.js';
import { type GatewayHttpAdapter } from '../common/http/server/gateway-http-adapter.js';
import { TransientSet } from '../common/memory/transient-set.js';
import { KeyRegistry } from '../keys/key-registry.js';

/** The caller's connection, as far as its end can be seen: a `ServerResponse`, or a stand-in. */
export interface CallerConnection {
  readonly writableFinished: boolean;
  on(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

interface RunningCompletion {
  readonly controller: AbortController;
  /** Name of the caller's key. */
  readonly keyName: string | undefined;
}

/** Longest wait for refused requests to be over; their callers may go on sending. */
const REFUSAL_LIMIT_MS = 500;

/** Knows the completions under way, so that a departed caller ends one and a shutdown ends all in good order. */
@Injectable()
export class RunningCompletions implements BeforeApplicationShutdown {
  private readonly running = new TransientSet<RunningCompletion>();
  private begunSoFar = 0;
  private idle: PromiseWithResolvers<void> | undefined;
  private isOver = false;

  constructor(
    private readonly settings: Settings,
    private readonly adapterHost: HttpAdapterHost<GatewayHttpAdapter>,
    private readonly formats: ErrorFormats,
    keys: KeyRegistry,
  ) {
    keys.ended$.subscribe((name) => this.endOf(name));
  }

  /**
   * Runs one completion with a signal that is aborted when the caller leaves or the gateway stops.
   * `close` without `writableFinished` is the departed caller; the request's own `close` fires too early.
   * @param keyName name of the caller's key: its revocation may end the answer
   * @throws ShutdownError once the running ones were ended: connections that are kept open go on to bring requests
   */
  async run<Result>(
    response: CallerConnection,
    complete: (signal: AbortSignal) => Promise<Result>,
    keyName?: string,
  ): Promise<Result> {
    if (this.isOver) {
      throw new ShutdownError();
    }
    const controller = new AbortController();
    const onClose = (): void => {
      if (!response.writableFinished) {
        controller.abort();
      }
    };
    response.on('close', onClose);
    const completion = { controller, keyName };
    this.running.add(completion);
    this.begunSoFar += 1;
    try {
      return await complete(controller.signal);
    } finally {
      response.off('close', onClose);
      this.running.delete(completion);
      if (this.running.size === 0) {
        this.idle?.resolve();
        this.idle = undefined;
      }
    }
  }

  /** Whether no completion is under way. */
  get isIdle(): boolean {
    return this.running.size === 0;
  }

  /** How many completions have begun. */
  get begun(): number {
    return this.begunSoFar;
  }

  /**
   * Takes no new connections, lets what has come be answered and running answers finish for `DRAIN_MS`, then ends the rest
   * with an error.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, this.settings.DRAIN_MS);
    await this.arrivals.closeListener();
    await Promise.race([over, this.settled()]);
    clearTimeout(deadline);
    await this.endAll();
  }

  /** Ends all running answers with an error now, and refuses the requests that are still arriving. */
  async endAll(): Promise<void> {
    this.isOver = true;
    for (const { controller } of this.running) {
      controller.abort(new ShutdownError());
    }
    await this.drained();
    await this.refuseUnanswered();
  }

  private get arrivals(): Arrivals {
    return this.adapterHost.httpAdapter.arrivals;
  }

  /** Resolves when no request waits for its answer, and no completion is under way. */
  private async settled(): Promise<void> {
    do {
      await this.arrivals.answered();
      await this.drained();
    } while (this.arrivals.unanswered.length > 0);
  }

  /** Mostly requests whose bodies have not arrived. Their log entries end with the responses. */
  private async refuseUnanswered(): Promise<void> {
    const signal = AbortSignal.timeout(REFUSAL_LIMIT_MS);
    const refused = this.arrivals.unanswered.map((response) => {
      const request = response.req as Request;
      sendError(request, response, new ShutdownError(), this.formats.of(request));
      return once(response, 'close', { signal }).catch(() => undefined);
    });
    this.arrivals.refuseSilent(new ShutdownError());
    await Promise.all(refused);
  }

  /** Ends the answers of a key that was revoked. */
  private endOf(name: string): void {
    const error = new GatewayError('invalid_api_key', KEY_REVOKED);
    for (const { keyName, controller } of this.running) {
      if (keyName === name) {
        controller.abort(error);
      }
    }
  }

  /** Resolves when no completion is under way. */
  private async drained(): Promise<void> {
    if (this.running.size > 0) {
      this.idle ??= Promise.withResolvers<void>();
      await this.idle.promise;
    }
  }
}
