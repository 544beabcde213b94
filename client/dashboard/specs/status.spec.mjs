import { describe, expect, it } from '@jest/globals';
import { accountsBadge, notices, serviceSign } from '../assets/data/status.js';

const NOW = new Date(2030, 0, 31, 12).getTime();
const NONE = { all: 0, ready: 0, logging_in: 0, cooldown: 0, login_required: 0, disabled: 0, elsewhere: 0 };
const status = (accounts, more = {}) => ({
  readiness: 'ok',
  accounts: { ...NONE, ...accounts },
  waiting: 0,
  log: { isHealthy: true, dropped: 0 },
  ...more,
});
const down = (accounts, readiness = 'no_account', detail = undefined) =>
  status(accounts, { readiness, detail });

describe('notices', () => {
  it.each([
    ['nothing to say', status({ all: 3, ready: 3 }), []],
    ['some disabled, the rest ready', status({ all: 3, ready: 1, disabled: 2 }), []],
    ['some cool, nobody waits', status({ all: 3, ready: 2, cooldown: 1 }), []],
    [
      'the upstream keeps failing',
      status({ all: 3, ready: 3 }, { refusesForMs: 4000 }),
      [
        {
          tone: 'bad',
          text: 'The upstream keeps failing, so requests are refused. The next one is let through in',
          leftMs: 4000,
          action: 'failures',
        },
      ],
    ],
    [
      'the upstream fails at one conversation',
      status({ all: 3, ready: 3 }, { refusesForMs: 4000, refusesOneConversation: true }),
      [
        {
          tone: 'warn',
          text: 'One conversation fails upstream every time, so only its requests are refused. The next one is let through in',
          leftMs: 4000,
          action: 'failures',
        },
      ],
    ],
    [
      'one browser is lost, others serve',
      status({ all: 3, ready: 3 }, { lostBrowsers: ['http://one:9222 cannot be used: ECONNREFUSED.'] }),
      [
        {
          tone: 'warn',
          text: 'A browser cannot be used. The others serve until it is back.',
          more: 'http://one:9222 cannot be used: ECONNREFUSED.',
        },
      ],
    ],
    [
      'two browsers are lost, others serve',
      status({ all: 3, ready: 3 }, { lostBrowsers: ['One is out.', 'Two is out.'] }),
      [
        {
          tone: 'warn',
          text: '2 browsers cannot be used. The others serve until they are back.',
          more: 'One is out. Two is out.',
        },
      ],
    ],
    [
      'the upstream does not answer',
      status({ all: 2, ready: 2 }, { upstreamSilence: 'Connection refused.' }),
      [
        {
          tone: 'warn',
          text: 'The upstream does not answer: its list of models cannot be read.',
          more: 'Connection refused.',
        },
      ],
    ],
    [
      'some need a login',
      status({ all: 3, ready: 2, login_required: 1 }),
      [{ tone: 'warn', text: '1 of 3 accounts needs a login, 2 serve.', action: 'login' }],
    ],
    [
      'some need a login, and not all others serve',
      status({ all: 4, ready: 1, login_required: 2, cooldown: 1 }),
      [{ tone: 'warn', text: '2 of 4 accounts need a login, 1 cools down, 1 serves.', action: 'login' }],
    ],
    [
      'all need a login',
      down({ all: 3, login_required: 3 }),
      [{ tone: 'bad', text: 'Not serving: 3 of 3 accounts need a login.', action: 'login' }],
    ],
    [
      'the only one needs a login',
      down({ all: 1, login_required: 1 }),
      [{ tone: 'bad', text: 'Not serving: the only account needs a login.', action: 'login' }],
    ],
    [
      'the database is away',
      down({}, 'database_away', 'the shared database cannot be reached'),
      [
        {
          tone: 'bad',
          text: 'Not serving: the shared database does not answer. The accounts come back with it.',
        },
      ],
    ],
    ['none', down({}), [{ tone: 'bad', text: 'Not serving: there is no account.', action: 'add' }]],
    [
      'a stand-by',
      down({ all: 1, disabled: 1, elsewhere: 2 }),
      [{ tone: 'info', text: 'Standing by: other gateways use the accounts.' }],
    ],
    [
      'a stand-by of which an account needs a login',
      down({ all: 1, login_required: 1, elsewhere: 2 }),
      [
        {
          tone: 'warn',
          text: 'Standing by: other gateways use the accounts, 1 needs a login.',
          action: 'login',
        },
      ],
    ],
    [
      'all disabled',
      down({ all: 2, disabled: 2 }),
      [{ tone: 'bad', text: 'Not serving: all 2 accounts are disabled.', action: 'accounts' }],
    ],
    [
      'all cool, some out',
      status({ all: 3, cooldown: 1, login_required: 2 }, { nextReadyMs: 4000 }),
      [
        {
          tone: 'warn',
          text: 'No account is free: 1 account cools down, 2 need a login. The first is back in',
          leftMs: 4000,
          action: 'login',
        },
      ],
    ],
    ['logging in', status({ all: 2, logging_in: 2 }), [{ tone: 'warn', text: '2 accounts logging in …' }]],
    [
      'no browser',
      down({ all: 1, ready: 1 }, 'browser_missing', 'No browser to start.'),
      [{ tone: 'bad', text: 'Not serving: there is no browser.', more: 'No browser to start.' }],
    ],
    [
      'full texts',
      status({ all: 1, ready: 1 }, { log: { isHealthy: true, dropped: 0, fullTextsMs: 5 } }),
      [
        {
          tone: 'info',
          text: 'The log keeps full texts of new requests for',
          leftMs: 5,
          action: 'preview',
        },
      ],
    ],
    [
      'a full disk',
      status({ all: 1, ready: 1 }, { log: { isHealthy: false, dropped: 2, droppedAt: 0 } }),
      [
        {
          tone: 'warn',
          text: 'The log cannot be written at present. 2 log records could not be stored and are lost.',
          more: 'Requests are still served. The process log says why.',
        },
      ],
    ],
    [
      'records that were just lost',
      status({ all: 1, ready: 1 }, { log: { isHealthy: true, dropped: 1, droppedAt: NOW - 899_999 } }),
      [
        {
          tone: 'warn',
          text: '1 log record could not be stored and is lost.',
          more: 'Requests are still served. The process log says why.',
        },
      ],
    ],
    [
      'records that were lost',
      status({ all: 1, ready: 1 }, { log: { isHealthy: true, dropped: 3, droppedAt: NOW - 900_000 } }),
      [{ tone: 'info', text: '3 log records were lost, the last at 11:45:00.' }],
    ],
  ])('%s', (_name, given, expected) => {
    expect(notices(given, NOW)).toEqual(expected);
  });
});

describe('serviceSign', () => {
  it('is green only while every probe would be', () => {
    const tones = [
      status({ all: 3, ready: 3 }),
      status({ all: 3, ready: 2, login_required: 1 }),
      status({ all: 1, logging_in: 1 }),
      status({ all: 1, cooldown: 1 }, { nextReadyMs: 1 }),
      down({ all: 3, login_required: 3 }),
      down({ all: 1, ready: 1 }, 'browser_failed'),
      down({ all: 1, ready: 1 }, 'upstream_down'),
      down({ all: 1, ready: 1 }, 'shutting_down'),
      down({ elsewhere: 1 }),
      down({ elsewhere: 1 }, 'upstream_down'),
      status({ all: 3, ready: 3 }, { log: { isHealthy: true, dropped: 1, droppedAt: 0 } }),
    ].map((one) => serviceSign(one).tone);
    expect(tones).toEqual(['ok', 'warn', 'warn', 'warn', 'bad', 'bad', 'bad', 'bad', 'none', 'bad', 'ok']);
  });
});

it('counts the accounts that wait for the operator', () => {
  expect(accountsBadge(status({ all: 5, login_required: 2, disabled: 1 }))).toBe(2);
});
