import { randomUUID } from 'node:crypto';
import { type SandboxExchange } from './sandbox-exchange.js';

interface PendingAnswer {
  readonly exchange: SandboxExchange;
  readonly timer: NodeJS.Timeout;
}

/** Accepted prompts whose answers a second request fetches (the EventSource variant). */
export class PendingAnswers {
  private readonly answers = new Map<string, PendingAnswer>();

  constructor(private readonly limitMs = 30_000) {}

  /** Keeps an answer until it is fetched, and cancels it after the time limit. Returns its id. */
  add(exchange: SandboxExchange): string {
    const id = randomUUID();
    const expire = (): void => {
      this.answers.delete(id);
      exchange.cancel('client_closed');
    };
    this.answers.set(id, { exchange, timer: setTimeout(expire, this.limitMs) });
    return id;
  }

  /** Hands an answer to its account, once; undefined for any other id or account. */
  take(id: string, account: string): SandboxExchange | undefined {
    const answer = this.answers.get(id);
    if (!answer || answer.exchange.record.account !== account) {
      return undefined;
    }
    clearTimeout(answer.timer);
    this.answers.delete(id);
    return answer.exchange;
  }

  close(): void {
    for (const { timer } of this.answers.values()) {
      clearTimeout(timer);
    }
    this.answers.clear();
  }
}
