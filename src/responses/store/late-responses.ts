import { bytesOf, type ConversationStep, type ResponseKey, type ResponseRecord } from './response-record.js';

/** Most that waits, in UTF-16 units, beside the one that is being stored and the latest: an outage must not fill the memory. */
const MAX_WAITING = 32 * 2 ** 20;

/** Responses that are over, and wait to be stored, in the order of their end. The oldest are lost if they are too many. */
export class LateResponses {
  private readonly waiting = new Map<string, ResponseRecord>();
  private size = 0;

  constructor(private readonly maxSize = MAX_WAITING) {}

  get count(): number {
    return this.waiting.size;
  }

  /** The one to be stored next. */
  get first(): ResponseRecord | undefined {
    return this.waiting.values().next().value;
  }

  /** @returns number of responses lost for it */
  add(record: ResponseRecord): number {
    this.delete(record.id);
    this.waiting.set(record.id, record);
    this.size += bytesOf(record);
    let lost = 0;
    for (const { id } of [...this.waiting.values()].slice(1, -1)) {
      if (this.size <= this.maxSize) {
        break;
      }
      this.delete(id);
      lost++;
    }
    return lost;
  }

  find({ id, owner }: ResponseKey): ResponseRecord | undefined {
    const record = this.waiting.get(id);
    return record?.owner === owner ? record : undefined;
  }

  /** The end of a conversation as far as it waits, the last response first. */
  chain({ id, owner }: ResponseKey): readonly ConversationStep[] {
    const steps: ResponseRecord[] = [];
    let step = this.find({ id, owner });
    while (step) {
      steps.push(step);
      step = step.previous === null ? undefined : this.find({ id: step.previous, owner });
    }
    return steps;
  }

  delete(id: string): void {
    const record = this.waiting.get(id);
    if (record) {
      this.waiting.delete(id);
      this.size -= bytesOf(record);
    }
  }
}
