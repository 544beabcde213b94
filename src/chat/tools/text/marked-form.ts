import { type DelimitedForm } from './delimited-forms.js';

/** A form of calls that a family of models announces by words which are single tokens of theirs. */
export interface MarkedForm {
  /** The models that write it. */
  readonly models: string;
  /** Calls of a tool `f` with `a` = 1, as they write them. */
  readonly examples: readonly string[];
  /** Markers that announce calls; several may follow each other. */
  readonly openers: readonly string[];
  /** Whether other JSON than that of calls may follow them. */
  readonly isGuess?: boolean;
  /** How each call is written, where values stand between markers. */
  readonly delimited?: DelimitedForm;
  /** Markers in front of the name of a call, in this order, each optional. */
  readonly beforeName?: readonly (string | RegExp)[];
  /** Markers between the name and the arguments, in this order, each optional. */
  readonly beforeArguments?: readonly (string | RegExp)[];
  /** Markers directly behind the arguments, in this order, each optional. */
  readonly behindArguments?: readonly (string | RegExp)[];
  /** Whether the name may be that of the addressee of a whole call in tags. */
  readonly isAddressed?: boolean;
  /** What ends each call, also one without arguments. */
  readonly end?: string;
  /** Whether its words are also those of prose, so that only a line that begins with them announces calls. */
  readonly isLine?: boolean;
  /** Markers behind a call or behind the last one. */
  readonly closers?: readonly string[];
}
