/** Of any kind: only the place of an item counts, and what is there. */
const ITEM_ID = /^([a-z]+)_([0-9a-f]{32})\d+$/;

/** Id of an item, which tells the response that it belongs to. @param prefix by kind, e.g. `msg` */
export function itemId(prefix: string, response: string, index: number): string {
  return `${prefix}_${response.slice('resp_'.length)}${index}`;
}

/** Where an item is kept: in which response, and there among the items of its request or of its answer. */
export interface StoredItemPlace {
  readonly response: string;
  readonly column: 'input' | 'body';
}

/** Where an item of this id is; undefined if the id is not one of ours. */
export function placeOfItem(id: string): StoredItemPlace | undefined {
  const [, prefix, unique] = ITEM_ID.exec(id) ?? [];
  return unique === undefined
    ? undefined
    : { response: `resp_${unique}`, column: prefix === 'in' ? 'input' : 'body' };
}
