import {
  type ResponseKey,
  type StoredText,
  type TextKey,
} from '../../../src/responses/store/response-record.js';

/** A store of responses, or the table behind it. */
interface Readable {
  read(key: TextKey): StoredText | undefined | Promise<StoredText | undefined>;
}

/** What a store has of a response: its status and all of its texts. */
export interface StoredTexts {
  readonly status: string;
  readonly body: string | null;
  readonly input: string | null;
  readonly events: string | null;
}

export async function storedTexts(store: Readable, key: ResponseKey): Promise<StoredTexts | undefined> {
  const read = (column: TextKey['column']) =>
    store.read({ ...key, column, maxLength: Number.MAX_SAFE_INTEGER });
  const body = await read('body');
  // A shared store waits a while for what is not there.
  return (
    body && {
      status: body.status,
      body: body.text,
      input: (await read('input'))!.text,
      events: (await read('events'))!.text,
    }
  );
}

/** The same of a record. */
export function textsOf({ status, body, input, events }: StoredTexts): StoredTexts {
  return { status, body, input, events };
}
