import { describe, expect, it } from '@jest/globals';
import { InternalError } from '../common/errors/gateway.errors.js';
import {
  LocalResourceError,
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../upstream/upstream.errors.js';
import { FAILED_OPENING, type FailedAttempt, judgeFailure, type Verdict } from './failure-policy.js';

const UNCHANGED = { kind: 'unchanged' } as const;
const FAILED = { kind: 'failed' } as const;
const NEVER = { kind: 'never' } as const;
const AT_ONCE = { kind: 'at_once' } as const;
const BUDGETED = { kind: 'after_backoff', isBudgeted: true } as const;
const UNBUDGETED = { kind: 'after_backoff', isBudgeted: false } as const;

const LIMIT = new RateLimitedError(7000, { message: 'slow down' });
const COOLDOWN = { kind: 'cooldown', cooldownMs: 7000, cause: 'slow down', isOfModel: false } as const;
const OF_MODEL = new RateLimitedError(7000, { message: 'slow down', isOfModel: true });
const WALL = new LoginRequiredError('login_wall', '');
const BLOCKED = new LoginRequiredError('blocked', '');
const FAILURE = new UnavailableError('upstream_status_403', '');
const SLOW_PAGE = new UnavailableError('page_timeout', '');
const lost = (error: LoginRequiredError) => ({ kind: 'login_lost', error }) as const;

type Stage = FailedAttempt['stage'];
type Expected = [
  error: unknown,
  stage: Stage,
  account: Verdict['account'],
  upstream: Verdict['upstream'],
  retry: Verdict['retry'],
];

describe('judgeFailure', () => {
  it.each<Expected>([
    [LIMIT, 'sent', COOLDOWN, 'alive', AT_ONCE],
    [LIMIT, 'accepted', COOLDOWN, 'alive', AT_ONCE],
    [OF_MODEL, 'sent', { ...COOLDOWN, isOfModel: true }, 'alive', AT_ONCE],
    [LIMIT, 'answering', COOLDOWN, 'alive', NEVER],
    [WALL, 'sent', lost(WALL), 'unknown', AT_ONCE],
    [WALL, 'accepted', lost(WALL), 'unknown', AT_ONCE],
    [WALL, 'answering', lost(WALL), 'unknown', NEVER],
    [BLOCKED, 'sent', lost(BLOCKED), 'unknown', AT_ONCE],
    [new LoginReplacedError('403'), 'sent', UNCHANGED, 'unknown', AT_ONCE],
    [new LoginReplacedError('403'), 'accepted', FAILED, 'failed', NEVER],
    [new RejectedError('too_long', ''), 'sent', UNCHANGED, 'alive', NEVER],
    [
      new RejectedError('model_refused', ''),
      'sent',
      { kind: 'model_refused' },
      'alive',
      { kind: 'elsewhere' },
    ],
    [new InternalError('gateway_failed', 'x'), 'sent', UNCHANGED, 'unknown', NEVER],
    [FAILURE, 'sent', FAILED, 'failed', BUDGETED],
    [FAILURE, 'accepted', FAILED, 'failed', NEVER],
    [FAILURE, 'answering', FAILED, 'failed', NEVER],
    [
      new UnavailableError('upstream_status_503', '', { retryAfterMs: 3000 }),
      'sent',
      FAILED,
      'failed',
      { ...BUDGETED, notBeforeMs: 3000 },
    ],
    [SLOW_PAGE, 'sent', FAILED, 'unknown', BUDGETED],
    [new UnavailableError('connect_failed', ''), 'sent', FAILED, 'unreachable', BUDGETED],
    [new UnavailableError('proxy_failed', ''), 'sent', FAILED, 'unreachable', BUDGETED],
    [new UnavailableError('unsupported_field', ''), 'sent', UNCHANGED, 'alive', { kind: 'in_other_form' }],
    [new UnavailableError('unsupported_order', ''), 'sent', UNCHANGED, 'alive', { kind: 'in_other_form' }],
    [new LocalResourceError('EMFILE'), 'sent', UNCHANGED, 'unknown', BUDGETED],
    [new LocalResourceError('EMFILE'), 'accepted', UNCHANGED, 'unknown', NEVER],
    [new TypeError('bug'), 'sent', FAILED, 'failed', BUDGETED],
    ['not even an error', 'accepted', FAILED, 'failed', NEVER],
  ])('judges %s when %s', (error, stage, account, upstream, retry) => {
    expect(judgeFailure(error, { stage, isLoginCurrent: true })).toEqual({ account, upstream, retry });
  });

  it('takes the cooldown from the setting where the upstream names no time', () => {
    const { account } = judgeFailure(new RateLimitedError(), { stage: 'sent', isLoginCurrent: true });
    expect(account).toMatchObject({ kind: 'cooldown', cooldownMs: undefined });
  });

  it.each<Expected>([
    [LIMIT, 'sent', UNCHANGED, 'alive', AT_ONCE],
    [BLOCKED, 'accepted', UNCHANGED, 'unknown', AT_ONCE],
    [FAILURE, 'sent', UNCHANGED, 'unknown', AT_ONCE],
    [FAILURE, 'accepted', UNCHANGED, 'failed', NEVER],
  ])('holds %s against no account if the login was an earlier one, when %s', (...expected) => {
    const [error, stage, account, upstream, retry] = expected;
    expect(judgeFailure(error, { stage, isLoginCurrent: false })).toEqual({ account, upstream, retry });
  });

  it.each<[unknown, Verdict['account'], Verdict['retry']]>([
    [LIMIT, COOLDOWN, AT_ONCE],
    [WALL, lost(WALL), AT_ONCE],
    [new LoginReplacedError('403'), UNCHANGED, AT_ONCE],
    [new RejectedError('unsupported', ''), UNCHANGED, NEVER],
    [new RejectedError('model_refused', ''), UNCHANGED, { kind: 'elsewhere' }],
    [new LocalResourceError('EMFILE'), UNCHANGED, UNBUDGETED],
    [FAILURE, UNCHANGED, UNBUDGETED],
  ])('counts no failed prompt after a failed opening by %s', (error, account, retry) => {
    expect(judgeFailure(error, FAILED_OPENING)).toEqual({ account, upstream: 'unknown', retry });
  });
});
