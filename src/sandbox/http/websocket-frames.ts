import { createHash } from 'node:crypto';

/** The server's side of WebSocket framing (RFC 6455), as far as a site needs it that speaks text. */

/** A message or control frame as it came from a client. */
export type SocketMessage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'ping'; readonly payload: Buffer }
  | { readonly type: 'close' };

/** The client broke the protocol (or sent too much); the connection must be closed with `code`. */
export class WebSocketProtocolError extends Error {
  override name = 'WebSocketProtocolError';

  constructor(
    /** RFC 6455 §7.4.1. */
    readonly code: 1002 | 1003 | 1007 | 1009,
    message: string,
  ) {
    super(message);
  }
}

const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_CONTROL_BYTES = 125;

/** The `Sec-WebSocket-Accept` value for a client's key. */
export function acceptKey(key: string): string {
  return createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
}

export function textFrame(text: string | Buffer): Buffer {
  return frame(Opcode.text, Buffer.from(text));
}

export function pongFrame(payload: Buffer): Buffer {
  return frame(Opcode.pong, payload);
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(Opcode.close, payload);
}

function frame(opcode: number, payload: Buffer): Buffer {
  const length = payload.length;
  let header: Buffer;
  if (length < 126) {
    header = Buffer.from([0x80 | opcode, length]);
  } else if (length < 2 ** 16) {
    header = Buffer.from([0x80 | opcode, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
  } else {
    header = Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, payload]);
}

interface FrameHeader {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly headerBytes: number;
  readonly payloadBytes: number;
}

/** Reads a client's frames out of bytes that come in pieces of any size. */
export class FrameDecoder {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private header: FrameHeader | undefined;
  /** Payloads of a text message that is still coming in; undefined between messages. */
  private parts: Buffer[] | undefined;
  private partBytes = 0;

  constructor(private readonly maxMessageBytes: number) {}

  /** What the bytes complete. Throws a `WebSocketProtocolError`; the decoder is of no use after that. */
  read(chunk: Buffer): SocketMessage[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const messages: SocketMessage[] = [];
    for (let bytes = this.nextFrame(); bytes; bytes = this.nextFrame()) {
      const message = this.message(...bytes);
      if (message) {
        messages.push(message);
      }
    }
    return messages;
  }

  /** The next whole frame, taken from the buffer. */
  private nextFrame(): [FrameHeader, Buffer] | undefined {
    this.header ??= this.readHeader();
    const header = this.header;
    if (!header || this.buffered < header.headerBytes + header.payloadBytes) {
      return undefined;
    }
    const all = this.joined();
    const end = header.headerBytes + header.payloadBytes;
    const payload = unmasked(
      all.subarray(header.headerBytes, end),
      all.subarray(header.headerBytes - 4, header.headerBytes),
    );
    this.chunks = end < all.length ? [all.subarray(end)] : [];
    this.buffered -= end;
    this.header = undefined;
    return [header, payload];
  }

  private readHeader(): FrameHeader | undefined {
    if (this.buffered < 2) {
      return undefined;
    }
    const bytes = this.joined();
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    if ((first & 0x70) !== 0 || (second & 0x80) === 0) {
      throw new WebSocketProtocolError(1002, 'A client frame must be masked and use no extension.');
    }
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const headerBytes = 2 + lengthBytes + 4;
    if (bytes.length < headerBytes) {
      return undefined;
    }
    const payloadBytes =
      lengthBytes === 8
        ? Number(bytes.readBigUInt64BE(2))
        : lengthBytes === 2
          ? bytes.readUInt16BE(2)
          : short;
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    if (opcode >= Opcode.close && (!isFinal || payloadBytes > MAX_CONTROL_BYTES)) {
      throw new WebSocketProtocolError(1002, 'A control frame must be short and whole.');
    }
    if (this.partBytes + payloadBytes > this.maxMessageBytes) {
      throw new WebSocketProtocolError(1009, 'The message is too large.');
    }
    return { isFinal, opcode, headerBytes, payloadBytes };
  }

  private message({ isFinal, opcode }: FrameHeader, payload: Buffer): SocketMessage | undefined {
    switch (opcode) {
      case Opcode.text:
      case Opcode.continuation:
        if ((opcode === Opcode.text) !== (this.parts === undefined)) {
          throw new WebSocketProtocolError(1002, 'A message must be continued, and only a begun one.');
        }
        return this.addPart(payload, isFinal);
      case Opcode.close:
        return { type: 'close' };
      case Opcode.ping:
        return { type: 'ping', payload };
      case Opcode.pong:
        return undefined;
      case Opcode.binary:
        throw new WebSocketProtocolError(1003, 'Only text is understood.');
      default:
        throw new WebSocketProtocolError(1002, `There is no opcode ${opcode}.`);
    }
  }

  private addPart(payload: Buffer, isLast: boolean): SocketMessage | undefined {
    this.parts ??= [];
    this.parts.push(payload);
    this.partBytes += payload.length;
    if (!isLast) {
      return undefined;
    }
    const bytes = Buffer.concat(this.parts);
    this.parts = undefined;
    this.partBytes = 0;
    try {
      return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
      throw new WebSocketProtocolError(1007, 'The text is not UTF-8.');
    }
  }

  /** The buffered bytes in one piece. Only called when they are needed, so that large frames are joined once. */
  private joined(): Buffer {
    const [only] = this.chunks;
    if (this.chunks.length === 1 && only) {
      return only;
    }
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const result = Buffer.allocUnsafe(payload.length);
  for (let index = 0; index < payload.length; index++) {
    // Both indices are inside their buffers.
    result[index] = payload[index]! ^ mask[index & 3]!;
  }
  return result;
}
