/** A conversation's end and an answer to it, labelled. */
export interface LabelledReply {
  readonly kind: string;
  readonly name: string;
  /** The last user message. */
  readonly asked: string;
  readonly results: readonly { readonly text: string; readonly condensed?: string }[];
  readonly reply: string;
  /** Arguments of a call behind the text. */
  readonly call?: string;
}
