import { createRequire } from 'node:module';
import type ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import type * as encoding from 'gpt-tokenizer/encoding/o200k_base';

/** The merge cache holds this many words; the library's default of 100,000 costs tens of megabytes. */
const CACHED_WORDS = 20_000;

export interface TokenLibrary {
  readonly encoding: typeof encoding;
  readonly vocabulary: typeof ranks;
}

const load = createRequire(import.meta.url);
let library: TokenLibrary | undefined;

/**
 * The library with its vocabulary. It is loaded at the first use, which takes 0.2 s and 70 MiB: a gateway in front of an API
 * that reports its usage may never need it.
 * @throws Error where it cannot be loaded, e.g. for want of descriptors; the next call tries again
 */
export function o200k(): TokenLibrary {
  if (!library) {
    library = {
      encoding: load('gpt-tokenizer/encoding/o200k_base') as typeof encoding,
      vocabulary: (load('gpt-tokenizer/bpeRanks/o200k_base') as { readonly default: typeof ranks }).default,
    };
    library.encoding.setMergeCacheSize(CACHED_WORDS);
  }
  return library;
}
