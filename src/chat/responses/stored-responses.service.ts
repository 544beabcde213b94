import { Injectable } from '@nestjs/common';
import { Settings } from '../../common/config/settings.js';
import { GatewayError, InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type BackgroundRun } from './background/background-run.js';
import { BackgroundRuns } from './background/background-runs.js';
import { EventLog } from './background/event-log.js';
import { type InputItem } from './dto/input-items.validator.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { ownerOf } from './store/response-owner.js';
import { type ResponseRecord } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** Events to read, from the first one that the caller does not have. */
export interface EventReading {
  readonly log: EventLog;
  readonly from: number;
}

/** Finds responses that were made before, for those who made them, and ends or forgets them. */
@Injectable()
export class StoredResponsesService {
  constructor(
    private readonly settings: Settings,
    private readonly store: ResponseStore,
    private readonly runs: BackgroundRuns,
  ) {}

  /** @throws GatewayError `not_found` */
  async find(id: string): Promise<ResponseObject> {
    return this.running(id)?.response ?? toObject(await this.record(id));
  }

  /**
   * The events of a response that was made, or is being made, in the background.
   * @param startingAfter number of the last event that the caller has; -1 for none
   * @throws GatewayError `not_found`, or `invalid_request` if it has no events
   */
  async events(id: string, startingAfter: number): Promise<EventReading> {
    const run = this.running(id);
    if (run) {
      return { log: run.log, from: startingAfter + 1 };
    }
    const record = await this.record(id);
    if (record.events === null) {
      throw new InvalidRequestError('stream is for responses that were made in the background.', 'stream');
    }
    return readFinished(record.events, toObject(record), startingAfter);
  }

  /** The items of the request, in its order. @throws GatewayError `not_found` */
  async inputItems(id: string): Promise<readonly InputItem[]> {
    return JSON.parse((await this.record(id)).input) as InputItem[];
  }

  /**
   * Gives a response up that is being made in the background; changes nothing about one that is over.
   * @throws GatewayError `not_found`, or `invalid_request` if it was not made in the background
   */
  async cancel(id: string): Promise<ResponseObject> {
    const run = this.running(id);
    if (run) {
      await run.cancel();
      return run.response;
    }
    const record = await this.record(id);
    if (record.events === null) {
      throw new InvalidRequestError('Only responses that were made in the background can be cancelled.');
    }
    return toObject(record);
  }

  /** Forgets a response, and gives it up if it is being made. @throws GatewayError `not_found` */
  async remove(id: string): Promise<void> {
    const run = this.running(id);
    if (run) {
      await run.cancel();
      await run.kept;
    }
    if (!this.store.isOn || !(await this.store.remove({ id, owner: this.owner }))) {
      throw notFound(id);
    }
  }

  private get owner(): string {
    return ownerOf(this.settings);
  }

  private running(id: string): BackgroundRun | undefined {
    return this.runs.find(id, this.owner);
  }

  private async record(id: string): Promise<ResponseRecord> {
    const record = this.store.isOn ? await this.store.find({ id, owner: this.owner }) : undefined;
    if (!record) {
      throw notFound(id);
    }
    return isUnderWay(record.status) ? lost(record) : record;
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
