import { Settings } from '../../../src/common/config/settings.js';
import { SystemClock } from '../../../src/common/time/clock.js';
import { FlowValve } from '../../../src/upstream/flow-gate.js';
import { OpenAiDriver } from '../../../src/upstream/openai/openai-driver.js';
import { type SendPermit } from '../../../src/upstream/send-permit.js';
import {
  type UpstreamAccount,
  type UpstreamBatch,
  type UpstreamEvent,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../../src/upstream/upstream-driver.js';
import { OpenAiStub, type StubPlan } from './openai-stub.js';

export const REQUEST: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hi' }], text: 'Hi' },
  model: 'm',
  thinking: true,
  params: { temperature: 0.7, topP: 0.9, maxTokens: 100, stop: [] },
};

/** Outcome of one request. */
export interface Outcome {
  readonly events: UpstreamEvent[];
  readonly error?: unknown;
}

export interface SendOptions {
  readonly request?: Partial<UpstreamRequest>;
  readonly signal?: AbortSignal;
  readonly flow?: FlowValve;
  readonly permit?: SendPermit;
  readonly onBatch?: (batch: UpstreamBatch) => void;
}

/** The openai driver with an open session, in front of a scripted upstream. */
export class OpenAiDriverRig {
  private constructor(
    readonly stub: OpenAiStub,
    readonly driver: OpenAiDriver,
    public session: UpstreamSession,
  ) {}

  static async start(changes: Partial<Settings> = {}): Promise<OpenAiDriverRig> {
    const stub = await OpenAiStub.start();
    const driver = new OpenAiDriver({
      baseUrl: stub.baseUrl,
      apiKeys: 'k1,k2',
      clock: new SystemClock(),
      settings: Object.assign(new Settings(), changes),
    });
    return new OpenAiDriverRig(
      stub,
      driver,
      await driver.open(accountWith('k1'), new AbortController().signal),
    );
  }

  send({ request, signal, flow, permit, onBatch }: SendOptions = {}): Promise<Outcome> {
    const context = {
      signal: signal ?? new AbortController().signal,
      flow: flow ?? new FlowValve(),
      permit,
    };
    const events: UpstreamEvent[] = [];
    return new Promise((resolve) => {
      this.session.send({ ...REQUEST, ...request }, context).subscribe({
        next: (batch) => {
          events.push(...batch);
          onBatch?.(batch);
        },
        error: (error: unknown) => resolve({ events, error }),
        complete: () => resolve({ events }),
      });
    });
  }

  outcomeOf(plan: StubPlan): Promise<Outcome> {
    this.stub.answerWith(plan);
    return this.send();
  }

  async close(): Promise<void> {
    await this.session.close();
    await this.driver.close();
    await this.stub.close();
  }
}

export function accountWith(key: string): UpstreamAccount {
  return {
    id: key,
    name: key,
    login: 0,
    credentials: { key },
    loadState: () => Promise.resolve(undefined),
    saveState: () => undefined,
  };
}

export const ACCEPTED: UpstreamEvent = { type: 'accepted' };

export function text(value: string): UpstreamEvent {
  return { type: 'text', text: value };
}

export function done(reason: 'stop' | 'length' | 'tool_calls' = 'stop'): UpstreamEvent {
  return { type: 'done', reason };
}
