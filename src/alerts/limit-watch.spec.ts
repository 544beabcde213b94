import { expect, it } from '@jest/globals';
import { LimitWatch } from './limit-watch.js';

const OK = { outcome: 'ok', firstAnswerMs: 5 } as const;
const OF_THE_GATEWAY = { outcome: 'ok' } as const;
const BROKEN = { outcome: 'cancelled', firstAnswerMs: 5 } as const;
const LIMITED = { outcome: 'rate_limited', error: { code: 'rate_limit', reason: 'rate_limited' } } as const;
const OWN_LIMIT = { outcome: 'rate_limited', error: { code: 'rate_limit', reason: 'key_limited' } } as const;
const FAILED = {
  outcome: 'upstream_error',
  error: { code: 'internal_error', reason: 'upstream_idle' },
} as const;

it.each([
  ['nothing was asked for', [], 0, false],
  ['one request was refused', [LIMITED], 0, false],
  ['requests are refused', [LIMITED, LIMITED, LIMITED], 2, false],
  ['one was served before', [LIMITED, OK, LIMITED, LIMITED], 1, true],
  ['one was served at last', [LIMITED, LIMITED, OK], 0, true],
  ['the gateway itself answers one', [LIMITED, OF_THE_GATEWAY, LIMITED], 2, false],
  ['an answer began', [LIMITED, BROKEN, LIMITED, LIMITED], 1, true],
  ['others fail', [FAILED, LIMITED, FAILED, LIMITED, FAILED], 2, false],
  ['a key has used up its own limit', [OWN_LIMIT, OWN_LIMIT], 0, false],
])('counts what meets limits alone where %s', (_, entries, limitedForMs, hasServed) => {
  const watch = new LimitWatch();
  for (const [at, entry] of entries.entries()) {
    watch.count(entry, at);
  }
  expect(watch).toMatchObject({ limitedForMs, hasServed });
});
