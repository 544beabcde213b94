/**
 * Reasons why an account may not take a request. `resting`: after a failed prompt, while another account can serve.
 * `other_model_limited`: by a limit of another model, while an account without one has a free session or is about to have
 * one. `model_refused`: the upstream has refused it the model, and there is another account to ask.
 */
const OBSTACLES = [
  'disabled',
  'login_required',
  'elsewhere',
  'cooldown',
  'half_open',
  'ramp',
  'resting',
  'tried_before',
  'other_model_limited',
  'model_refused',
  'no_free_session',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** Outcomes of the selection for one account. */
export const CHOICES = ['chosen', ...OBSTACLES, 'more_leases', 'used_more_recently'] as const;

/** An account as the selection sees it. */
export interface AccountCandidate {
  readonly name: string;
  /** Undefined if the account may take a lease now. */
  readonly obstacle: Obstacle | undefined;
  readonly leases: number;
  /** Number of the account's last lease; the smallest was used the longest ago. */
  readonly lastUse: number;
}

type Outcome = (typeof CHOICES)[number];

/** Outcome of the selection for one account, or for several that are not named, for the request log. */
export type ConsideredAccount =
  | { readonly account: string; readonly outcome: Outcome }
  | { readonly others: number; readonly outcome: Outcome };

/** Accounts that are named at most: each request keeps its own list, and each entry of it takes 60 bytes of the log. */
const MAX_NAMED = 50;

/** Order of selection: fewest leases first, then the least recently used. */
export function byUse(a: Pick<AccountCandidate, 'leases' | 'lastUse'>, b: typeof a): number {
  return a.leases - b.leases || a.lastUse - b.lastUse;
}

/** Selects among the accounts without an obstacle; gives the reason for each of the others. */
export function selectAccount<T extends AccountCandidate>(
  candidates: readonly T[],
): { chosen: T | undefined; considered: ConsideredAccount[] } {
  let chosen: T | undefined;
  for (const candidate of candidates) {
    if (candidate.obstacle === undefined && (!chosen || byUse(candidate, chosen) < 0)) {
      chosen = candidate;
    }
  }
  return { chosen, considered: considered(candidates, chosen) };
}

/** The chosen account and the first of the others by their names, and behind them how many more had which outcome. */
function considered<T extends AccountCandidate>(
  candidates: readonly T[],
  chosen: T | undefined,
): ConsideredAccount[] {
  const list: ConsideredAccount[] = [];
  const more = new Map<Outcome, number>();
  let places = MAX_NAMED - (chosen ? 1 : 0);
  for (const candidate of candidates) {
    const outcome = outcomeOf(candidate, chosen);
    if (candidate === chosen || places > 0) {
      places -= candidate === chosen ? 0 : 1;
      list.push({ account: candidate.name, outcome });
    } else {
      more.set(outcome, (more.get(outcome) ?? 0) + 1);
    }
  }
  more.forEach((others, outcome) => list.push({ others, outcome }));
  return list;
}

function outcomeOf(candidate: AccountCandidate, chosen: AccountCandidate | undefined): Outcome {
  if (candidate.obstacle !== undefined) {
    return candidate.obstacle;
  }
  if (candidate === chosen) {
    return 'chosen';
  }
  return chosen && candidate.leases > chosen.leases ? 'more_leases' : 'used_more_recently';
}
