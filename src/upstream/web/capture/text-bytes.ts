import { isUtf8 } from 'node:buffer';

const LATIN = new TextDecoder('windows-1252');
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [LATIN.decode(Uint8Array.of(byte)), byte]),
);

/**
 * The bytes of a body that the browser hands over as text. Where its type names no charset, the browser reads it as
 * windows-1252, though streams are UTF-8; this undoes that wherever the result is valid UTF-8.
 */
export function bytesOfText(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text.charAt(at));
    if (byte === undefined) {
      return Buffer.from(text, 'utf8');
    }
    bytes[at] = byte;
  }
  return isUtf8(bytes) ? bytes : Buffer.from(text, 'utf8');
}
