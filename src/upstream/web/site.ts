import { type Settings } from '../../common/config/settings.js';
import { type NetworkLog } from '../../common/network/network-log.js';
import { type Clock } from '../../common/time/clock.js';
import { type WorkbenchObserver } from './page/workbench-observer.js';
import { fillTemplate, type TemplateValues } from './recipe/recipe-template.js';
import { type SiteRecipe } from './recipe/site-recipe.js';
import { type WebLimits } from './web-limits.js';

/** The site that a driver drives: its recipe, with places for the site's own values filled in. */
export interface Site {
  readonly recipe: SiteRecipe;
  /** Values for places in the recipe, e.g. `site.origin`. */
  readonly variables: TemplateValues;
  readonly settings: Settings;
  readonly limits: WebLimits;
  readonly clock: Clock;
  /** Takes one line for the operator. */
  readonly log: (message: string) => void;
  /** Takes what the pages exchange with the site. */
  readonly network: NetworkLog;
  /** Set by the recipe workbench alone; the gateway has none. */
  readonly workbench?: WorkbenchObserver;
}

/** The origins that the site's pages may reach. */
export function allowedOrigins(recipe: SiteRecipe, variables: TemplateValues): string[] {
  return recipe.allowedOrigins.map((origin) => new URL(fillTemplate(origin, variables)).origin);
}
