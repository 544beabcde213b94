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

/** Something that the operator should know. */
export interface Alert {
  readonly event:
    | 'not_serving'
    | 'serving_again'
    | 'account_needs_login'
    | 'account_back'
    | 'log_not_written'
    | 'log_written_again';
  /** One sentence for people. */
  readonly text: string;
  /** Name of the account, where it is about one. */
  readonly account?: string;
  /** Why nothing is served. */
  readonly reason?: string;
}

/** The state of a gateway in which nothing is wrong. */
export const ALL_WELL: WatchedState = { readiness: 'ok', accountsOut: [], isLogHealthy: true };

/**
 * What is worth telling: what is better at once, what is worse only if two looks in a row say so.
 * @param told what was told last
 * @param before what the last look saw
 */
export function confirmed(told: WatchedState, before: WatchedState, now: WatchedState): WatchedState {
  const isOutageNew = now.readiness !== 'ok' && before.readiness === 'ok';
  const { readiness, detail } = isOutageNew ? told : now;
  return {
    readiness,
    detail,
    accountsOut: now.accountsOut.filter((name) =>
      [...told.accountsOut, ...before.accountsOut].includes(name),
    ),
    isLogHealthy: now.isLogHealthy || (before.isLogHealthy && told.isLogHealthy),
  };
}

/** A change for better or worse. */
export function alertsOf(before: WatchedState, now: WatchedState): Alert[] {
  return [...servingAlerts(before, now), ...accountAlerts(before, now), ...logAlerts(before, now)];
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
    : [{ event: 'log_not_written', text: 'The log cannot be written. Is the disk full?' }];
}
