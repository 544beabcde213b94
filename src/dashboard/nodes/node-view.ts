import { type HeldState } from '../../accounts/registry/account-states.js';
import { type ListedNode } from '../../cluster/node-list.js';
import { type SettingsReport } from '../../cluster/shared-settings.js';
import { type Readiness } from '../../health/readiness.service.js';

/** Beats come each second; after so many are missing, something is wrong. */
const SILENT_MS = 5000;

/** Figures of each node, told with its beat. */
export interface NodeFigures {
  /** Its name for people, which the log keeps over restarts; missing while its log is not open. */
  readonly logName?: string;
  /** By how much the log of all nodes is behind its own; missing while its log is not open. */
  readonly logLagMs?: number;
  readonly readiness: Readiness;
  readonly uptimeMs: number;
  /** Completions under way. */
  readonly running: number;
  /** Requests that wait for a session. */
  readonly waiting: number;
  /** Sessions in use. */
  readonly leases: number;
  /** Open sessions; `idle` of them are not in use, and `opening` more are being opened. */
  readonly sessions: number;
  readonly idle: number;
  readonly opening: number;
  /** Most sessions that its accounts which are ready may have at once. */
  readonly capacity: number;
  /** Accounts in each state; each is counted by one node. */
  readonly states: Readonly<Record<HeldState, number>>;
}

/**
 * JSON of one node. `draining`: it stops, and finishes what runs. `silent`: it was not heard of for 5 s; killed, frozen or
 * cut off. `starting`: it has told nothing of itself yet.
 */
export interface NodeView extends Partial<Omit<NodeFigures, 'readiness'>>, Partial<SettingsReport> {
  readonly id: string;
  readonly version: string;
  readonly state: 'draining' | 'silent' | 'starting' | Readiness;
  readonly seenMsAgo: number;
  readonly accounts: number;
  readonly shares: number;
}

/** Whether nothing was heard of a node for so long that what it told does not hold any more. */
export function isSilent({ seenMsAgo }: Pick<ListedNode, 'seenMsAgo'>): boolean {
  return seenMsAgo > SILENT_MS;
}

export function toNodeView({ isDraining, seenMsAgo, report, ...node }: ListedNode): NodeView {
  const { readiness = 'starting', ...figures } = (report ?? {}) as Partial<NodeFigures & SettingsReport>;
  const state = isDraining ? 'draining' : readiness;
  return { ...figures, ...node, seenMsAgo, state: isSilent({ seenMsAgo }) ? 'silent' : state };
}
