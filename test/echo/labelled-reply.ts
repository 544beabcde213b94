/** The end of a conversation and an answer to it, labelled by kind. */
export interface LabelledReply {
  readonly kind: string;
  readonly name: string;
  /** The last user message. */
  readonly asked: string;
  /** With the JSON arguments of the calls that they answer; none by default. */
  readonly results: readonly {
    readonly text: string;
    readonly condensed?: string;
    readonly source?: string;
  }[];
  readonly reply: string;
  /** JSON arguments of a tool call behind the text; no call by default. */
  readonly call?: string;
}
