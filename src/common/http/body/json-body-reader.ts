import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { GatewayError } from '../../errors/gateway.errors.js';
import { ARRIVED_TOO_LATE, JSON_BODIES_ONLY } from '../../errors/shared-messages.js';
import { callerKeyOf, ownerOf } from '../access/caller-key.js';
import { isOfProgram } from '../access/host-origin.js';
import { countHeader } from '../access/raw-headers.js';
import { ADMITTED_AT_ONCE_BYTES, BodyAdmission, callerLeft } from './body-admission.js';
import { BodyBudget } from './body-budget.js';
import { isJsonMediaType } from './json-media-type.js';
import { parseJsonObject } from './json-parse.js';
import { JsonText } from './json-text.js';
import { keepUnread } from './unread-body.js';

/** A large body must bring at least so many bytes in each such time, since memory is kept for all of it meanwhile. */
const PROGRESS_BYTES = 16 * 2 ** 10;
const PROGRESS_MS = 5000;

interface ReceivedBody {
  readonly text: JsonText;
  readonly size: number;
}

/** Receives a JSON body; the limits of size, memory, depth and structure are checked while its bytes arrive. */
@Injectable()
export class JsonBodyReader {
  constructor(
    private readonly settings: Settings,
    private readonly budget: BodyBudget,
    private readonly admission: BodyAdmission,
  ) {}

  /**
   * Checks the headers that describe the body.
   * @param isTypeNeeded false where programs may give any type; only called for one that is not JSON's
   * @throws GatewayError `unsupported_media_type` or `payload_too_large`
   */
  checkHeaders(request: IncomingMessage, isTypeNeeded: () => boolean): void {
    const { 'content-type': type, 'content-length': length } = request.headers;
    const { 'content-encoding': encoding, 'transfer-encoding': coding } = request.headers;
    const isJson = type !== undefined && countHeader(request, 'content-type') === 1 && isJsonMediaType(type);
    if (!isJson && (isTypeNeeded() || !isOfProgram(request.headers))) {
      throw new GatewayError('unsupported_media_type', JSON_BODIES_ONLY);
    }
    if (!isPlain(encoding, 'identity') || !isPlain(coding, 'chunked')) {
      throw new GatewayError(
        'unsupported_media_type',
        'Compressed bodies are not accepted: send no Content-Encoding, and no Transfer-Encoding but chunked.',
      );
    }
    if (Number(length) > this.settings.BODY_LIMIT) {
      throw this.tooLarge();
    }
  }

  /**
   * @returns the parsed body
   * @throws GatewayError that names the fault of the body and quotes nothing of it
   */
  async read(request: IncomingMessage, response: ServerResponse): Promise<object> {
    const declared = Number(request.headers['content-length'] ?? 0);
    const owner = ownerOf(callerKeyOf(request));
    await this.admission.waitForRoom(declared, response, owner);
    const { text, size } = await this.receive(request, declared, owner);
    try {
      if (declared === 0) {
        await this.admission.waitForRoom(size, response, owner);
      }
      // Joining the pieces, parsing them and the route's own work each get a turn of the event loop.
      await this.budget.turn(size);
      const whole = text.end();
      await this.budget.turn(size);
      const body = this.parse(request, whole);
      await this.budget.turn(size);
      return body;
    } finally {
      this.budget.giveBack(size, owner);
    }
  }

  private parse(request: IncomingMessage, text: string): object {
    try {
      return parseJsonObject(text);
    } catch (error) {
      keepUnread(request, text);
      throw error;
    }
  }

  private receive(
    request: IncomingMessage,
    declared: number,
    owner: string | undefined,
  ): Promise<ReceivedBody> {
    return new Promise((resolve, reject) => {
      const limit = this.settings.BODY_LIMIT;
      const text = new JsonText();
      let size = 0;
      let sizeBefore = 0;

      const onData = (chunk: Buffer): void => {
        try {
          if (size + chunk.length > limit) {
            throw this.tooLarge();
          }
          this.budget.take(chunk.length, Math.max(declared, size + chunk.length), owner);
          size += chunk.length;
          text.push(chunk);
        } catch (error) {
          fail(error as Error);
        }
      };
      const onEnd = (): void => {
        stop();
        resolve({ text, size });
      };
      const onClose = (): void => fail(callerLeft());
      const judge = (): void => {
        if (Math.max(declared, size) >= ADMITTED_AT_ONCE_BYTES && size - sizeBefore < PROGRESS_BYTES) {
          fail(new GatewayError('request_timeout', ARRIVED_TOO_LATE));
        }
        sizeBefore = size;
      };
      let judging: NodeJS.Immediate | undefined;
      // Where the process stood still, what has arrived meanwhile is read only after the timers.
      const progress = setInterval(() => (judging = setImmediate(judge)), PROGRESS_MS);
      const stop = (): void => {
        clearInterval(progress);
        clearImmediate(judging);
        request.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      const fail = (error: Error): void => {
        stop();
        this.budget.giveBack(size, owner);
        reject(error);
      };
      request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  private tooLarge(): GatewayError {
    return new GatewayError(
      'payload_too_large',
      `The request body is larger than the limit of ${this.settings.BODY_LIMIT} bytes.`,
    );
  }
}

function isPlain(encoding: string | undefined, plain: string): boolean {
  return encoding === undefined || encoding.trim().toLowerCase() === plain;
}
