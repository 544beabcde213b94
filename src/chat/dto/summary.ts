/** Stands before a summary that the model reads in place of what was said before. */
export const BEFORE_SUMMARY = 'Summary of the conversation so far:\n\n';
