import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { GatewayError, InternalError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { BackgroundRuns } from './background/background-runs.js';
import { EventLog } from './background/event-log.js';
import { type InputItem } from './dto/input-items.validator.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { type FoundResponse, type ResponseRecord } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** Pause between two looks at a response that another gateway makes. */
const LOOK_MS = 500;
/** Most looks for the end of a cancelled response: 5 s in all. */
const CANCEL_LOOKS = 10;

/** Events to read, from the first one that the caller does not have. */
export interface EventReading {
  readonly log: EventLog;
  readonly from: number;
  /** Called when nobody reads the events any longer. */
  readonly leave?: () => void;
}

/** Reads, cancels and deletes stored responses, each for its own caller. */
@Injectable()
export class StoredResponsesService {
  constructor(
    private readonly store: ResponseStore,
    private readonly runs: BackgroundRuns,
  ) {
    store.givenUp$.subscribe((id) => runs.giveUp(id));
  }

  /** @throws GatewayError `not_found` */
  async find(owner: string, id: string): Promise<ResponseObject> {
    return this.runs.find(id, owner)?.response ?? toObject(await this.record(owner, id));
  }

  /**
   * The events of a response that was made, or is being made, in the background.
   * @param startingAfter number of the last event that the caller has; -1 for none
   * @throws GatewayError `not_found`, or `invalid_request` if it has no events
   */
  async events(owner: string, id: string, startingAfter: number): Promise<EventReading> {
    const run = this.runs.find(id, owner);
    if (run) {
      return { log: run.log, from: startingAfter + 1 };
    }
    const record = await this.record(owner, id);
    if (record.events === null) {
      throw new InvalidRequestError('stream is for responses that were made in the background.', 'stream');
    }
    return isUnderWay(record.status)
      ? this.awaitEvents(record, record.events, startingAfter)
      : readFinished(record.events, toObject(record), startingAfter);
  }

  /** The items of the request, in its order. @throws GatewayError `not_found` */
  async inputItems(owner: string, id: string): Promise<readonly InputItem[]> {
    return JSON.parse((await this.record(owner, id)).input) as InputItem[];
  }

  /**
   * Gives a response up that is being made in the background; changes nothing about one that is over. Where another gateway
   * makes it, it is told to, and what is returned may still be under way if that takes long.
   * @throws GatewayError `not_found`, or `invalid_request` if it was not made in the background
   */
  async cancel(owner: string, id: string): Promise<ResponseObject> {
    const run = this.runs.find(id, owner);
    if (run) {
      await run.cancel();
      return run.response;
    }
    const record = await this.record(owner, id);
    if (record.events === null) {
      throw new InvalidRequestError('Only responses that were made in the background can be cancelled.');
    }
    if (!isUnderWay(record.status)) {
      return toObject(record);
    }
    await this.store.giveUp({ id, owner });
    return toObject(await this.ended(record, CANCEL_LOOKS));
  }

  /** Forgets a response, and gives it up if it is being made. @throws GatewayError `not_found` */
  async remove(owner: string, id: string): Promise<void> {
    const run = this.runs.find(id, owner);
    if (run) {
      await run.cancel();
      await run.kept;
    }
    if (!this.store.isOn || !(await this.store.remove({ id, owner }))) {
      throw notFound(id);
    }
  }

  /** The events of a response that another gateway makes: those stored so far at once, the others when it is over. */
  private awaitEvents(record: FoundResponse, events: string, startingAfter: number): EventReading {
    const leaving = new AbortController();
    const log = new EventLog(eventsFrom({ log: new EventLog(events), from: startingAfter + 1 }, 0));
    void this.endedAtLast(record, leaving.signal)
      .then((ended) => {
        const reading = readFinished(ended.events ?? '', toObject(ended), startingAfter);
        log.append(eventsFrom(reading, log.length));
      })
      // Its owner has deleted it, or nobody reads any longer.
      .catch(() => undefined)
      .finally(() => log.end());
    return { log, from: 0, leave: () => leaving.abort() };
  }

  /** Waits for the end of a response that another gateway makes, also while the store cannot be read. */
  private async endedAtLast(record: FoundResponse, signal: AbortSignal): Promise<FoundResponse> {
    for (;;) {
      try {
        return await this.ended(record, Infinity, signal);
      } catch (error) {
        if (!(error instanceof InternalError)) {
          throw error;
        }
      }
    }
  }

  /**
   * Waits for the end of a response that another gateway makes.
   * @param looks after which it is returned as it is
   * @throws GatewayError `not_found` if it was deleted; what the signal was aborted with
   */
  private async ended(record: FoundResponse, looks: number, signal?: AbortSignal): Promise<FoundResponse> {
    let latest = record;
    for (let look = 0; look < looks && isUnderWay(latest.status); look++) {
      await wait(LOOK_MS, undefined, { signal });
      // All of it, which may be megabytes, is read once it is over.
      if (!(await this.store.isHeld(latest))) {
        latest = await this.record(latest.owner, latest.id);
      }
    }
    return latest;
  }

  private async record(owner: string, id: string): Promise<FoundResponse> {
    const record = this.store.isOn ? await this.store.find({ id, owner }) : undefined;
    if (!record) {
      throw notFound(id);
    }
    return isUnderWay(record.status) && !record.isHeld ? lost(record) : record;
  }
}

function notFound(id: string): GatewayError {
  return new GatewayError('not_found', `Response with id '${id.slice(0, 100)}' not found.`);
}

/** Nobody makes it any more, and its end could not be stored. */
function lost(record: ResponseRecord): ResponseRecord {
  const error = { code: 'server_error', message: 'The end of the response could not be stored.' };
  const body = JSON.stringify({ ...toObject(record), status: 'failed', error });
  return { ...record, status: 'failed', body };
}

function toObject({ body }: ResponseRecord): ResponseObject {
  return JSON.parse(body) as ResponseObject;
}

/** The text of the events to read, without so many that were read before. */
function eventsFrom({ log, from }: EventReading, known: number): string {
  return log.read(from + known, Infinity).join('');
}

/**
 * The events of a response that is over. Where the end of the gateway cut them off, a failure follows, with a number
 * that is new to the caller.
 */
function readFinished(text: string, response: ResponseObject, startingAfter: number): EventReading {
  const log = new EventLog(text);
  const kept = log.length;
  const isCutOff = response.status === 'failed' && !log.at(-1)?.startsWith('event: response.failed\n');
  if (isCutOff) {
    const number = Math.max(kept, startingAfter + 1);
    const data = JSON.stringify({ type: 'response.failed', sequence_number: number, response });
    log.append(`event: response.failed\ndata: ${data}\n\n`);
  }
  log.end();
  return { log, from: isCutOff ? Math.min(startingAfter + 1, kept) : startingAfter + 1 };
}
