import { type Request, type Response } from 'express';
import { callerKeyOf, ownerOf } from '../common/http/access/caller-key.js';
import { ADMITTED_AT_ONCE_BYTES, type BodyAdmission } from '../common/http/body/body-admission.js';
import { responseOwner } from './store/response-owner.js';
import { type StoredText, type TextColumn } from './store/response-record.js';
import { type ResponseStore } from './store/response-store.js';

/** Who reads stored responses. */
export interface ResponseReader {
  readonly owner: string;
  /** Waits until there is memory for so many bytes. Rejects with what the caller is to be told if there is none. */
  readonly admit: (bytes: number) => Promise<void> | undefined;
}

/** The caller of a request, who has what it reads in memory until its response is closed. */
export function responseReader(admission: BodyAdmission, http: Request, response: Response): ResponseReader {
  return {
    owner: responseOwner(http),
    admit: (bytes) => admission.waitForRoom(bytes, response, ownerOf(callerKeyOf(http))),
  };
}

/** One text of a stored response, whose length is asked for first if it is long. */
export async function readStoredText(
  store: Pick<ResponseStore, 'read'>,
  id: string,
  column: TextColumn,
  { owner, admit }: ResponseReader,
): Promise<StoredText | undefined> {
  for (let maxLength = ADMITTED_AT_ONCE_BYTES; ;) {
    const found = await store.read({ id, owner, column, maxLength });
    if (!found || found.length <= maxLength) {
      return found;
    }
    await admit(found.length);
    maxLength = found.length;
  }
}
