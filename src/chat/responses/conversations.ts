import { Injectable } from '@nestjs/common';
import { InvalidRequestError, PreviousResponseNotFoundError } from '../../common/errors/gateway.errors.js';
import { type InputItem } from './dto/input-items.validator.js';
import { responseOfItem } from './interfaces/response-ids.js';
import { isUnderWay, type ResponseObject } from './interfaces/response-object.js';
import { type ConversationStep } from './store/response-record.js';
import { ResponseStore } from './store/response-store.js';

/** Finds what a request refers to: the responses before it, and single items of stored ones. */
@Injectable()
export class Conversations {
  constructor(private readonly store: ResponseStore) {}

  /**
   * The items of a response and of all before it.
   * @throws PreviousResponseNotFoundError if one of them is not there, InvalidRequestError if the latest is not over
   */
  async before(id: string | null | undefined, owner: string): Promise<readonly InputItem[]> {
    if (id === null || id === undefined) {
      return [];
    }
    const steps = this.store.isOn ? await this.store.chain({ id, owner }) : [];
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
    return steps.flatMap((step) => [...(JSON.parse(step.input) as InputItem[]), ...outputOf(step)]);
  }

  /** The input with the items in place of references to them. @throws InvalidRequestError for an unknown one */
  async resolved(input: readonly InputItem[], owner: string): Promise<readonly InputItem[]> {
    if (!input.some(isReference)) {
      return input;
    }
    const known = new Map<string, InputItem>();
    const wanted = new Set(input.filter(isReference).map(({ id }) => responseOfItem(id as string)));
    for (const id of wanted) {
      const record = id !== undefined && this.store.isOn ? await this.store.find({ id, owner }) : undefined;
      if (record) {
        const items = [...(JSON.parse(record.input) as InputItem[]), ...outputOf(record)];
        items.forEach((item) => known.set(item.id as string, item));
      }
    }
    return input.map((item, index) => (isReference(item) ? lookUp(known, item.id as string, index) : item));
  }
}

function lookUp(known: ReadonlyMap<string, InputItem>, id: string, index: number): InputItem {
  const item = known.get(id);
  if (!item) {
    throw new InvalidRequestError(`Item with id '${id}' not found.`, `input[${index}].id`);
  }
  return item;
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
