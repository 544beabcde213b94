import { randomUUID } from 'node:crypto';
import { type PageGuard } from '../page/page-guard.js';
import { type PageTraffic } from '../page/page-traffic.js';
import { type NetworkRules, type RequestMatch } from '../recipe/capture-rules.js';
import { fillTemplate, type TemplateValues } from '../recipe/recipe-template.js';
import { type Site } from '../site.js';
import { type AnswerCapture } from './answer-capture.js';
import { DomCapture } from './dom/dom-capture.js';
import { ObserveCapture } from './observe-capture.js';
import { ReplayCapture } from './replay-capture.js';

/** Attaches the recipe's capture to a page. */
export async function createCapture(
  guard: PageGuard,
  site: Site,
  values: TemplateValues,
  traffic: PageTraffic,
): Promise<AnswerCapture> {
  const { capture, prompt, signs } = site.recipe;
  const { clock, workbench, settings } = site;
  const maxFillerBytes = (): number => settings.UPSTREAM_FILLER_BYTES;
  const placeholder = prompt.method === 'request' ? randomUUID() : undefined;
  const parts = { signs, clock, workbench, traffic, maxFillerBytes, placeholder };
  switch (capture.mode) {
    case 'replay':
      return ReplayCapture.attach(guard, { rules: filledRules(capture, values), ...parts });
    case 'observe':
      return ObserveCapture.attach(guard, { rules: filledRules(capture, values), ...parts });
    case 'dom':
      return DomCapture.attach(guard, capture);
  }
}

/** The rules of a recipe with its placeholders filled in, as a capture goes by them. */
export function filledRules<Rules extends NetworkRules>(rules: Rules, values: TemplateValues): Rules {
  const fill = (match: RequestMatch): RequestMatch => ({ ...match, url: fillTemplate(match.url, values) });
  const { promptRequest, answer } = rules;
  const isSocketIo = rules.mode === 'observe' && rules.transport === 'socketio';
  const request = isSocketIo ? polls(fill(rules.request)) : fill(rules.request);
  const { conversation } = answer;
  const pageUrl = conversation?.pageUrl;
  return {
    ...rules,
    request,
    ...(promptRequest && { promptRequest: fill(promptRequest) }),
    // Before its upgrade to a socket, the prompt goes to the address of the polls.
    ...(isSocketIo && !promptRequest && { promptRequest: { ...request, method: 'POST' as const } }),
    answer: {
      ...answer,
      ...(pageUrl !== undefined && {
        conversation: { ...conversation, pageUrl: fillTemplate(pageUrl, values) },
      }),
    },
  };
}

/** The requests of engine.io's long polling, whichever scheme the recipe names. */
function polls(match: RequestMatch): RequestMatch {
  return { ...match, url: match.url.replace(/^ws/, 'http'), method: 'GET' };
}
