import { isAscii, isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { GatewayError, InvalidRequestError } from '../errors/gateway.errors.js';
import { BodyBudget } from './body-budget.js';
import { isJsonMediaType } from './json-media-type.js';
import { type JsonScanFault, JsonScanner, MAX_JSON_DEPTH, MAX_JSON_TOKENS } from './json-scan.js';
import { countHeader } from './raw-headers.js';

interface ReceivedBody {
  readonly chunks: readonly Buffer[];
  readonly size: number;
}

/** Receives a JSON body under limits of size, memory, depth and structure, all checked while the bytes arrive. */
@Injectable()
export class JsonBodyReader {
  constructor(
    private readonly settings: Settings,
    private readonly budget: BodyBudget,
  ) {}

  /**
   * Checks what the headers say of the body.
   * @throws GatewayError `unsupported_media_type` or `payload_too_large`
   */
  checkHeaders(request: IncomingMessage): void {
    const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
    if (type === undefined || countHeader(request, 'content-type') > 1 || !isJsonMediaType(type)) {
      throw new GatewayError('unsupported_media_type', 'The Content-Type must be application/json (UTF-8).');
    }
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      throw new GatewayError(
        'unsupported_media_type',
        'Compressed bodies are not accepted: send no Content-Encoding.',
      );
    }
    if (Number(length) > this.settings.BODY_LIMIT) {
      throw this.tooLarge();
    }
  }

  /**
   * @returns the body's value, always an object
   * @throws GatewayError that names what is wrong with the body, never what stands in it
   */
  async read(request: IncomingMessage): Promise<object> {
    const { chunks, size } = await this.receive(request);
    try {
      await this.budget.turn(size);
      return parseObject(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    } finally {
      this.budget.giveBack(size);
    }
  }

  private receive(request: IncomingMessage): Promise<ReceivedBody> {
    return new Promise((resolve, reject) => {
      const limit = this.settings.BODY_LIMIT;
      const scanner = new JsonScanner();
      const chunks: Buffer[] = [];
      let size = 0;

      const accept = (chunk: Buffer): void => {
        if (size + chunk.length > limit) {
          throw this.tooLarge();
        }
        this.budget.take(chunk.length);
        size += chunk.length;
        chunks.push(chunk);
        const fault = scanner.scan(chunk);
        if (fault !== undefined) {
          throw scanError(fault);
        }
      };
      const stop = (): void => {
        request.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      const fail = (error: unknown): void => {
        stop();
        this.budget.giveBack(size);
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const onData = (chunk: Buffer): void => {
        try {
          accept(chunk);
        } catch (error) {
          fail(error);
        }
      };
      const onEnd = (): void => {
        stop();
        resolve({ chunks, size });
      };
      const onClose = (): void =>
        fail(new InvalidRequestError('The request ended before its body was complete.'));
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

function scanError(fault: JsonScanFault): InvalidRequestError {
  return new InvalidRequestError(
    fault === 'too_deep'
      ? `The JSON in the request body is nested deeper than ${MAX_JSON_DEPTH} levels.`
      : `The JSON in the request body has more than ${MAX_JSON_TOKENS} structural characters.`,
  );
}

function parseObject(bytes: Buffer): object {
  if (!isUtf8(bytes)) {
    throw new InvalidRequestError('The request body is not valid UTF-8.');
  }
  // One-byte text is decoded and parsed twice as fast.
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8').replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidRequestError(`The request body is not valid JSON${positionOf(error)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError('The request body must be a JSON object.');
  }
  return value;
}

/** Where the parser stopped, if it tells; the rest of its message quotes the body. */
function positionOf(error: unknown): string {
  const match = /at position (\d+)/.exec((error as Error).message);
  return match ? ` (at position ${match[1]})` : '';
}
