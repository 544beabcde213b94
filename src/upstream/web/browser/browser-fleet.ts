import { createHash } from 'node:crypto';
import { endpointName } from '../../../common/config/browser-endpoints.js';
import { type Settings } from '../../../common/config/settings.js';
import { type DriverLog } from '../../driver-log.js';
import { type UpstreamError } from '../../upstream.errors.js';
import { type PageRules } from './boundary/egress-policy.js';
import { BrowserLauncher } from './browser-launcher.js';
import { browserEndpoints, browserOptions } from './browser-options.js';
import { BrowserSupervisor, type SupervisorOptions } from './browser-supervisor.js';
import { type LaunchedBrowser } from './launched-browser.js';

/** A try costs a connection, and no start of a browser on this machine. */
const REMOTE_BACKOFF_MS = 8000;

/** One place where browsers run. */
interface FleetMember {
  /** Tells it from the others, at every start and in every gateway alike. */
  readonly key: string;
  readonly supervisor: Pick<BrowserSupervisor, 'browser' | 'outage' | 'suspect' | 'stopStarting' | 'close'>;
}

/**
 * The browsers of all endpoints, or the local one. Each account has an order of the endpoints of its own and uses the
 * first one that answers (rendezvous hashing), so that one that is lost moves its own accounts only, to all the others.
 * Contexts that are open elsewhere when it is back stay there until they are replaced anyway.
 */
export class BrowserFleet {
  constructor(private readonly members: readonly [FleetMember, ...FleetMember[]]) {}

  /** The fleet that the settings ask for. */
  static of(
    settings: Settings,
    rules: PageRules,
    { limits, clock, log }: Omit<SupervisorOptions, 'launcher'>,
  ): BrowserFleet {
    const endpoints = browserEndpoints(settings);
    const [first, ...others] = (endpoints.length > 0 ? endpoints : [undefined]).map((endpoint) => {
      const launcher = new BrowserLauncher(browserOptions(settings, rules, endpoint), clock);
      const report =
        endpoint && endpoints.length > 1
          ? (...[message, level]: Parameters<DriverLog>): void =>
              log(`${endpointName(endpoint)}: ${message}`, level)
          : log;
      const pauses = endpoint ? { maxBackoffMs: REMOTE_BACKOFF_MS } : {};
      const supervisor = new BrowserSupervisor({ launcher, limits, clock, log: report, ...pauses });
      return { key: endpoint?.url.href ?? 'local', supervisor };
    });
    return new BrowserFleet([first as FleetMember, ...others]);
  }

  /** Why there is no browser anywhere; undefined while one may be had. */
  get outage(): UpstreamError | undefined {
    const outages = this.members.map(({ supervisor }) => supervisor.outage);
    return outages.includes(undefined) ? undefined : outages[0];
  }

  /** Why browsers are out while others may be had. */
  get partialOutages(): readonly UpstreamError[] {
    return this.outage ? [] : this.members.flatMap(({ supervisor }) => supervisor.outage ?? []);
  }

  /**
   * The browser for an account's new work. Rejects with the error of the account's own endpoint if there is none at any;
   * endpoints that are known to be out are tried last.
   */
  async browser(accountId: string): Promise<LaunchedBrowser> {
    const order = preferenceOf(accountId, this.members);
    const isOut = ({ supervisor }: FleetMember): boolean => supervisor.outage !== undefined;
    const tries = [...order.filter((member) => !isOut(member)), ...order.filter(isOut)];
    const failures = new Map<FleetMember, unknown>();
    for (const member of tries) {
      try {
        return await member.supervisor.browser();
      } catch (error) {
        failures.set(member, error);
      }
    }
    throw failures.get(order[0] as FleetMember);
  }

  /** Pings all browsers at once; for callers whose own operation got stuck. */
  suspect(): void {
    this.members.forEach(({ supervisor }) => supervisor.suspect());
  }

  /** Starts no browser from now on; those that run serve on. */
  stopStarting(): void {
    this.members.forEach(({ supervisor }) => supervisor.stopStarting());
  }

  /** Ends all browsers. Never throws. */
  async close(): Promise<void> {
    await Promise.all(this.members.map(({ supervisor }) => supervisor.close()));
  }
}

/** The members in an account's order: by the hash of both names, the highest first. */
function preferenceOf(accountId: string, members: readonly FleetMember[]): readonly FleetMember[] {
  const scored = members.map((member) => ({
    member,
    score: createHash('sha256').update(`${accountId}\0${member.key}`).digest('hex'),
  }));
  return scored.sort((a, b) => (a.score > b.score ? -1 : 1)).map(({ member }) => member);
}
