import { EventEmitter } from 'node:events';
import { type CallerHabits } from '../../chat/known-callers.js';
import { type CallerConnection } from '../../chat/running-completions.js';
import { asGatewayError } from '../../common/errors/gateway.errors.js';
import { type ResponseObject } from '../interfaces/response-object.js';
import { type ResponseEvents } from '../output/response-events.js';
import { BackgroundOutput } from './background-output.js';
import { EventLog } from './event-log.js';

/** An answer that goes on without its caller, so that there is nobody who would ask again for one that is dropped. */
export const BACKGROUND_HABITS: CallerHabits = {
  retriesUnanswered: false,
  isNeverDropped: true,
  streamFailure: 'event',
  namesStream: true,
};

/** Stands for a caller that stays until the response is cancelled. */
class LastingCaller extends EventEmitter implements CallerConnection {
  readonly writableFinished = false;
}

/** One response that is made in the background. */
export class BackgroundRun {
  readonly log: EventLog;
  readonly output: BackgroundOutput;
  readonly connection = new LastingCaller();
  private readonly end = Promise.withResolvers<void>();
  private storing: Promise<unknown> = this.end.promise;

  /** @param owner whoever may see it */
  constructor(
    readonly owner: string,
    private readonly events: ResponseEvents,
  ) {
    this.log = new EventLog(events.queued());
    this.output = new BackgroundOutput(events, this.log);
  }

  /** The response as it is now. */
  get response(): ResponseObject {
    return this.events.response;
  }

  /** Resolves when it is over and can be found in the store; never rejects. */
  get stored(): Promise<unknown> {
    return this.storing;
  }

  /**
   * Ends with the answer, however that ends.
   * @param answer settles then
   * @param store stores the response that is over
   */
  async start(answer: () => Promise<void>, store: () => Promise<void>): Promise<void> {
    this.storing = this.end.promise.then(store).catch(() => undefined);
    try {
      await answer();
    } catch (error) {
      // It failed before it had begun, which over HTTP would be a status code.
      this.output.fail(asGatewayError(error));
    }
    if (!this.log.isOver) {
      this.events.cancelled();
      this.log.end();
    }
    this.end.resolve();
  }

  /** Gives the answer up. */
  async cancel(): Promise<void> {
    this.connection.emit('close');
    await this.end.promise;
  }
}
