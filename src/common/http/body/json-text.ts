import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { type JsonScanFault, JsonScanner, MAX_JSON_DEPTH, MAX_JSON_TOKENS } from './json-scanner.js';

/**
 * Collects the text of a JSON body from its bytes. Each piece is checked and decoded as it arrives, which spreads the
 * work over the transfer. The pieces are joined once at the end: a text built by concatenation would be flattened
 * inside `JSON.parse`, and more slowly.
 */
export class JsonText {
  private readonly scanner = new JsonScanner();
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly pieces: string[] = [];

  /** @throws InvalidRequestError if the text is too deep, has too much structure, or is not UTF-8 */
  push(bytes: Uint8Array): void {
    const fault = this.scanner.scan(bytes);
    if (fault !== undefined) {
      throw scanError(fault);
    }
    this.decode(() => this.decoder.decode(bytes, { stream: true }));
  }

  /** The whole text. */
  end(): string {
    this.decode(() => this.decoder.decode());
    return this.pieces.join('');
  }

  private decode(next: () => string): void {
    try {
      this.pieces.push(next());
    } catch {
      throw new InvalidRequestError('The request body is not valid UTF-8.');
    }
  }
}

function scanError(fault: JsonScanFault): InvalidRequestError {
  return new InvalidRequestError(
    fault === 'too_deep'
      ? `The JSON in the request body is nested deeper than ${MAX_JSON_DEPTH} levels.`
      : `The JSON in the request body has more than ${MAX_JSON_TOKENS} structural characters.`,
  );
}
