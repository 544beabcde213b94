import { type ConversationRules } from '../recipe/capture-rules.js';
import { compileJsonPath } from '../recipe/json-path.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { readFromJson } from './outgoing-prompt.js';
import { idText } from './reading/record-reader.js';

/** The id of the conversation that a prompt began, from the place that the recipe names. */
export class ConversationId {
  private id: string | undefined;
  private wasSent = false;
  private readonly readRequest: (body: string) => string | undefined;
  private readonly readResponse: (body: string) => string | undefined;
  private readonly readPage: (url: string) => string | undefined;

  constructor(private readonly rules: ConversationRules | undefined) {
    this.readRequest = jsonReader(rules?.requestPath);
    this.readResponse = jsonReader(rules?.responsePath);
    this.readPage = pageReader(rules?.pageUrl);
  }

  /** Undefined while it is not known, and where the request of a new conversation carries none. */
  get value(): string | undefined {
    return this.id;
  }

  /** Whether records can be told apart by now. */
  get isSettled(): boolean {
    return this.wasSent && (this.id !== undefined || !this.isLate);
  }

  /** Reads the outgoing body with the prompt. */
  sent(body: string): void {
    this.wasSent = true;
    this.id ??= this.readRequest(body);
  }

  /** Reads the site's answer to the request with the prompt. */
  answered(body: string): void {
    this.id ??= this.readResponse(body);
  }

  /** Reads the address of the page. */
  shown(url: string): void {
    if (this.wasSent) {
      this.id ??= this.readPage(url);
    }
  }

  /** Whether the URL of a request for an answer is one of this conversation. */
  fitsUrl(url: string): boolean {
    const isInUrl = this.rules !== undefined && this.rules.path === undefined;
    // A site's JSON may hold half a character, of which no page can make an address.
    const id = this.id?.toWellFormed() ?? '';
    return !isInUrl || (id !== '' && [id, encodeURIComponent(id)].some((text) => url.includes(text)));
  }

  private get isLate(): boolean {
    return this.rules?.responsePath !== undefined || this.rules?.pageUrl !== undefined;
  }
}

function jsonReader(path: string | undefined): (body: string) => string | undefined {
  if (path === undefined) {
    return () => undefined;
  }
  const read = compileJsonPath(path);
  return (body) => idText(readFromJson(body, read));
}

/** Reads what the first `*` of a pattern stands for, up to the next part of the address. */
function pageReader(pattern: string | undefined): (url: string) => string | undefined {
  if (pattern === undefined) {
    return () => undefined;
  }
  const matches = compileUrlPattern(pattern);
  const start = pattern.indexOf('*');
  return (url) => (matches(url) ? url.slice(start).split(/[/?#&]/, 1)[0] || undefined : undefined);
}
