import { type Settings } from '../../../src/common/config/settings.js';
import { ASK, StubGateway } from './stub-gateway.js';

/** Key of the operator in these tests. */
export const OPERATOR = 'key-of-the-operator-9d27';

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A gateway with an operator's key, in front of a scripted upstream. */
export class KeyedGateway {
  private constructor(readonly gateway: StubGateway) {}

  static async start(settings: Partial<Settings> = {}): Promise<KeyedGateway> {
    return new KeyedGateway(await StubGateway.start({ API_KEY: OPERATOR, ...settings }));
  }

  async ask(method: string, path: string, key: string, body?: object): Promise<Told> {
    const response = await fetch(this.gateway.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async json<T>(method: string, path: string, key: string, body?: object): Promise<T> {
    const { text } = await this.ask(method, path, key, body);
    return JSON.parse(text) as T;
  }

  /** Makes a key. @returns its secret */
  async make(name: string, properties: object = {}): Promise<string> {
    const made = await this.json<{ secret: string }>('POST', '/dashboard/api/keys', OPERATOR, {
      name,
      ...properties,
    });
    return made.secret;
  }

  /** Asks for a completion in one piece. */
  complete(key: string, body: object = {}): Promise<Told> {
    return this.ask('POST', '/v1/chat/completions', key, { ...ASK, stream: false, ...body });
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
