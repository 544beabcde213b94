import { type TokenUsage } from '../../../upstream/upstream-driver.js';

/** Where an answer stands among those of one response, which are made one after the other. */
export interface ChoicePlace {
  /** From 0. */
  readonly index: number;
  readonly isLast: boolean;
  /** Of the answers before it; undefined for the first. */
  readonly usageBefore?: TokenUsage | undefined;
}

/** That of an answer which is all of its response. */
export const ONLY_CHOICE: ChoicePlace = { index: 0, isLast: true };

/** What answers have used together. @param before undefined if there was none */
export function addUsage(before: TokenUsage | undefined, usage: TokenUsage): TokenUsage {
  if (before === undefined) {
    return usage;
  }
  const written = [before.cacheWriteTokens, usage.cacheWriteTokens].filter((tokens) => tokens !== undefined);
  return {
    promptTokens: before.promptTokens + usage.promptTokens,
    completionTokens: before.completionTokens + usage.completionTokens,
    reasoningTokens: before.reasoningTokens + usage.reasoningTokens,
    cachedTokens: before.cachedTokens + usage.cachedTokens,
    ...(written.length > 0 && { cacheWriteTokens: written.reduce((sum, tokens) => sum + tokens) }),
  };
}
