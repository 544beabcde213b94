import { type Answer } from '../../chat/completion/answer.js';
import { carryText } from '../../chat/dto/carried-text.js';
import { argumentsObject } from '../../chat/tools/json/arguments-object.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';

/** Fields common to all chunks of one answer. */
export interface GeminiIdentity {
  readonly modelVersion: string;
  readonly responseId: string;
}

type GeminiFinishReason = 'STOP' | 'MAX_TOKENS' | 'SAFETY';

const FINISH_REASONS: Readonly<Record<FinishReason, GeminiFinishReason>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
};

/** Clients add texts up without looking whether a chunk has one. */
const NO_TEXT = { text: '' };

/** One answer in the format of the Gemini API. */
export class GeminiAnswer {
  constructor(
    private readonly identity: GeminiIdentity,
    /** Whether the caller sees what the model thinks. */
    readonly includesThoughts: boolean,
  ) {}

  /** A chunk that is not the last. Its figures come later, but BAML passes over chunks without any. */
  piece(part: object): object {
    return {
      candidates: [{ content: contentOf([part]), index: 0 }],
      usageMetadata: {},
      ...this.identity,
    };
  }

  /** The last chunk: the calls, why the answer ended, and figures. */
  end(answer: Answer, reason: FinishReason, usage: TokenUsage): object {
    return this.ended(answer, callParts(answer), reason, usage);
  }

  /** All of it. */
  readonly whole = (answer: Answer, reason: FinishReason, usage: TokenUsage): object => {
    const { reasoning } = answer;
    const text = answer.text + answer.refusal;
    const parts = [
      ...(this.includesThoughts && reasoning !== '' ? [thoughtPart(reasoning)] : []),
      ...(text === '' ? [] : [{ text }]),
      ...callParts(answer),
    ];
    return this.ended(answer, parts, reason, usage);
  };

  private ended(
    { refusal }: Answer,
    parts: readonly object[],
    reason: FinishReason,
    usage: TokenUsage,
  ): object {
    const finishReason = refusal === '' ? FINISH_REASONS[reason] : 'SAFETY';
    const content = contentOf(parts.length === 0 ? [NO_TEXT] : parts);
    return {
      candidates: [{ content, finishReason, index: 0 }],
      usageMetadata: usageMetadata(usage),
      ...this.identity,
    };
  }
}

export function thoughtPart(text: string): object {
  return { text, thought: true };
}

function contentOf(parts: readonly object[]): object {
  return { parts, role: 'model' };
}

/** The first has the thoughts before it in its signature: clients leave them out, and give that back. */
function callParts({ toolCalls, reasoning }: Answer): readonly object[] {
  return toolCalls.map(({ id, function: { name, arguments: json } }, index) => ({
    functionCall: { id, name, args: argumentsObject(json) },
    ...(index === 0 && reasoning !== '' && { thoughtSignature: carryText(reasoning) }),
  }));
}

/** Here the thoughts are no part of the answer. */
function usageMetadata({
  promptTokens,
  completionTokens,
  reasoningTokens,
  cachedTokens,
}: TokenUsage): object {
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: Math.max(0, completionTokens - reasoningTokens),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    totalTokenCount: promptTokens + completionTokens,
  };
}
