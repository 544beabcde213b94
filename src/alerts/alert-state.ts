/** Watched values at one moment. */
export interface WatchedState {
  /** `ok`, or why no request can be served. */
  readonly readiness: string;
  /** Explanation of an outage. */
  readonly detail?: string | undefined;
  /** Names of the enabled accounts that need a login. */
  readonly accountsOut: readonly string[];
  /** Whether the log can be written. */
  readonly isLogHealthy: boolean;
}

/** Something that the operator should know; `text` is one sentence for people. */
export type Alert = { readonly text: string } & (
  | { readonly event: 'not_serving'; readonly reason: string }
  | { readonly event: 'account_needs_login' | 'account_back'; readonly account: string }
  | { readonly event: 'serving_again' | 'log_not_written' | 'log_written_again' }
);

/** The state of a gateway in which nothing is wrong. */
export const ALL_WELL: WatchedState = { readiness: 'ok', accountsOut: [], isLogHealthy: true };

/**
 * What is worth telling: what is better at once, what is worse only if two looks in a row say so.
 * @param reported the state reported last
 * @param before what the last look saw
 */
export function confirmed(reported: WatchedState, before: WatchedState, now: WatchedState): WatchedState {
  const isOutageNew = now.readiness !== 'ok' && before.readiness === 'ok';
  const { readiness, detail } = isOutageNew ? reported : now;
  return {
    readiness,
    detail,
    accountsOut: now.accountsOut.filter((name) =>
      [...reported.accountsOut, ...before.accountsOut].includes(name),
    ),
    isLogHealthy: now.isLogHealthy || (before.isLogHealthy && reported.isLogHealthy),
  };
}

/** A change for better or worse. */
export function alertsOf(before: WatchedState, now: WatchedState): Alert[] {
  return [...servingAlerts(before, now), ...accountAlerts(before, now), ...logAlerts(before, now)];
}

/** What an operator knows to whom one more alert was delivered. */
export function afterAlert(known: WatchedState, alert: Alert): WatchedState {
  switch (alert.event) {
    case 'not_serving':
      return { ...known, readiness: alert.reason };
    case 'serving_again':
      return { ...known, readiness: 'ok' };
    case 'account_needs_login':
      return { ...known, accountsOut: [...without(known.accountsOut, alert.account), alert.account] };
    case 'account_back':
      return { ...known, accountsOut: without(known.accountsOut, alert.account) };
    case 'log_not_written':
      return { ...known, isLogHealthy: false };
    case 'log_written_again':
      return { ...known, isLogHealthy: true };
  }
}

function without(names: readonly string[], one: string): string[] {
  return names.filter((name) => name !== one);
}

function servingAlerts(before: WatchedState, { readiness: reason, detail }: WatchedState): Alert[] {
  if (before.readiness === reason) {
    return [];
  }
  return reason === 'ok'
    ? [{ event: 'serving_again', text: 'The gateway serves again.' }]
    : [
        {
          event: 'not_serving',
          text: `The gateway does not serve: ${detail ?? reason.replaceAll('_', ' ')}.`.replace('..', '.'),
          reason,
        },
      ];
}

function accountAlerts({ accountsOut: before }: WatchedState, { accountsOut: now }: WatchedState): Alert[] {
  const out = now.filter((account) => !before.includes(account));
  const back = before.filter((account) => !now.includes(account));
  return [
    ...out.map((account): Alert => {
      return { event: 'account_needs_login', text: `The account '${account}' needs a login.`, account };
    }),
    ...back.map((account): Alert => {
      return { event: 'account_back', text: `The account '${account}' no longer needs a login.`, account };
    }),
  ];
}

function logAlerts({ isLogHealthy: before }: WatchedState, { isLogHealthy: now }: WatchedState): Alert[] {
  if (before === now) {
    return [];
  }
  return now
    ? [{ event: 'log_written_again', text: 'The log can be written again.' }]
    : [{ event: 'log_not_written', text: 'The log cannot be written: the process log says why.' }];
}
