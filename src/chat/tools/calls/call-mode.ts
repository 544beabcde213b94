/**
 * Whether markup declares a text to be a tool call. A guess becomes a call only if it has the complete form of one;
 * otherwise it stays text.
 */
export type CallMode = 'declared' | 'guessed';
