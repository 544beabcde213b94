/** A prompt that no upstream refuses, to find out whether it answers at all. */
export const HARMLESS_QUESTION = 'Please answer with the one word: Hello';
