import { randomUUID } from 'node:crypto';
import { type ChatEvent } from '../../../src/sandbox/model/event-writer.js';
import { type SandboxSite } from '../../../src/sandbox/sandbox-site.js';

export interface AskOptions {
  readonly thinking?: boolean;
  readonly conversationId?: string;
  readonly messageId?: string;
  readonly signal?: AbortSignal;
  readonly path?: string;
}

/** A logged-in page of the sandbox site, without a browser: what the page would send, sent by `fetch`. */
export class SandboxClient {
  private constructor(
    readonly origin: string,
    readonly cookie: string,
    readonly csrfToken: string,
  ) {}

  /** Logs an account in; 0 is the site's first. */
  static async logIn(origin: string, site: SandboxSite, index = 0): Promise<SandboxClient> {
    const { name, password } = site.accounts[index]!;
    const response = await postLogin(origin, name, password);
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const page = await fetch(`${origin}/`, { headers: { cookie } });
    const token = /name="csrf-token" content="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    return new SandboxClient(origin, cookie, token);
  }

  get(path: string): Promise<Response> {
    return fetch(this.origin + path, { headers: { cookie: this.cookie }, redirect: 'manual' });
  }

  post(path: string, value: unknown, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, {
      method: 'POST',
      body: JSON.stringify(value),
      ...init,
      headers: {
        'content-type': 'application/json',
        cookie: this.cookie,
        'x-csrf-token': this.csrfToken,
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  }

  ask(prompt: string, options: AskOptions = {}): Promise<Response> {
    const request = this.request(prompt, options);
    return this.post(options.path ?? '/api/chat', request, { signal: options.signal ?? null });
  }

  /** The answer's text, once it is complete. */
  async say(prompt: string): Promise<string> {
    return textOf(eventsIn(await (await this.ask(prompt)).text()));
  }

  request(prompt: string, options: AskOptions = {}): Record<string, unknown> {
    return {
      conversation_id: options.conversationId ?? null,
      message_id: options.messageId ?? randomUUID(),
      model: 'svc-max',
      thinking: options.thinking ?? false,
      prompt,
    };
  }
}

export function postLogin(origin: string, user: string, password: string): Promise<Response> {
  return fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ user, password }),
    redirect: 'manual',
  });
}

/** The events of a whole stream. */
export function eventsIn(body: string): ChatEvent[] {
  return body
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.replace(/^data: /, '')) as ChatEvent);
}

export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** Hands out a stream's events as they come; rejects when the stream breaks. */
export async function* readEvents(response: Response): AsyncGenerator<ChatEvent> {
  let rest = '';
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      yield* eventsIn(block);
    }
  }
}
