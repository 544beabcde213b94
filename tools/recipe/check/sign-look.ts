import { parsedJson } from '../../../src/common/text/parsed-json.js';
import { type Clock } from '../../../src/common/time/clock.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { PageSigns } from '../../../src/upstream/web/page/page-signs.js';
import { type Signs } from '../../../src/upstream/web/recipe/recipe-signs.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { fitsSign, type Refusal, SIGN_NAMES } from '../../../src/upstream/web/recipe/refusal.js';

/** Paths of the recipe's signs that fit a refused answer, or an error within one. */
export function responseSigns(signs: Signs, refusal: Refusal): string[] {
  const json = parsedJson(refusal.body);
  return SIGN_NAMES.flatMap((name) =>
    signs[name].response.flatMap((sign, i) =>
      fitsSign(sign, refusal, json) ? [`signs.${name}.response[${i}]`] : [],
    ),
  );
}

/** Paths of the recipe's signs that a page shows now; none for a page that does not respond. */
export async function shownSigns(
  signs: Signs,
  guard: PageGuard,
  values: TemplateValues,
  clock: Clock,
): Promise<string[]> {
  const look = new PageSigns(guard, signs, values, () => clock.now());
  const found: string[] = [];
  for (const name of SIGN_NAMES) {
    for (const [i, sign] of signs[name].page.entries()) {
      if (await look.shows([sign]).catch(() => false)) {
        found.push(`signs.${name}.page[${i}]`);
      }
    }
  }
  return found;
}
