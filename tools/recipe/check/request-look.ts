import { filledRules } from '../../../src/upstream/web/capture/create-capture.js';
import { readFromJson } from '../../../src/upstream/web/capture/outgoing-prompt.js';
import { OWN_FRAGMENT } from '../../../src/upstream/web/page/page-traffic.js';
import { type CaptureRules, type RequestMatch } from '../../../src/upstream/web/recipe/capture-rules.js';
import { compileConditions } from '../../../src/upstream/web/recipe/condition.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { compileUrlPattern } from '../../../src/upstream/web/recipe/url-pattern.js';
import { shownUrl } from '../shown-url.js';
import { type RequestFacts } from '../watched-request.js';

interface Match {
  /** Key of the rule in the recipe. */
  readonly path: string;
  readonly rule: RequestMatch;
  readonly fits: (url: string) => boolean;
  readonly fitsBody: (body: unknown) => boolean;
}

/** Tells why the rules of a capture leave a request of the page alone. */
export class RequestLook {
  private readonly matches: readonly Match[];
  private readonly readsSockets: boolean;
  /** Key and value of the recipe by which it reads no sockets. */
  private readonly reading: string;
  private readonly fitsSocket: (url: string) => boolean;

  constructor(capture: CaptureRules, values: TemplateValues) {
    const rules = capture.mode === 'dom' ? undefined : filledRules(capture, values);
    const transport = capture.mode === 'observe' ? capture.transport : undefined;
    this.readsSockets = transport === 'websocket' || transport === 'socketio';
    this.reading =
      transport === undefined ? `capture.mode is ${capture.mode}` : `capture.transport is ${transport}`;
    this.fitsSocket = compileUrlPattern(rules?.request.url.replace(/^http/, 'ws') ?? '');
    const match = (path: string, rule: RequestMatch | undefined): readonly Match[] =>
      rule ? [{ path, rule, fits: compileUrlPattern(rule.url), fitsBody: compileConditions(rule.when) }] : [];
    this.matches = rules
      ? [...match('capture.request', rules.request), ...match('capture.promptRequest', rules.promptRequest)]
      : [];
  }

  /** Undefined for requests that the driver itself tells of, and where the answer is read off the page. */
  remark(facts: RequestFacts): string | undefined {
    if (this.matches.length === 0) {
      return undefined;
    }
    const { method, url, type } = facts;
    const isSocket = type === 'WebSocket';
    const name = `${isSocket ? 'WebSocket' : method} ${shownUrl(url)}`;
    if (url.includes(`#${OWN_FRAGMENT}`)) {
      return `the gateway sends it: ${name}`;
    }
    const reasons = isSocket ? this.whyNoSocket(url) : this.whyNot(facts);
    return reasons && [`no capture rule takes ${name}`, ...reasons].join(': ');
  }

  private whyNoSocket(url: string): readonly string[] | undefined {
    if (!this.fitsSocket(url)) {
      return [];
    }
    return this.readsSockets ? undefined : [this.reading];
  }

  private whyNot({ method, url, body }: RequestFacts): readonly string[] | undefined {
    const near = this.matches.filter(({ fits }) => fits(url));
    const same = near.filter(({ rule }) => rule.method === method);
    if (same.some(({ rule, fitsBody }) => !rule.when || readFromJson(body ?? '', fitsBody) === true)) {
      return undefined;
    }
    const [first] = same;
    return first
      ? [`${first.path}.when does not hold`]
      : near.slice(0, 1).map(({ path, rule }) => `${path}.method is ${rule.method}`);
  }
}
