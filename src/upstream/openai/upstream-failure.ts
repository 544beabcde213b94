import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  type UpstreamError,
} from '../upstream.errors.js';
import { isTooLong, readContextLimit } from './context-limit.js';
import { waitFromText } from './retry-after.js';

/** An upstream's failure to answer: an error status, or an error object within a stream. */
export interface Failure {
  readonly status?: number | undefined;
  /** Codes and types, then the message; for classification only. */
  readonly text: string;
  /** Codes and types alone, which the upstream chose: they repeat nothing of the request. */
  readonly codes: readonly string[];
  /** The text without codes and types. */
  readonly message: string;
  /** Wait that was asked for, in milliseconds; of a rate limit, by default that of the text. */
  readonly waitMs?: number | undefined;
  /** Words of the request that the text may repeat; they are not held against the account. */
  readonly quoted?: string;
  /** Whether words, in small letters, stand anywhere in the request. */
  readonly repeats?: (words: string) => boolean;
  /** Finds the field of the body that the text complains about, if it names one; few failures need it. */
  readonly field?: (this: void) => string | undefined;
}

/** What of a failure shows that the form of the request is at fault. */
export type FormFailure = Pick<Failure, 'status' | 'text' | 'quoted'>;

const RATE_LIMIT = anyOf([
  'rate.?limit', // rate_limit_exceeded
  'too.?many.?requests', // Too Many Requests
  'quota', // insufficient_quota
  'resource.?exhausted', // RESOURCE_EXHAUSTED
  '(?:^|;|error|code|status|http)\\W{0,3}429\\b', // Error code: 429
]);
/** Of a rate limit: it is that of the account for certain. Others may be of the model alone. */
const LIMIT_OF_ACCOUNT = anyOf([
  'insufficient.{0,20}(?:quota|balance|credit|fund)', // insufficient_quota
  'balance',
  'suspended', // Your account is suspended, please check your plan and billing details
]);
/** What stands in quotation marks comes from the request. */
const QUOTATION = /(?<!\w)(['"`])[^'"`]*\1(?!\w)/g;
/** Any echo of the request comes behind a quotation mark, a colon or a bracket. */
const BEFORE_ANY_ECHO = /^[^'"`:([{<]*/;
/** Before the words of a provider, by those who hand them on: OpenRouter and LiteLLM. */
const HANDED_ON = /^(?:provider returned error; )?(?:litellm\.\w+: (?:\w+: )?\w+ - )?/i;
/** Codes of an account that has no credit, or none that its owner allows it. */
const NO_CREDIT_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota', // OpenAI
  'billing_hard_limit_reached', // OpenAI
  'billing_not_active', // OpenAI
  'exceeded_current_quota_error', // Kimi
  'budget_exceeded', // LiteLLM
  'arrearage', // DashScope
  'allocationquota.freetieronly', // DashScope
  'accountoverdueerror', // Volcengine
]);
/** The like in words, which count only where a message begins with them: further behind they may be a caller's. */
const NO_CREDIT = anyOf(
  [
    'your credit balance is too low', // Anthropic
    'you have reached your specified api usage limits', // Anthropic
    'billing hard limit has been reached', // OpenAI
    'budget has been exceeded', // LiteLLM
    'access denied, please make sure your account is in good standing', // DashScope
    'key limit exceeded', // OpenRouter
  ],
  '^',
);
/** Nothing that may stand before words about a key: part of a longer name would be a caller's tool rather than a complaint. */
const NO_NAME_BEFORE = '(?<![\\w.:/-])';
const OF_BAD_KEY = [
  'invalid.?api.?key', // invalid_api_key
  '(?:incorrect|wrong).?api.?key', // Incorrect API key provided
  'api.?key.{0,20}(?:invalid|not valid|expired|revoked|disabled|deactivated)', // API key not valid
  'unauthori[sz]ed', // Unauthorized
];
const BAD_KEY = anyOf(OF_BAD_KEY, NO_NAME_BEFORE);
/** Of a 401 alone: a 400 may call a parameter so. */
const UNAUTHENTICATED = anyOf(
  [
    ...OF_BAD_KEY,
    'your api.?key', // Authentication Fails, Your api key: ****1234 is invalid
    'invalid.{0,20} (?:authentication|credentials|token|key)\\b', // Invalid proxy server token passed
    'invalid (?:x-api-key|authentication|credentials|token)\\b', // Invalid Authentication
    '(?:token|key) (?:has )?expired', // token expired or incorrect
    'expired.?(?:token|key)', // Expired Key
    'token.?not.?found', // token_not_found_in_db
    'no auth credentials', // No auth credentials found
    'not authenticated', // Not authenticated
  ],
  NO_NAME_BEFORE,
);
/** It does not say that the key is at fault: LiteLLM puts it before the failures of its database. */
const AUTHENTICATION = anyOf(['authentication.?(?:error|fail|required)'], NO_NAME_BEFORE);
/** Of a 401 or 403: the prompt is at fault, not the account. */
const FORBIDDEN_PROMPT = anyOf(['flagged', 'moderation']);
/** Of any other status: the like in codes, which repeat nothing of a request. */
const FILTER_CODES: ReadonlySet<string> = new Set([
  'content_filter', // Azure OpenAI, Kimi
  'data_inspection_failed', // DashScope
  'datainspectionfailed', // DashScope
]);
/** Of a 401, 403 or 404: the account may not use the model, or there is none of that name. */
const REFUSED_MODEL = anyOf([
  'access (?:to )?(?:the |this )?model', // key not allowed to access model
  'model.?access.?denied', // key_model_access_denied
  'model.?not.?found', // model_not_found
  'models?\\b.{0,200}(?:not exist|not found)', // The model `m` does not exist or you do not have access to it.
  // No endpoints found matching your data policy (OpenRouter); what they do not support is the request's doing
  'no endpoints (?:found|available) (?:matching|for)\\b',
]);
/** Of a 429: no wait makes room for it. */
const ABOVE_ANY_LIMIT = anyOf(['request too large', 'tokens must be reduced']);
/** Of chat templates and servers, about the order in which system, user and assistant speak. */
const REFUSED_ORDER = anyOf([
  // System message must be at the beginning. (Qwen 3.5)
  'system messages? (?:must|should|can only|may only) (?:be|come|appear) (?:at the |the )?(?:beginning|start|first)',
  // After the optional system message, conversation roles must alternate user/assistant/user/assistant/... (Mistral, Gemma)
  'roles must alternate',
  'unexpected role \\W?system\\b', // Unexpected role 'system' after role 'user' (Mistral's own server)
  'only the first message can be a system',
  'system role (?:is )?not supported', // Gemma 2, which no order helps: its caller must do without
]);
/** Statuses that say nothing of the request. */
const ABOUT_ACCOUNTS: ReadonlySet<number | undefined> = new Set([401, 402, 403, 429]);
const BAD_REQUEST = /invalid.?request|bad.?request/i;

/** The typed error for a failure. Its message repeats nothing of the upstream's text, which can name keys, hosts and users. */
export function toUpstreamError(failure: Failure): UpstreamError {
  const { status, text, codes, message } = failure;
  if (status === 429 && ABOVE_ANY_LIMIT.test(text)) {
    return new RejectedError('too_long', 'The prompt exceeds every limit of the upstream.');
  }
  if (isLimit(failure)) {
    const waitMs = failure.waitMs ?? waitFromText(text);
    const isOfAccount = status === 402 || lacksCredit(failure) || LIMIT_OF_ACCOUNT.test(text);
    return new RateLimitedError(waitMs, { isOfModel: !isOfAccount });
  }
  if ((isForbidding(status) || status === 404) && REFUSED_MODEL.test(text)) {
    return new RejectedError(
      'model_refused',
      'The upstream has no model of this name, or does not let this gateway use it.',
    );
  }
  if (isFiltered(failure)) {
    return new RejectedError('invalid_request', 'A filter of the upstream refuses this prompt.');
  }
  const refusedLogin = toLoginError(failure);
  if (refusedLogin) {
    return refusedLogin;
  }
  if (status === 413 || ((status ?? 400) < 500 && isTooLong(message, codes))) {
    return new RejectedError('too_long', 'The conversation is too long for the upstream.', {
      contextLimit: readContextLimit(message, failure.repeats),
    });
  }
  // Ollama and llama.cpp say it with a status of their own failures, which would stop all other requests as well.
  if (refusesOrder(failure)) {
    return new RejectedError('invalid_request', 'The upstream rejects the messages in this order.');
  }
  if (isRefusal(status) || (status === undefined && BAD_REQUEST.test(text))) {
    const shown = status === undefined ? '' : ` (status ${status})`;
    return new RejectedError('invalid_request', `The upstream refused the request${shown}.`, {
      field: failure.field?.(),
    });
  }
  if (status === undefined) {
    return new UnavailableError('upstream_error', 'The upstream reported an error in its answer.');
  }
  return new UnavailableError(`upstream_status_${status}`, `The upstream answered with status ${status}.`, {
    retryAfterMs: status >= 500 ? failure.waitMs : undefined,
  });
}

function isLimit(failure: Failure): boolean {
  const { status, text } = failure;
  return (
    status === 429 ||
    status === 402 ||
    (mayAccuse(status) && lacksCredit(failure)) ||
    (status === undefined && accuses(text.replace(QUOTATION, ''), RATE_LIMIT, failure))
  );
}

/** Undefined if the failure is not about the key. */
function toLoginError(failure: Failure): LoginRequiredError | undefined {
  const { status } = failure;
  if (!mayAccuse(status)) {
    return undefined;
  }
  const ownWords = beforeEcho(failure);
  if (accuses(ownWords, status === 401 ? UNAUTHENTICATED : BAD_KEY, failure)) {
    return new LoginRequiredError(
      'invalid_credentials',
      'The upstream does not accept the key of this account.',
    );
  }
  // It may be about the prompt all the same, in other words, or by a firewall in front.
  return isForbidding(status) || accuses(ownWords, AUTHENTICATION, failure)
    ? new LoginRequiredError('login_wall', 'The upstream forbids the request for this account.', {
        isOfConversation: true,
      })
    : undefined;
}

/** Whether the upstream complains of the order of the messages, whatever the status, unless that is about the account. */
export function refusesOrder(failure: FormFailure): boolean {
  return !ABOUT_ACCOUNTS.has(failure.status) && accuses(failure.text, REFUSED_ORDER, failure);
}

/** Whether the prompt is refused for what it says. */
function isFiltered({ status, text, codes }: Failure): boolean {
  return isForbidding(status)
    ? FORBIDDEN_PROMPT.test(text)
    : (status ?? 400) < 500 && codes.some((code) => FILTER_CODES.has(code.toLowerCase()));
}

function isForbidding(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** Whether words about the account may come with a status, or without one in an answer: it stands for other things as well. */
function mayAccuse(status: number | undefined): boolean {
  return status === undefined || status === 400 || isForbidding(status);
}

function lacksCredit(failure: Failure): boolean {
  return (
    failure.codes.some((code) => NO_CREDIT_CODES.has(code.toLowerCase())) ||
    accuses(providersMessage(failure), NO_CREDIT, failure)
  );
}

/** The codes, and what the message says ahead of any echo. */
function beforeEcho(failure: Failure): string {
  return [...failure.codes, BEFORE_ANY_ECHO.exec(providersMessage(failure))?.[0] ?? ''].join('; ');
}

function providersMessage({ message }: Failure): string {
  return message.replace(HANDED_ON, '');
}

/**
 * Whether the upstream says so by itself: what repeats the request must count neither against its account nor its model.
 * A rate limit is searched for in more of the text than a bad key, which takes the account out for good.
 * @param ownWords of the upstream
 */
function accuses(ownWords: string, complaint: RegExp, { quoted = '' }: FormFailure): boolean {
  const words = complaint.exec(ownWords)?.[0];
  return words !== undefined && !quoted.toLowerCase().includes(words.toLowerCase());
}

/**
 * 4xx that refuse no request for good: timeout (408), conflict (409), a failed generation (424, TGI), too early (425),
 * no capacity (498, Groq) and a request that was cancelled (499).
 */
const PASSING = [408, 409, 424, 425, 498, 499];

/** Whether the status refuses the request for good. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !PASSING.includes(status);
}

/** Text for the log of network traffic: with the system's error of the connection, without the upstream's words. */
export function networkError({ fault, message, cause }: UpstreamError): string {
  const detail = cause instanceof Error && 'code' in cause ? ` (${cause.message})` : '';
  return `${fault}: ${message}${detail}`;
}

/** Matches a text that holds one of the patterns, in any case, where the prefix allows its beginning. */
function anyOf(patterns: readonly string[], prefix = ''): RegExp {
  return new RegExp(`${prefix}(?:${patterns.join('|')})`, 'i');
}
