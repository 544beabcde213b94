import { partialSuffixLength } from './partial-suffix.js';

/**
 * The longest of the markers with which a text begins.
 * @returns undefined if there is none, `partial` if the text ends before that, or a longer one, is decided
 */
export function leadingMarker<T extends { readonly marker: string }>(
  text: string,
  candidates: readonly T[],
): T | 'partial' | undefined {
  let longest: T | undefined;
  for (const candidate of candidates) {
    const { marker } = candidate;
    if (text.length < marker.length && marker.startsWith(text)) {
      return 'partial';
    }
    if (text.startsWith(marker) && marker.length > (longest?.marker.length ?? 0)) {
      longest = candidate;
    }
  }
  return longest;
}

export interface FoundMarker {
  /** Where it begins; without one, where the text ends that surely belongs to none. */
  readonly at: number;
  readonly marker: string | undefined;
}

/** The first of the markers in a text. */
export function firstMarker(text: string, markers: readonly string[]): FoundMarker {
  let at = text.length;
  let marker: string | undefined;
  let partial = 0;
  for (const candidate of markers) {
    const found = text.indexOf(candidate);
    if (found >= 0 && found < at) {
      at = found;
      marker = candidate;
    }
    partial = Math.max(partial, partialSuffixLength(text, candidate));
  }
  return marker === undefined ? { at: text.length - partial, marker } : { at, marker };
}
