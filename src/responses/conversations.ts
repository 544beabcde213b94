import { Injectable } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import {
  GatewayError,
  InvalidRequestError,
  PreviousResponseNotFoundError,
} from '../common/errors/gateway.errors.js';
import { ADMITTED_AT_ONCE_BYTES } from '../common/http/body/body-admission.js';
import { type InputItem } from './dto/input-items.validator.js';
import { responseOfItem } from './interfaces/response-ids.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { type ConversationStep, type FoundResponse } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** Who refers to responses. */
export interface Referrer {
  readonly owner: string;
  /** Waits until there is memory for so many bytes. Rejects with what the caller is to be told if there is none. */
  readonly admit: (bytes: number) => Promise<void> | undefined;
}

type StepTexts = Pick<ConversationStep, 'body' | 'input'>;

/** Finds what a request refers to: the responses before it, and single items of stored ones. */
@Injectable()
export class Conversations {
  constructor(
    private readonly store: ResponseStore,
    private readonly settings: Settings,
  ) {}

  /**
   * The items of a response and of all before it.
   * @throws PreviousResponseNotFoundError if one of them is not there, InvalidRequestError if the latest is not over,
   * GatewayError if they are larger than a request may be
   */
  async before(id: string | null | undefined, referrer: Referrer): Promise<readonly InputItem[]> {
    if (id === null || id === undefined) {
      return [];
    }
    const steps = this.store.isOn ? await this.stepsTo(id, referrer) : [];
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
    return steps.flatMap(itemsOf);
  }

  /**
   * The input with the items in place of references to them.
   * @throws InvalidRequestError for an unknown one and for a second reference to the same, GatewayError if the responses
   * that hold them are larger than a request may be
   */
  async resolved(input: readonly InputItem[], referrer: Referrer): Promise<readonly InputItem[]> {
    const places = [...input.entries()].filter(([, item]) => isReference(item));
    const known = new Map<unknown, InputItem>();
    const read = new Set<string | undefined>();
    const size = new ReferredSize(this.settings.BODY_LIMIT, 'input');
    const seen = new Set<unknown>();
    // One after the other, and none behind one that is missing: a store that others write to is asked for a while.
    for (const [index, { id }] of places) {
      if (seen.has(id)) {
        throw new InvalidRequestError(`Duplicate item with id '${id as string}'.`, `input[${index}].id`);
      }
      seen.add(id);
      const response = responseOfItem(id as string);
      if (!read.has(response)) {
        read.add(response);
        const record = await this.find(response, referrer);
        if (record) {
          await referrer.admit(size.add(lengthOf([record])));
          itemsOf(record).forEach((item) => known.set(item.id, item));
        }
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
  private async stepsTo(id: string, { owner, admit }: Referrer): Promise<readonly ConversationStep[]> {
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

  private async find(id: string | undefined, { owner }: Referrer): Promise<FoundResponse | undefined> {
    return id !== undefined && this.store.isOn ? this.store.find({ id, owner }) : undefined;
  }
}

/** Bounds what a small request makes the gateway read: as much as a request may hold itself. */
class ReferredSize {
  private length = 0;

  constructor(
    private readonly maxLength: number,
    private readonly param: string,
  ) {}

  /** @returns the length that is added @throws GatewayError above the bound */
  add(length: number): number {
    this.length += length;
    if (this.length > this.maxLength) {
      throw new GatewayError(
        'payload_too_large',
        `The responses that this request refers to are larger than the limit of ${this.maxLength} bytes.`,
        { param: this.param },
      );
    }
    return length;
  }
}

function lengthOf(steps: readonly StepTexts[]): number {
  return steps.reduce((sum, { body, input }) => sum + body.length + input.length, 0);
}

/** What a response was asked, and what it answered. */
function itemsOf(step: Pick<ConversationStep, 'status' | 'body' | 'input'>): readonly InputItem[] {
  return [...(JSON.parse(step.input) as InputItem[]), ...outputOf(step)];
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
