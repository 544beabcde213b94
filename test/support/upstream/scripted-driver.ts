import { Observable, type Subscriber } from 'rxjs';
import {
  type AccountSeed,
  type CredentialField,
  type SendContext,
  type UpstreamAccount,
  type UpstreamBatch,
  UpstreamDriver,
  type UpstreamRequest,
  UpstreamSession,
} from '../../../src/upstream/upstream-driver.js';

export const ACCEPTED: UpstreamBatch = [{ type: 'accepted' }];
export const DONE: UpstreamBatch = [{ type: 'done', reason: 'stop' }];

export function text(value: string): UpstreamBatch {
  return [{ type: 'text', text: value }];
}

/** One prompt that has reached the driver, to be answered by the test. */
export class SentPrompt {
  /** Whether the reader unsubscribed before the end. */
  isCancelled = false;
  private hasEnded = false;

  constructor(
    readonly account: string,
    readonly session: ScriptedSession,
    readonly request: UpstreamRequest,
    readonly context: SendContext,
    private readonly upstream: Subscriber<UpstreamBatch>,
  ) {
    upstream.add(() => (this.isCancelled = !this.hasEnded));
  }

  emit(...batches: UpstreamBatch[]): void {
    batches.forEach((batch) => this.upstream.next(batch));
  }

  /** Ends the stream without an error. */
  end(): void {
    this.hasEnded = true;
    this.upstream.complete();
  }

  fail(error: unknown): void {
    this.hasEnded = true;
    this.upstream.error(error);
  }

  /** A whole answer. */
  answer(value: string): void {
    this.emit(ACCEPTED, text(value), DONE);
    this.end();
  }
}

/**
 * An upstream in the hands of a test: it decides how opening and each prompt go, and sees what reaches the port.
 * Without a script, sessions open at once and every prompt is answered with "hi".
 */
export class ScriptedDriver extends UpstreamDriver {
  readonly prompts: SentPrompt[] = [];
  readonly opened: string[] = [];
  readonly forgotten: string[] = [];
  readonly sessions = new Set<ScriptedSession>();
  tellsLimitsFirst = false;
  fields: readonly CredentialField[] = [];
  onOpen: (account: UpstreamAccount, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  /** Logs an account in by hand; undefined if that is not possible. */
  onVisit: UpstreamDriver['logInByHand'] | undefined;
  onPrompt: (prompt: SentPrompt) => void = (prompt) => prompt.answer('hi');

  constructor(private readonly accounts: readonly AccountSeed[]) {
    super();
  }

  override get credentialFields(): readonly CredentialField[] {
    return this.fields;
  }

  override get takesVisitors(): boolean {
    return this.onVisit !== undefined;
  }

  override logInByHand(
    ...[account, visitor, signal]: Parameters<UpstreamDriver['logInByHand']>
  ): Promise<void> {
    return (this.onVisit ?? super.logInByHand.bind(this))(account, visitor, signal);
  }

  seeds(): readonly AccountSeed[] {
    return this.accounts;
  }

  async open(account: UpstreamAccount, signal: AbortSignal): Promise<UpstreamSession> {
    this.opened.push(account.name);
    await this.onOpen(account, signal);
    const session = new ScriptedSession(this, account);
    this.sessions.add(session);
    return session;
  }

  forget(accountId: string): Promise<void> {
    this.forgotten.push(accountId);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Sessions that are open, by account name. */
  openByAccount(): Record<string, number> {
    return countBy([...this.sessions].map(({ account }) => account.name));
  }

  /** Prompts so far, by account name. */
  promptsByAccount(): Record<string, number> {
    return countBy(this.prompts.map(({ account }) => account));
  }
}

export class ScriptedSession extends UpstreamSession {
  isUsable = true;
  isBusy = false;

  constructor(
    private readonly driver: ScriptedDriver,
    readonly account: UpstreamAccount,
  ) {
    super();
  }

  override get tellsLimitsFirst(): boolean {
    return this.driver.tellsLimitsFirst;
  }

  send(request: UpstreamRequest, context: SendContext): Observable<UpstreamBatch> {
    return new Observable((upstream) => {
      if (this.isBusy || !this.driver.sessions.has(this)) {
        throw new Error('A session was used twice at once, or after its end.');
      }
      this.isBusy = true;
      const prompt = new SentPrompt(this.account.name, this, request, context, upstream);
      upstream.add(() => (this.isBusy = false));
      this.driver.prompts.push(prompt);
      this.driver.onPrompt(prompt);
    });
  }

  close(): Promise<void> {
    this.driver.sessions.delete(this);
    return Promise.resolve();
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
