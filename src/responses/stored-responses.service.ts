import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { GatewayError, InternalError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { type BackgroundRun } from './background/background-run.js';
import { BackgroundRuns } from './background/background-runs.js';
import { type EventReading } from './background/event-follower.js';
import { EventLog } from './background/event-log.js';
import { type InputItem } from './dto/input-items.validator.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { readStoredText, type ResponseReader } from './response-reader.js';
import { type StoredText, type TextColumn } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** Pause between two looks at a response that another gateway makes. */
const LOOK_MS = 500;
/** Most looks for the end of a cancelled response: 5 s in all. */
const CANCEL_LOOKS = 10;

/** A response that was found, with one of its texts. */
interface FoundResponse extends StoredText {
  readonly id: string;
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

  /** JSON of the response. @throws GatewayError `not_found` */
  async find(reader: ResponseReader, id: string): Promise<string> {
    const run = this.runs.find(id, reader.owner);
    return run ? jsonOf(run, reader) : textOf(await this.load(reader, id, 'body'));
  }

  /**
   * The events of a response that was made, or is being made, in the background.
   * @param startingAfter number of the last event that the caller has; -1 for none
   * @throws GatewayError `not_found`, or `invalid_request` if it has no events
   */
  async events(reader: ResponseReader, id: string, startingAfter: number): Promise<EventReading> {
    const run = this.runs.find(id, reader.owner);
    if (run) {
      return { log: run.log, from: startingAfter + 1 };
    }
    const found = await this.load(reader, id, 'events');
    if (!found.hasEvents) {
      throw new InvalidRequestError('stream is only for responses made in the background.', 'stream');
    }
    return isUnderWay(found.status)
      ? this.awaitEvents(reader, found, startingAfter)
      : this.finishedEvents(reader, found, startingAfter);
  }

  /** The items of the request, in its order. @throws GatewayError `not_found` */
  async inputItems(reader: ResponseReader, id: string): Promise<readonly InputItem[]> {
    return JSON.parse(textOf(await this.load(reader, id, 'input'))) as InputItem[];
  }

  /**
   * Gives a response up that is being made in the background; changes nothing about one that is over. Where another gateway
   * makes it, it is told to, and what is returned may still be under way if that takes long.
   * @returns JSON of the response
   * @throws GatewayError `not_found`, or `invalid_request` if it was not made in the background
   */
  async cancel(reader: ResponseReader, id: string): Promise<string> {
    const { owner } = reader;
    const run = this.runs.find(id, owner);
    if (run) {
      await run.cancel();
      return jsonOf(run, reader);
    }
    const found = await this.load(reader, id, 'body');
    if (!found.hasEvents) {
      throw new InvalidRequestError('Cannot cancel a synchronous response.');
    }
    if (!isUnderWay(found.status)) {
      return textOf(found);
    }
    await this.store.giveUp({ id, owner });
    return textOf(await this.waitForEnd(reader, found, 'body', { looks: CANCEL_LOOKS }));
  }

  /** Forgets a response, and gives it up if it is being made. @throws GatewayError `not_found` */
  async remove(owner: string, id: string): Promise<void> {
    const run = this.runs.find(id, owner);
    if (run) {
      await run.cancel();
      await run.stored;
    }
    if (!this.store.isOn || !(await this.store.remove({ id, owner }))) {
      throw notFound(id);
    }
  }

  /** The events of a response that is over. */
  private async finishedEvents(
    reader: ResponseReader,
    found: FoundResponse,
    startingAfter: number,
  ): Promise<EventReading> {
    const log = new EventLog(textOf(found));
    const isCutOff = found.status === 'failed' && !log.last?.startsWith('event: response.failed\n');
    const response = isCutOff ? textOf(await this.load(reader, found.id, 'body')) : undefined;
    return readFinished(log, response, startingAfter);
  }

  /** The events of a response that another gateway makes: those stored so far at once, the others when it is over. */
  private awaitEvents(reader: ResponseReader, found: FoundResponse, startingAfter: number): EventReading {
    const leaving = new AbortController();
    const log = new EventLog(eventsFrom({ log: new EventLog(textOf(found)), from: startingAfter + 1 }, 0));
    void this.waitForEndThroughOutages(reader, found, leaving.signal)
      .then(async (ended) => {
        const reading = await this.finishedEvents(reader, ended, startingAfter);
        log.append(eventsFrom(reading, log.length));
      })
      // Its owner has deleted it, nobody reads any longer, or there is no memory for it: a reader may come back.
      .catch(() => undefined)
      .finally(() => log.end());
    return { log, from: 0, leave: () => leaving.abort() };
  }

  /** Waits for the end of a response that another gateway makes, also while the store cannot be read. */
  private async waitForEndThroughOutages(
    reader: ResponseReader,
    found: FoundResponse,
    signal: AbortSignal,
  ): Promise<FoundResponse> {
    for (;;) {
      try {
        return await this.waitForEnd(reader, found, 'events', { looks: Infinity, signal });
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
  private async waitForEnd(
    reader: ResponseReader,
    found: FoundResponse,
    column: TextColumn,
    { looks, signal }: { readonly looks: number; readonly signal?: AbortSignal },
  ): Promise<FoundResponse> {
    let latest = found;
    for (let look = 0; look < looks && isUnderWay(latest.status); look++) {
      await pause(LOOK_MS, undefined, { signal });
      // Its text, which may be megabytes, is read once it is over.
      if (!(await this.store.isHeld({ id: found.id, owner: reader.owner }))) {
        latest = await this.load(reader, found.id, column);
      }
    }
    return latest;
  }

  private async load(reader: ResponseReader, id: string, column: TextColumn): Promise<FoundResponse> {
    const found = this.store.isOn ? await readStoredText(this.store, id, column, reader) : undefined;
    if (!found) {
      throw notFound(id);
    }
    return isUnderWay(found.status) && !found.isHeld ? toFailed({ ...found, id }, column) : { ...found, id };
  }
}

function notFound(id: string): GatewayError {
  return new GatewayError('not_found', `Response with id '${id.slice(0, 100)}' not found.`);
}

/** Nobody makes it any more, and its end could not be stored. */
function toFailed(found: FoundResponse, column: TextColumn): FoundResponse {
  const error = { code: 'server_error', message: 'The end of the response could not be stored.' };
  const failed = (body: string): string =>
    JSON.stringify({ ...(JSON.parse(body) as ResponseObject), status: 'failed', error });
  return { ...found, status: 'failed', text: column === 'body' ? failed(textOf(found)) : found.text };
}

function textOf({ text }: FoundResponse): string {
  return text ?? '';
}

/** Of one that is being made the length is not known before it is there. */
async function jsonOf(run: BackgroundRun, { admit }: ResponseReader): Promise<string> {
  const json = JSON.stringify(run.response);
  const room = admit(json.length);
  if (!room) {
    return json;
  }
  await room;
  // It has grown meanwhile.
  return JSON.stringify(run.response);
}

/** The text of the events to read, without so many that were read before. */
function eventsFrom({ log, from }: EventReading, known: number): string {
  return log.read(from + known, Infinity).join('');
}

/**
 * The events of a response that is over.
 * @param response its JSON if its gateway was cut off: a failure follows then, with a number that is new to the caller
 */
function readFinished(log: EventLog, response: string | undefined, startingAfter: number): EventReading {
  const kept = log.length;
  if (response !== undefined) {
    const number = Math.max(kept, startingAfter + 1);
    const data = `{"type":"response.failed","sequence_number":${number},"response":${response}}`;
    log.append(`event: response.failed\ndata: ${data}\n\n`);
  }
  log.end();
  return { log, from: response === undefined ? startingAfter + 1 : Math.min(startingAfter + 1, kept) };
}
