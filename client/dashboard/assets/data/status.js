import { capital, clockTime, count, plural } from './format.js';
import { serverNow } from './server-clock.js';

/** For so long after a log record was lost, an operator should look. */
const FRESH_LOSS_MS = 15 * 60_000;

/**
 * Notices for an operator, from the most to the least pressing.
 *
 * @typedef {{ tone: 'bad' | 'warn' | 'info', text: string, more?: string, leftMs?: number,
 *   action?: 'login' | 'accounts' | 'add' | 'preview' | 'failures' }} Notice `more`: a hint; `leftMs`: time until it ends by itself
 */

/** Service state: one word for the header of every page. @returns {{ text: string, tone: 'ok' | 'warn' | 'bad' | 'none' }} */
export function serviceSign(status) {
  if (standsBy(status)) {
    return { text: 'Standing by', tone: 'none' };
  }
  if (status.readiness !== 'ok') {
    return { text: 'Not serving', tone: 'bad' };
  }
  const isFull = status.accounts.ready > 0 && notices(status).every(({ tone }) => tone === 'info');
  return isFull ? { text: 'Serving', tone: 'ok' } : { text: 'Impaired', tone: 'warn' };
}

/**
 * @param {any} status of `/dashboard/api/status`
 * @param {number} [now] Unix milliseconds of the gateway
 * @returns {readonly Notice[]}
 */
export function notices(status, now = serverNow()) {
  const { readiness, log } = status;
  const about = readiness === 'ok' ? impairment(status) : obstacle(status);
  const lost = logNotice(log, now);
  const full = fullTextsNotice(log);
  return [about, lost, full].filter((notice) => notice !== undefined);
}

/** Number for the badge at the accounts: those that wait for the operator. */
export function accountsBadge({ accounts }) {
  return accounts.login_required;
}

/** @returns {Notice} */
function obstacle({ readiness, detail, accounts }) {
  switch (readiness) {
    case 'browser_missing':
      return { tone: 'bad', text: 'Not serving: there is no browser.', more: detail };
    case 'browser_failed':
      return {
        tone: 'bad',
        text: 'Not serving: the browser failed. It is started again by itself.',
        more: detail,
      };
    case 'database_away':
      return {
        tone: 'bad',
        text: 'Not serving: the shared database does not answer. The accounts come back with it.',
      };
    case 'shutting_down':
      return { tone: 'bad', text: 'Not serving: the gateway is shutting down.' };
    case 'no_account':
      return noAccount(accounts);
    default:
      return { tone: 'bad', text: 'Not serving: the upstream cannot be reached.', more: detail };
  }
}

/** Whether the gateway is merely one more than are needed: others have accounts, and may give one up. */
function standsBy({ readiness, accounts }) {
  return readiness === 'no_account' && accounts.elsewhere > 0;
}

/** @returns {Notice} */
function noAccount({ all, elsewhere, login_required: out }) {
  if (elsewhere > 0) {
    const text = 'Standing by: other gateways use the accounts';
    return out > 0
      ? { tone: 'warn', text: `${text}, ${needLogin(out)}.`, action: 'login' }
      : { tone: 'info', text: `${text}.` };
  }
  if (all === 0) {
    return { tone: 'bad', text: 'Not serving: there is no account.', action: 'add' };
  }
  if (out === 0) {
    const whole = all === 1 ? 'the only account is' : `all ${count(all)} accounts are`;
    return { tone: 'bad', text: `Not serving: ${whole} disabled.`, action: 'accounts' };
  }
  return { tone: 'bad', text: `Not serving: ${outOf(out, all)}.`, action: 'login' };
}

/** @returns {Notice | undefined} */
function impairment({
  accounts,
  lostBrowsers = [],
  nextReadyMs,
  refusesForMs,
  refusesOneConversation,
  upstreamSilence,
  waiting,
}) {
  if (refusesForMs !== undefined && refusesOneConversation) {
    return {
      tone: 'warn',
      text: 'One conversation fails upstream every time, so only its requests are refused. The next one is let through in',
      leftMs: refusesForMs,
      action: 'failures',
    };
  }
  if (refusesForMs !== undefined) {
    return {
      tone: 'bad',
      text: 'The upstream keeps failing, so requests are refused. The next one is let through in',
      leftMs: refusesForMs,
      action: 'failures',
    };
  }
  const { all, ready, logging_in: joining, cooldown, login_required: out } = accounts;
  if (nextReadyMs !== undefined) {
    const also = out > 0 ? `, ${needLogin(out)}` : '';
    return {
      tone: 'warn',
      text: `No account is free: ${plural(cooldown, 'account')} ${cooldown === 1 ? 'cools' : 'cool'} down${also}. The first is back in`,
      leftMs: nextReadyMs,
      action: out > 0 ? 'login' : 'accounts',
    };
  }
  if (out > 0) {
    const also = cooldown > 0 ? `, ${count(cooldown)} ${cooldown === 1 ? 'cools' : 'cool'} down` : '';
    const serving = `${count(ready)} ${ready === 1 ? 'serves' : 'serve'}`;
    return { tone: 'warn', text: `${capital(outOf(out, all))}${also}, ${serving}.`, action: 'login' };
  }
  if (ready === 0 && joining > 0) {
    return { tone: 'warn', text: `${plural(joining, 'account')} logging in …` };
  }
  if (waiting > 0 && cooldown > 0) {
    return {
      tone: 'warn',
      text: `${plural(waiting, 'request')} waiting while ${plural(cooldown, 'account')} ${cooldown === 1 ? 'cools' : 'cool'} down.`,
      action: 'accounts',
    };
  }
  if (lostBrowsers.length > 0) {
    const [cannot, others] =
      lostBrowsers.length === 1
        ? ['A browser', 'it is']
        : [`${count(lostBrowsers.length)} browsers`, 'they are'];
    return {
      tone: 'warn',
      text: `${cannot} cannot be used. The others serve until ${others} back.`,
      more: lostBrowsers.join(' '),
    };
  }
  if (upstreamSilence !== undefined) {
    return {
      tone: 'warn',
      text: 'The upstream does not answer: its list of models cannot be read.',
      more: upstreamSilence,
    };
  }
  return undefined;
}

/** Requests are served without a log all the same, so nothing else would show it. @returns {Notice | undefined} */
function logNotice({ dropped, droppedAt, isHealthy }, now) {
  if (dropped === 0 && isHealthy !== false) {
    return undefined;
  }
  if (isHealthy !== false && now - droppedAt >= FRESH_LOSS_MS) {
    const time = clockTime(droppedAt, now);
    const text =
      dropped === 1
        ? `1 log record was lost at ${time}.`
        : `${plural(dropped, 'log record')} were lost, the last at ${time}.`;
    return { tone: 'info', text };
  }
  const present = isHealthy === false ? 'The log cannot be written at present. ' : '';
  const lost =
    dropped > 0
      ? `${plural(dropped, 'log record')} could not be stored and ${dropped === 1 ? 'is' : 'are'} lost. `
      : '';
  return {
    tone: 'warn',
    text: (present + lost).trim(),
    more: 'Requests are still served. The process log says why.',
  };
}

/** @returns {Notice | undefined} */
function fullTextsNotice({ fullTextsMs }) {
  return fullTextsMs === undefined
    ? undefined
    : {
        tone: 'info',
        text: 'The log keeps full texts of new requests for',
        leftMs: fullTextsMs,
        action: 'preview',
      };
}

function outOf(out, all) {
  return all === 1
    ? 'the only account needs a login'
    : `${count(out)} of ${count(all)} accounts ${out === 1 ? 'needs' : 'need'} a login`;
}

function needLogin(out) {
  return `${out === 1 ? '1 needs' : `${count(out)} need`} a login`;
}
