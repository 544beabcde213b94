import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type InputItem } from '../dto/input-items.validator.js';
import { type ListInputItemsDto } from '../dto/list-input-items.dto.js';

/** A page of the items of a request. */
export interface InputPage {
  readonly object: 'list';
  readonly data: readonly InputItem[];
  readonly first_id: unknown;
  readonly last_id: unknown;
  readonly has_more: boolean;
}

/** @throws InvalidRequestError if the item to begin after is not there */
export function inputPage(items: readonly InputItem[], query: ListInputItemsDto): InputPage {
  const { limit, order, after } = query;
  const ordered = order === 'asc' ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new InvalidRequestError(`Item with id '${after}' not found.`, 'after');
  }
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}
