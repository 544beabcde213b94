/** Why an account did not get a request. */
export type Obstacle =
  'disabled' | 'login_required' | 'cooldown' | 'half_open' | 'ramp' | 'tried_before' | 'no_free_session';

/** An account as the choice sees it. */
export interface AccountCandidate {
  readonly name: string;
  /** What keeps it from taking a lease now. */
  readonly obstacle: Obstacle | undefined;
  readonly leases: number;
  /** Grows with every lease that is given; the smallest was used the longest ago. */
  readonly lastUse: number;
}

/** One line of the request log: the account and why it was, or was not, taken. */
export interface ConsideredAccount {
  readonly account: string;
  readonly outcome: 'chosen' | Obstacle | 'more_leases' | 'used_more_recently';
}

/** Fewest leases first, then the one used the longest ago. */
export function byUse(a: Pick<AccountCandidate, 'leases' | 'lastUse'>, b: typeof a): number {
  return a.leases - b.leases || a.lastUse - b.lastUse;
}

/** Chooses among the accounts without an obstacle, and says of each other one why it lost. */
export function selectAccount<T extends AccountCandidate>(
  candidates: readonly T[],
): { chosen: T | undefined; considered: ConsideredAccount[] } {
  let chosen: T | undefined;
  for (const candidate of candidates) {
    if (candidate.obstacle === undefined && (!chosen || byUse(candidate, chosen) < 0)) {
      chosen = candidate;
    }
  }
  const considered = candidates.map((candidate) => ({
    account: candidate.name,
    outcome: outcomeOf(candidate, chosen),
  }));
  return { chosen, considered };
}

function outcomeOf(
  candidate: AccountCandidate,
  chosen: AccountCandidate | undefined,
): ConsideredAccount['outcome'] {
  if (candidate.obstacle !== undefined) {
    return candidate.obstacle;
  }
  if (candidate === chosen) {
    return 'chosen';
  }
  return chosen && candidate.leases > chosen.leases ? 'more_leases' : 'used_more_recently';
}
