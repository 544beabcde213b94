import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Characters of the host's name. */
const MAX_HOST_LENGTH = 40;

/** A name that no other has, and that tells people the machine. */
export function newNodeName(): string {
  return `${hostname().slice(0, MAX_HOST_LENGTH)}-${randomUUID().slice(0, 8)}`;
}
