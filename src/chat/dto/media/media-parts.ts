import { MODALITIES } from '../../../common/config/model-table.js';
import { type InvalidRequestError } from '../../../common/errors/gateway.errors.js';
import { type Model } from '../../../models/model.js';
import { type ContentPart, type MediaKind, type MediaPart } from '../../interfaces/chat-message.js';
import { invalidField } from '../wire-values.js';

/** Whether the upstream takes parts of a kind for the model that is asked for. */
export type TakesMedia = (kind: MediaKind) => boolean;

export const TEXT_ONLY: TakesMedia = () => false;

/** Every kind for a model of which nothing is known. @param findModel asked only for a request that has such parts */
export function mediaTakenBy(findModel: () => Model): TakesMedia {
  return (kind) => findModel().modalities?.includes(kind) ?? true;
}

/** Position of a part, and what becomes of it there. */
export interface MediaPlace {
  readonly param: string;
  /** Whether a part that cannot be passed on is refused; else a note takes its place. See `mediaRefusedAt`. */
  readonly refusesMedia: boolean;
  readonly takes: TakesMedia;
}

/** Names of a part in its format. */
export interface MediaNames {
  /** What the format calls its parts. */
  readonly noun: string;
  readonly type: string;
  /** What a note calls it; default: its kind. */
  readonly noted?: string;
}

/**
 * A part with something else than text as upstreams take it, or the note that stands for it.
 * @param toPart undefined for what is only named, by an id of a provider or an address that no part has a place for
 * @throws InvalidRequestError for one that cannot go on, where that is refused
 */
export function mediaOrNote(
  kind: MediaKind,
  { param, refusesMedia, takes }: MediaPlace,
  { noun, type, noted = kind }: MediaNames,
  toPart: () => MediaPart | undefined,
): MediaPart | string {
  const isTaken = takes(kind);
  const part = isTaken ? toPart() : undefined;
  if (part) {
    return part;
  }
  if (refusesMedia) {
    throw isTaken ? dataMissingError(param) : notTakenError(param, noun, type, takes);
  }
  return isTaken ? unsentDataNote(noted) : omittedPartNote(noted, takes);
}

/** Text in place of a part in an older message of which only an id or an address was sent. */
export function unsentDataNote(what: string): string {
  return `[${what} left out: its data was not sent]`;
}

/** Text in place of a part in an older message, since a session that has one must be able to go on. */
export function omittedPartNote(what: string, takes: TakesMedia = TEXT_ONLY): string {
  return `[${what.slice(0, MAX_SHOWN)} left out: ${takenOnly(takes)}]`;
}

/** The error for such a part in the newest message of the user, whose answer would be about nothing. */
export function notTakenError(
  param: string,
  noun: string,
  type: string,
  takes: TakesMedia = TEXT_ONLY,
): InvalidRequestError {
  const shown = JSON.stringify(type.slice(0, MAX_SHOWN));
  return invalidField(param, `must be a text ${noun}: ${takenOnly(takes)} (got ${shown})`);
}

function takenOnly(takes: TakesMedia): string {
  const taken = MODALITIES.filter((kind) => kind === 'text' || takes(kind));
  return `this upstream takes ${LISTED.format(taken)} only`;
}

const LISTED = new Intl.ListFormat('en');

function dataMissingError(param: string): InvalidRequestError {
  return invalidField(param, 'must hold its data: files stored at a provider are not supported');
}

/** Texts and other parts as one content: texts alone become one, paragraph by paragraph. */
export function toContent(pieces: readonly (string | MediaPart)[]): string | readonly ContentPart[] {
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('\n\n')
    : pieces.map((piece) => (typeof piece === 'string' ? { type: 'text', text: piece } : piece));
}

/** The error for a part of another type there. */
export function unknownPart(param: string, type: string): InvalidRequestError {
  const shown = JSON.stringify(type.slice(0, MAX_SHOWN));
  return invalidField(param, `is of a type that this gateway does not know (got ${shown})`);
}

/** Types are the caller's words. */
const MAX_SHOWN = 40;
