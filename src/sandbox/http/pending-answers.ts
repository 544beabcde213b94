import { randomUUID } from 'node:crypto';
import { type SandboxExchange } from './sandbox-exchange.js';

interface PendingAnswer {
  readonly exchange: SandboxExchange;
  readonly timer: NodeJS.Timeout;
}

/** Answers whose prompt came with one request and whose stream is fetched with another (the EventSource variant). */
export class PendingAnswers {
  private readonly answers = new Map<string, PendingAnswer>();

  constructor(private readonly limitMs = 30_000) {}

  /** Keeps an answer until it is fetched; one that nobody fetches in time is given up. Returns its id. */
  add(exchange: SandboxExchange): string {
    const id = randomUUID();
    const giveUp = (): void => {
      this.answers.delete(id);
      exchange.cancel('client_closed');
    };
    this.answers.set(id, { exchange, timer: setTimeout(giveUp, this.limitMs) });
    return id;
  }

  /** Hands an answer out, once, to the account that asked for it. */
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
