import { composeAnswer, type Question } from '../model/sandbox-answer.js';
import { EventWriter } from '../model/sandbox-events.js';
import { lastUserMessage } from '../model/sandbox-prompt.js';
import { parseMarkers, type Script } from '../model/sandbox-script.js';
import { type SandboxAccounts } from '../state/sandbox-accounts.js';
import { type Outcome, type PromptRecord, type SandboxRecords } from '../state/sandbox-records.js';
import { type SandboxSession, type SandboxSessions } from '../state/sandbox-sessions.js';
import { type SandboxSwitches } from '../state/sandbox-switches.js';
import { type AnswerSink } from './answer-sink.js';
import { refusalOf, type RefusalPages } from './sandbox-refusal.js';
import { pause, playAnswer, silence } from './sandbox-stream.js';

/** A prompt as a page sends it, checked. */
export interface ChatPrompt extends Question {
  readonly conversationId: string;
  readonly messageId: string;
}

/** Why a running answer is ended from outside. */
type EndCause = 'stopped' | 'client_closed' | 'shutdown';

interface ExchangeParts {
  readonly accounts: SandboxAccounts;
  readonly sessions: SandboxSessions;
  readonly records: SandboxRecords;
  readonly pages: RefusalPages;
}

/** One prompt on its way to the end of its answer. */
export class Exchange {
  private readonly control = new AbortController();
  private readonly writer: EventWriter;
  private isBusy = false;

  constructor(
    private readonly parts: ExchangeParts,
    private readonly prompt: ChatPrompt,
    private readonly script: Script,
    private readonly session: SandboxSession,
    readonly record: PromptRecord,
    private readonly onEnd: (exchange: Exchange) => void,
  ) {
    this.writer = new EventWriter(script, prompt.conversationId, prompt.prompt.length);
  }

  /** Does all that comes before a stream. False when the exchange is over by then. */
  open(sink: AnswerSink): Promise<boolean> {
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

  /** Streams the answer, after `open`. */
  async play(sink: AnswerSink): Promise<void> {
    const pieces = composeAnswer(this.script, this.prompt);
    const onPiece = (): void => this.parts.records.addPiece(this.record);
    await this.during(sink, (signal) => playAnswer(this.script, pieces, this.writer, sink, signal, onPiece));
  }

  /** Ends the exchange; the first cause counts. */
  cancel(cause: EndCause): void {
    this.control.abort(cause);
    if (!this.isBusy) {
      this.end(this.control.signal.reason as EndCause);
    }
  }

  private async during(
    sink: AnswerSink,
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

  private endEarly(cause: EndCause, sink: AnswerSink): EndCause {
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

/** Takes prompts: applies switches and markers, keeps the record, and knows which exchanges are not over. */
export class SandboxExchanges {
  private readonly open = new Set<Exchange>();

  constructor(
    private readonly parts: ExchangeParts,
    private readonly switches: SandboxSwitches,
  ) {}

  accept(
    prompt: ChatPrompt,
    session: SandboxSession,
    transport: PromptRecord['transport'],
    headers: NodeJS.Dict<string | string[]>,
  ): Exchange {
    const { account, id: sessionId } = session;
    const { conversationId, messageId, model, thinking } = prompt;
    const script = { ...this.switches.take(account), ...parseMarkers(lastUserMessage(prompt.prompt)) };
    const record = this.parts.records.begin(
      { account, sessionId, conversationId, messageId, model, thinking, transport },
      prompt.prompt,
      headers,
    );
    const exchange = new Exchange(this.parts, prompt, script, session, record, (ended) =>
      this.open.delete(ended),
    );
    this.open.add(exchange);
    return exchange;
  }

  /** Ends an account's answers to a message, or in a conversation: a page may not know the latter yet. */
  stop(account: string, ids: { readonly conversation_id?: unknown; readonly message_id?: unknown }): void {
    for (const exchange of this.open) {
      const { record } = exchange;
      const isMeant = record.conversationId === ids.conversation_id || record.messageId === ids.message_id;
      if (record.account === account && isMeant) {
        exchange.cancel('stopped');
      }
    }
  }

  close(): void {
    for (const exchange of this.open) {
      exchange.cancel('shutdown');
    }
  }
}
