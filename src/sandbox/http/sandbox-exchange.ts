import { EventWriter } from '../model/event-writer.js';
import { composeAnswer, type Question } from '../model/sandbox-answer.js';
import { type Script } from '../model/sandbox-script.js';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type Outcome, type PromptRecord, type SandboxRecords } from '../state/sandbox-records.js';
import { type SandboxSession, type SandboxSessions } from '../state/sandbox-sessions.js';
import { refusalOf, type RefusalPages } from './sandbox-refusal.js';
import { type SandboxSink } from './sandbox-sink.js';
import { pause, playAnswer, silence } from './sandbox-stream.js';

/** A validated prompt of a page. */
export interface ChatPrompt extends Question {
  readonly conversationId: string;
  readonly messageId: string;
}

/** Cause from outside that ends a running answer. */
type EndCause = 'stopped' | 'client_closed' | 'shutdown';

export interface ExchangeParts {
  readonly accounts: SandboxAccounts;
  readonly sessions: SandboxSessions;
  readonly records: SandboxRecords;
  readonly pages: RefusalPages;
}

/** One prompt and its answer, from acceptance to the outcome in its record. */
export class SandboxExchange {
  private readonly control = new AbortController();
  private readonly writer: EventWriter;
  private isBusy = false;

  constructor(
    private readonly parts: ExchangeParts,
    private readonly prompt: ChatPrompt,
    private readonly script: Script,
    private readonly session: SandboxSession,
    readonly record: PromptRecord,
    private readonly onEnd: (exchange: SandboxExchange) => void,
  ) {
    this.writer = new EventWriter(script, prompt.conversationId, prompt.prompt.length);
  }

  /** Takes the steps before the stream: delay, cut, refusal. Resolves to false if one of them ended the exchange. */
  open(sink: SandboxSink): Promise<boolean> {
    return this.during(sink, async (signal) => {
      await pause(this.script.delayMs ?? 0, signal);
      if (this.script.reset === 'headers') {
        sink.destroy();
        return 'cut';
      }
      if (this.script.hang === 'headers') {
        await silence(signal);
      }
      const refusal = refusalOf(this.script, this.parts.pages);
      if (!refusal) {
        return undefined;
      }
      this.applyRefusal();
      sink.refuse(refusal);
      return 'refused';
    });
  }

  /** Streams the answer. To be called after `open`. */
  async play(sink: SandboxSink): Promise<void> {
    const pieces = composeAnswer(this.script, this.prompt);
    const onPiece = (): void => this.parts.records.addPiece(this.record);
    await this.during(sink, (signal) => playAnswer(this.script, pieces, this.writer, sink, signal, onPiece));
  }

  /** Ends the exchange. The first cause counts. */
  cancel(cause: EndCause): void {
    this.control.abort(cause);
    if (!this.isBusy) {
      this.end(this.control.signal.reason as EndCause);
    }
  }

  private async during(
    sink: SandboxSink,
    work: (signal: AbortSignal) => Promise<Outcome | undefined>,
  ): Promise<boolean> {
    const { signal } = this.control;
    let outcome: Outcome | undefined = 'cut';
    this.isBusy = true;
    try {
      signal.throwIfAborted();
      outcome = await work(signal);
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
      outcome = this.endEarly(signal.reason as EndCause, sink);
    } finally {
      this.isBusy = false;
      if (outcome) {
        this.end(outcome);
      }
    }
    return outcome === undefined;
  }

  private applyRefusal(): void {
    if (this.script.blockedSeconds !== undefined) {
      this.parts.accounts.block(this.session.account, this.script.blockedSeconds);
    }
    if (this.script.loginWall) {
      this.parts.sessions.revoke(this.session);
    }
  }

  private endEarly(cause: EndCause, sink: SandboxSink): EndCause {
    if (cause === 'stopped') {
      sink.send(this.writer.done('stop'));
      sink.end();
    } else {
      sink.destroy();
    }
    return cause;
  }

  private end(outcome: Outcome): void {
    if (this.record.outcome !== 'pending') {
      return;
    }
    if (this.script.logout) {
      this.parts.sessions.revoke(this.session);
    }
    this.onEnd(this);
    this.parts.records.end(this.record, outcome);
  }
}
