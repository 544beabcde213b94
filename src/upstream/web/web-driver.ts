import { type Settings } from '../../common/config/settings.js';
import { type PageVisitor } from '../../common/live-page/page-visitor.js';
import { type NetworkLog, NoNetworkLog } from '../../common/network/network-log.js';
import { type Clock } from '../../common/time/clock.js';
import { type DriverLog } from '../driver-log.js';
import { type UpstreamError } from '../upstream.errors.js';
import {
  type AccountSeed,
  type CredentialField,
  type UpstreamAccount,
  UpstreamDriver,
  type UpstreamSession,
} from '../upstream-driver.js';
import { AccountContexts } from './account/account-contexts.js';
import { siteCredentials } from './account/site-credentials.js';
import { BrowserFleet } from './browser/browser-fleet.js';
import { logInByHand } from './hand-over/log-in-by-hand.js';
import { type TemplateValues } from './recipe/recipe-template.js';
import { type SiteRecipe } from './recipe/site-recipe.js';
import { pageRules, type Site, siteVariables } from './site.js';
import { WEB_LIMITS, type WebLimits } from './web-limits.js';
import { WebSession } from './web-session.js';

export interface WebDriverOptions {
  readonly recipe: SiteRecipe;
  /** Values for placeholders, e.g. `{ 'site.origin': 'https://chat.example' }`; they override the recipe's. */
  readonly variables?: TemplateValues;
  /** Accounts that come with the configuration. */
  readonly seeds?: readonly AccountSeed[];
  readonly settings: Settings;
  readonly clock: Clock;
  /** Writes one line for the operator: browser starts, losses, logins. */
  readonly log: DriverLog;
  /** Log of the pages' traffic; none by default. */
  readonly network?: NetworkLog | undefined;
  /** `WEB_LIMITS` by default; shorter ones are for tests. */
  readonly limits?: Partial<WebLimits>;
}

/** Reaches a chat site through a real browser, as its recipe says. */
export class WebDriver extends UpstreamDriver {
  private readonly site: Site;
  private readonly fleet: BrowserFleet;
  private readonly contexts: AccountContexts;

  constructor(private readonly options: WebDriverOptions) {
    super();
    const { recipe, settings, clock, log, network = new NoNetworkLog() } = options;
    const variables = siteVariables(recipe, options.variables);
    const limits = { ...WEB_LIMITS, ...options.limits };
    this.site = { recipe, variables, settings, limits, clock, log, network };
    this.fleet = BrowserFleet.of(settings, pageRules(recipe, variables), { limits, clock, log });
    this.contexts = new AccountContexts(this.fleet, this.site);
  }

  /** Answers that are read off the page come without their markup. */
  override get isLossy(): boolean {
    return this.options.recipe.capture.mode === 'dom';
  }

  override get imageLimit(): number {
    return this.options.recipe.prompt.images?.most ?? 0;
  }

  override get credentialFields(): readonly CredentialField[] {
    return siteCredentials(this.options.recipe);
  }

  override get outage(): UpstreamError | undefined {
    return this.fleet.outage;
  }

  override get partialOutages(): readonly UpstreamError[] {
    return this.fleet.partialOutages;
  }

  override get takesVisitors(): boolean {
    return true;
  }

  seeds(): readonly AccountSeed[] {
    return this.options.seeds ?? [];
  }

  open(account: UpstreamAccount, signal: AbortSignal): Promise<UpstreamSession> {
    return WebSession.open(account, this.contexts, this.site, () => this.fleet.suspect(), signal);
  }

  override logInByHand(account: UpstreamAccount, visitor: PageVisitor, signal: AbortSignal): Promise<void> {
    return logInByHand(this.fleet, this.site, account, visitor, signal);
  }

  forget(accountId: string): Promise<void> {
    return this.contexts.forget(accountId);
  }

  /** Ends all pages and browsers. Never throws. */
  async close(): Promise<void> {
    // First, since the contexts of accounts wait for the browser that they are to be opened in.
    this.fleet.stopStarting();
    await this.contexts.close();
    await this.fleet.close();
  }
}
