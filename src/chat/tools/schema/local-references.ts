import { type JsonObject } from '../../../common/text/json-object.js';

/** Characters of the longest reference that is followed. */
const MAX_REFERENCE_CHARS = 1000;

/** Finds the parts of a schema that its local references (`#/…`) stand for, each once: one may be followed thousands of times. */
export class LocalReferences {
  private readonly found = new Map<string, unknown>();

  constructor(private readonly root: unknown) {}

  /** The part under a local reference; undefined if there is none. */
  resolve(reference: unknown): unknown {
    if (
      typeof reference !== 'string' ||
      !reference.startsWith('#') ||
      reference.length > MAX_REFERENCE_CHARS
    ) {
      return undefined;
    }
    if (!this.found.has(reference)) {
      this.found.set(reference, this.partAt(reference.slice(1)));
    }
    return this.found.get(reference);
  }

  private partAt(pointer: string): unknown {
    let part = this.root;
    for (const encoded of pointer.split('/').slice(1)) {
      const step = decodePercent(encoded).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) {
        return undefined;
      }
      part = (part as JsonObject)[step];
    }
    return part;
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
