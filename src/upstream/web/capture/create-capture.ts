import { type PageGuard } from '../page-guard.js';
import { fillTemplate, type TemplateValues } from '../recipe/recipe-template.js';
import { type RequestMatch } from '../recipe/capture-rules.js';
import { type Site } from '../site.js';
import { type AnswerCapture } from './capture.js';
import { ReplayCapture } from './replay-capture.js';

/** The capture that the recipe asks for, attached to a page. */
export async function createCapture(
  guard: PageGuard,
  site: Site,
  values: TemplateValues,
): Promise<AnswerCapture> {
  const { capture, signs } = site.recipe;
  const { clock } = site;
  const filled = (match: RequestMatch): RequestMatch => ({ ...match, url: fillTemplate(match.url, values) });
  switch (capture.mode) {
    case 'replay':
      return ReplayCapture.attach(guard, {
        rules: { ...capture, request: filled(capture.request) },
        signs,
        clock,
      });
    case 'observe':
    case 'dom':
      throw new Error(`capture mode ${capture.mode} is not supported`);
  }
}
