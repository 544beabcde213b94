import { Injectable } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import {
  GatewayError,
  InvalidRequestError,
  PreviousResponseNotFoundError,
} from '../common/errors/gateway.errors.js';
import { ADMITTED_AT_ONCE_BYTES } from '../common/http/body/body-admission.js';
import { besideSummary, isCompaction } from './dto/compaction.js';
import { type InputItem } from './dto/input-items.validator.js';
import { placeOfItem, type StoredItemPlace } from './interfaces/response-ids.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { readStoredText, type ResponseReader } from './response-reader.js';
import { type ConversationStep } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

type StepTexts = Pick<ConversationStep, 'body' | 'input'>;

/** Finds what a request refers to: the responses before it, and single items of stored ones. */
@Injectable()
export class Conversations {
  constructor(
    private readonly store: ResponseStore,
    private readonly settings: Settings,
  ) {}

  /**
   * The items of a response and of all before it. A summary takes the place of all before it: see `besideSummary`.
   * @throws PreviousResponseNotFoundError if one of them is not there, InvalidRequestError if the latest is not over,
   * GatewayError if they are larger than a request may be
   */
  async before(id: string | null | undefined, reader: ResponseReader): Promise<readonly InputItem[]> {
    if (id === null || id === undefined) {
      return [];
    }
    const steps = this.store.isOn ? await this.stepsTo(id, reader) : [];
    const [first] = steps;
    if (!first || first.previous !== null) {
      throw new PreviousResponseNotFoundError(first?.previous ?? id);
    }
    if (steps.some(({ status }) => isUnderWay(status))) {
      throw new InvalidRequestError(
        `The response with id '${id}' is not complete yet.`,
        'previous_response_id',
      );
    }
    return itemsOf(steps);
  }

  /**
   * The input with the items in place of references to them.
   * @throws InvalidRequestError for an unknown one and for a second reference to the same, GatewayError if they are larger
   * than a request may be
   */
  async resolved(input: readonly InputItem[], reader: ResponseReader): Promise<readonly InputItem[]> {
    const places = [...input.entries()].filter(([, item]) => isReference(item));
    const wanted = new Set(places.map(([, { id }]) => id));
    const known = new Map<unknown, InputItem>();
    const read = new Set<string>();
    const size = new ReferredSize(this.settings.BODY_LIMIT, 'input');
    const seen = new Set<unknown>();
    // One after the other, and none behind one that is missing: a store that others write to is asked for a while.
    for (const [index, { id }] of places) {
      if (seen.has(id)) {
        throw new InvalidRequestError(`Duplicate item with id '${id as string}'.`, `input[${index}].id`);
      }
      seen.add(id);
      const place = placeOfItem(id as string);
      if (place && !read.has(`${place.column} ${place.response}`)) {
        read.add(`${place.column} ${place.response}`);
        const taken = (await this.itemsAt(place, reader)).filter((item) => wanted.has(item.id));
        await reader.admit(size.add(JSON.stringify(taken).length));
        taken.forEach((item) => known.set(item.id, item));
      }
      if (!known.has(id)) {
        throw new InvalidRequestError(`Item with id '${id as string}' not found.`, `input[${index}].id`);
      }
    }
    return places.length === 0
      ? input
      : input.map((item) => (isReference(item) ? known.get(item.id)! : item));
  }

  /** Asks for a large conversation's length before it is read, since only so many may be in memory. */
  private async stepsTo(id: string, { owner, admit }: ResponseReader): Promise<readonly ConversationStep[]> {
    const small = Math.min(ADMITTED_AT_ONCE_BYTES, this.settings.BODY_LIMIT);
    const few = await this.store.chain({ id, owner, maxLength: small });
    if (lengthOf(few) <= small) {
      return few;
    }
    const key = { id, owner, maxLength: this.settings.BODY_LIMIT };
    const size = new ReferredSize(key.maxLength, 'previous_response_id');
    await admit(size.add(await this.store.chainLength(key)));
    return this.store.chain(key);
  }

  /** The items in one text of a response; none if it is not there. */
  private async itemsAt(
    { response, column }: StoredItemPlace,
    reader: ResponseReader,
  ): Promise<readonly InputItem[]> {
    const found = this.store.isOn ? await readStoredText(this.store, response, column, reader) : undefined;
    if (!found?.text) {
      return [];
    }
    return column === 'input'
      ? (JSON.parse(found.text) as InputItem[])
      : outputOf({ status: found.status, body: found.text });
  }
}

/** Bounds what a small request makes the gateway read: as much as a request may hold itself. */
class ReferredSize {
  private length = 0;
  private pending = 0;

  constructor(
    private readonly maxLength: number,
    private readonly param: string,
  ) {}

  /** @returns what to wait for room for: little ones are counted until they are much @throws GatewayError above the bound */
  add(length: number): number {
    this.length += length;
    this.pending += length;
    if (this.length > this.maxLength) {
      throw new GatewayError(
        'payload_too_large',
        `The responses that this request refers to are larger than the limit of ${this.maxLength} bytes.`,
        { param: this.param },
      );
    }
    const pending = this.pending < ADMITTED_AT_ONCE_BYTES ? 0 : this.pending;
    this.pending -= pending;
    return pending;
  }
}

function lengthOf(steps: readonly StepTexts[]): number {
  return steps.reduce((sum, { body, input }) => sum + body.length + input.length, 0);
}

/** What the responses were asked, and what they answered, from the newest summary on. */
function itemsOf(steps: readonly ConversationStep[]): readonly InputItem[] {
  const inputs = steps.map(({ input }) => JSON.parse(input) as InputItem[]);
  const outputs = steps.map(outputOf);
  const newest = steps.findLastIndex(
    ({ status }, index) => status === 'completed' && outputs[index]!.some(isCompaction),
  );
  return steps.flatMap((_, index) => [
    ...(index > newest ? inputs[index]! : besideSummary(inputs[index]!)),
    ...(index >= newest ? outputs[index]! : []),
  ]);
}

function isReference({ type }: InputItem): boolean {
  return type === 'item_reference';
}

/** A response that failed or was given up may end in the middle of a call, which nobody has answered. */
function outputOf({ status, body }: Pick<ConversationStep, 'status' | 'body'>): readonly InputItem[] {
  return status === 'completed' || status === 'incomplete'
    ? ((JSON.parse(body) as ResponseObject).output as unknown as readonly InputItem[])
    : [];
}
