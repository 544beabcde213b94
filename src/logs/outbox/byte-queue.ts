/** Of a unit of a text. */
const MAX_UTF8_BYTES = 3;
const INITIAL_BYTES = 2 ** 14;
/** Above it, an emptied queue gives its memory back. */
const LARGE_BYTES = 2 ** 20;

/** A FIFO of bytes. Its memory is reused, since new memory costs more than writing to it. */
export class ByteQueue {
  private bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  private start = 0;
  private end = 0;

  get length(): number {
    return this.end - this.start;
  }

  /** Appends an integer of 32 bits, most significant byte first. */
  int32(value: number): void {
    this.reserve(4);
    this.end = this.bytes.writeInt32BE(value, this.end);
  }

  /** Likewise one without a sign. */
  uint32(value: number): void {
    this.reserve(4);
    this.end = this.bytes.writeUInt32BE(value, this.end);
  }

  /** Appends the number of a text's bytes in UTF-8, as `int32`, and then the bytes. */
  text(text: string): void {
    // To count its bytes first would take as long as to write them.
    this.reserve(4 + text.length * MAX_UTF8_BYTES);
    const length = this.bytes.write(text, this.end + 4);
    this.end = this.bytes.writeInt32BE(length, this.end) + length;
  }

  /** Copies the oldest bytes to a block of memory, and forgets them. */
  moveTo(target: Buffer, offset: number, length: number): void {
    this.bytes.copy(target, offset, this.start, this.start + length);
    this.drop(length);
  }

  /** Forgets the oldest bytes. */
  drop(length: number): void {
    this.start += length;
    if (this.start === this.end) {
      this.start = 0;
      this.end = 0;
      if (this.bytes.length > LARGE_BYTES) {
        this.bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
      }
    }
  }

  private reserve(size: number): void {
    if (this.end + size <= this.bytes.length) {
      return;
    }
    const needed = this.length + size;
    const target = needed > this.bytes.length / 2 ? Buffer.allocUnsafeSlow(needed * 2) : this.bytes;
    this.bytes.copy(target, 0, this.start, this.end);
    this.bytes = target;
    this.end -= this.start;
    this.start = 0;
  }
}
