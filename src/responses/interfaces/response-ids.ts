const ITEM_ID = /^(?:rs|msg|fc|ctc|in)_([0-9a-f]{32})\d+$/;

/** @param unique 32 hexadecimal digits */
export function responseId(unique: string): string {
  return `resp_${unique}`;
}

/** Id of an item, which tells the response that it belongs to. @param prefix by kind, e.g. `msg` */
export function itemId(prefix: string, response: string, index: number): string {
  return `${prefix}_${response.slice('resp_'.length)}${index}`;
}

/** The response that an item of this id belongs to; undefined if the id is not one of ours. */
export function responseOfItem(id: string): string | undefined {
  const unique = ITEM_ID.exec(id)?.[1];
  return unique === undefined ? undefined : responseId(unique);
}
