import { type AnswerVerdict, type Correction, type Guard, type GuardHooks } from '../completion/guard.js';
import { shortenedAnswer } from '../completion/shortened-answer.js';
import { type DeltaSink } from '../completion/stages/stage.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { OutputSchema } from './output-schema.js';
import { type OutputProblem, StructuredOutputStage } from './structured-output.stage.js';

/**
 * Holds the answers to one request to its `response_format`. A model whose answer does not conform is asked once more,
 * for the whole value; members that have reached the caller are kept. Then the request fails if the schema is strict,
 * and the text is passed on otherwise.
 */
export class StructuredOutputGuard implements Guard {
  readonly holdsBack = true;
  private readonly sent = new Map<string, unknown>();
  private isCorrected = false;

  /** @param schema of `format` */
  constructor(
    private readonly format: ResponseFormat,
    private readonly schema: OutputSchema,
  ) {}

  /**
   * @param schemaField name of the schema in the caller's format, for errors
   * @returns undefined for text
   * @throws InvalidRequestError for a schema that cannot be evaluated
   */
  static of(format: ResponseFormat, schemaField: string): StructuredOutputGuard | undefined {
    const schema = OutputSchema.of(format, schemaField);
    return schema && new StructuredOutputGuard(format, schema);
  }

  stage(next: DeltaSink, hooks: GuardHooks): StructuredOutputStage {
    const { schema, sent } = this;
    const isContinued = sent.size > 0;
    return new StructuredOutputStage(next, {
      schema,
      sent,
      onProblem: (problem) => this.decide(problem, hooks, isContinued),
      end: hooks.end,
    });
  }

  private decide(problem: OutputProblem, hooks: GuardHooks, isContinued: boolean): AnswerVerdict {
    const fault = { cause: 'structured_output', detail: problem.detail } as const;
    hooks.settle();
    if (!this.isCorrected) {
      this.isCorrected = true;
      hooks.reject({ ...fault, action: 'ask_again', correction: outputCorrection(problem, this.format) });
      return 'stop';
    }
    // Behind members of the first answer, the text of the second one would make no sense.
    if (isContinued || isStrict(this.format)) {
      hooks.reject({ ...fault, action: 'fail' });
      return 'stop';
    }
    hooks.pass(fault);
    return 'pass';
  }
}

function isStrict(format: ResponseFormat): boolean {
  return format.type === 'json_schema' && format.json_schema.strict === true;
}

/** The correction for a model whose answer is not the JSON value that was asked for. */
function outputCorrection({ detail, text }: OutputProblem, format: ResponseFormat): Correction {
  const demand =
    format.type === 'json_schema'
      ? `one valid JSON value that conforms to this JSON Schema:\n${JSON.stringify(format.json_schema.schema)}`
      : 'one valid JSON object.';
  return {
    instruction: `Your last answer was not used. ${detail}

Write the whole answer again, from the first character on, without a code fence, a comment or any other word: ${demand}

Do not mention this correction.`,
    rejected: text.trim() === '' ? undefined : shortenedAnswer(text),
  };
}
