import { type TestAnswer, TESTED_MESSAGES, testFailure } from '../../accounts/dispatch/account-test.js';
import { asGatewayError, InternalError } from '../../common/errors/gateway.errors.js';
import { causesOf } from '../../common/errors/message-with-causes.js';
import { cutLength, keptText, type LogContent } from '../../logs/records/log-content.js';
import {
  type ContentRecord,
  type RequestError,
  type RequestOutcome,
} from '../../logs/records/request-log-entry.js';

/** What came of a test, for the operator and for the log. */
export interface TestEnd {
  /** See `AccountTestView`. */
  readonly outcome: string;
  /** See `AccountTestView`. */
  readonly message?: string;
  readonly logged: RequestOutcome;
  readonly error?: RequestError;
  readonly answer?: TestAnswer;
}

/**
 * The end of a test that did not fail.
 * @param limitMs time after which it was stopped, if the answer is not whole
 */
export function endOfTest(answer: TestAnswer, hasBegun: boolean, limitMs: number): TestEnd {
  const ok = { outcome: 'ok', logged: 'ok', answer } as const;
  const limit = `${limitMs / 1000} s`;
  if (!hasBegun) {
    const what = `the account did not begin to answer within ${limit}.`;
    return endOfFailedTest(new InternalError('upstream_timeout', what));
  }
  if (!answer.isWhole) {
    return { ...ok, message: `The answer was not over after ${limit}, and was stopped.` };
  }
  return answer.text + answer.reasoning === '' ? { ...ok, message: 'The answer was empty.' } : ok;
}

export function endOfFailedTest(error: unknown): TestEnd {
  const failure = asGatewayError(error);
  const { code, reason, message } = failure;
  const cause = causesOf(failure);
  return {
    ...testFailure(failure),
    logged: loggedAs(code, reason),
    error: { code, reason, message, ...(cause !== '' && { cause }) },
  };
}

function loggedAs(code: RequestError['code'], reason: RequestError['reason']): RequestOutcome {
  if (reason === 'shutting_down') {
    return 'shutdown';
  }
  return code === 'rate_limit' ? 'rate_limited' : 'upstream_error';
}

/** The texts of a test that the log keeps; undefined with `none`. */
export function testedContent(answer: TestAnswer | undefined, mode: LogContent): ContentRecord | undefined {
  const { text = '', reasoning = '' } = answer ?? {};
  return mode === 'none'
    ? undefined
    : {
        messages: TESTED_MESSAGES,
        reasoning: keptText(reasoning, mode) ?? '',
        reasoningChars: cutLength(reasoning, mode).chars,
        answer: keptText(text, mode) ?? '',
        answerChars: cutLength(text, mode).chars,
      };
}
