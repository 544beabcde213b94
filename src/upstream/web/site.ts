import { type Settings } from '../../common/config/settings.js';
import { type NetworkLog } from '../../common/network/network-log.js';
import { type Clock } from '../../common/time/clock.js';
import { type DriverLog } from '../driver-log.js';
import { type PageRules } from './browser/boundary/egress-policy.js';
import { type WorkbenchObserver } from './page/workbench-observer.js';
import { fillTemplate, type TemplateValues } from './recipe/recipe-template.js';
import { type SiteRecipe } from './recipe/site-recipe.js';
import { type WebLimits } from './web-limits.js';

/** The site of a driver: its recipe, the values for the recipe's placeholders, and the surroundings of its pages. */
export interface Site {
  readonly recipe: SiteRecipe;
  /** Values for the recipe's placeholders, e.g. `site.origin`. */
  readonly variables: TemplateValues;
  readonly settings: Settings;
  readonly limits: WebLimits;
  readonly clock: Clock;
  /** Writes one line for the operator. */
  readonly log: DriverLog;
  /** Log of the requests between the pages and the site. */
  readonly network: NetworkLog;
  /** Set by the recipe workbench alone; the gateway has none. */
  readonly workbench?: WorkbenchObserver;
}

/** Values for the recipe's placeholders. @param further values, which count above the recipe's own */
export function siteVariables({ origin }: SiteRecipe, further: TemplateValues = {}): TemplateValues {
  return { ...(origin !== undefined && { 'site.origin': new URL(origin).origin }), ...further };
}

/** Values for the recipe's placeholders, those of an account among them. */
export function accountValues(
  { variables }: Pick<Site, 'variables'>,
  credentials: Readonly<Record<string, string>>,
): TemplateValues {
  const own = Object.entries(credentials).map(([name, value]) => [`account.${name}`, value] as const);
  return { ...variables, ...Object.fromEntries(own) };
}

/** Reach of the site's pages, and of the windows that they open. */
export function pageRules(recipe: SiteRecipe, variables: TemplateValues): PageRules {
  return {
    allowedOrigins: recipe.allowedOrigins.map((origin) => new URL(fillTemplate(origin, variables)).origin),
    privateNetwork: recipe.privateNetwork,
    keepsWindows: recipe.windows === 'keep',
  };
}
