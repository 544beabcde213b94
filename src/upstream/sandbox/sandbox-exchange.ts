import { type AnswerSink } from './answer-sink.js';
import { type SandboxAccounts } from './sandbox-accounts.js';
import { composeAnswer, type Question } from './sandbox-answer.js';
import { EventWriter } from './sandbox-events.js';
import { lastUserMessage } from './sandbox-prompt.js';
import { type Outcome, type PromptRecord, type SandboxRecords } from './sandbox-records.js';
import { refusalOf, type RefusalPages } from './sandbox-refusal.js';
import { parseMarkers, type Script } from './sandbox-script.js';
import { type SandboxSession, type SandboxSessions } from './sandbox-sessions.js';
import { pause, playAnswer, silence } from './sandbox-stream.js';
import { type SandboxSwitches } from './sandbox-switches.js';

/** A prompt as a page sends it, checked. */
export interface ChatPrompt extends Question {
  readonly conversationId: string;
  readonly messageId: string;
}

/** Why a running answer is ended from outside. */
type EndCause = 'stopped' | 'client_closed' | 'shutdown';

/** A prompt that the site took and has not answered to the end. */
export interface Exchange {
  readonly record: PromptRecord;
  /** Plays the answer to its end, whichever it is, and completes the record. */
  run(sink: AnswerSink): Promise<void>;
  /** Ends the answer; the first cause counts. */
  cancel(cause: EndCause): void;
}

/** Answers prompts: applies switches and markers, keeps the record, and knows which answers are running. */
export class SandboxExchanges {
  private readonly running = new Set<Exchange>();

  constructor(
    private readonly accounts: SandboxAccounts,
    private readonly sessions: SandboxSessions,
    private readonly switches: SandboxSwitches,
    private readonly records: SandboxRecords,
    private readonly pages: RefusalPages,
  ) {}

  accept(
    prompt: ChatPrompt,
    session: SandboxSession,
    transport: PromptRecord['transport'],
    headers: NodeJS.Dict<string | string[]>,
  ): Exchange {
    const { conversationId, messageId, model, thinking } = prompt;
    const script = {
      ...this.switches.take(session.account),
      ...parseMarkers(lastUserMessage(prompt.prompt)),
    };
    const { account, id: sessionId } = session;
    const record = this.records.begin(
      { account, sessionId, conversationId, messageId, model, thinking, transport },
      prompt.prompt,
      headers,
    );
    const control = new AbortController();
    const exchange: Exchange = {
      record,
      run: async (sink) => {
        let outcome: Outcome = 'cut';
        try {
          outcome = await this.answer(prompt, script, session, record, sink, control.signal);
        } finally {
          this.running.delete(exchange);
          this.records.end(record, outcome);
        }
      },
      cancel: (cause) => control.abort(cause),
    };
    this.running.add(exchange);
    return exchange;
  }

  /** Ends the running answers of a conversation. */
  stop(account: string, conversationId: string): void {
    for (const exchange of this.running) {
      if (exchange.record.account === account && exchange.record.conversationId === conversationId) {
        exchange.cancel('stopped');
      }
    }
  }

  close(): void {
    for (const exchange of this.running) {
      exchange.cancel('shutdown');
    }
  }

  private async answer(
    prompt: ChatPrompt,
    script: Script,
    session: SandboxSession,
    record: PromptRecord,
    sink: AnswerSink,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const writer = new EventWriter(script, prompt.conversationId, prompt.prompt.length);
    try {
      await pause(script.delayMs ?? 0, signal);
      if (script.reset === 'headers') {
        sink.destroy();
        return 'cut';
      }
      if (script.hang === 'headers') {
        await silence(signal);
      }
      const refusal = refusalOf(script, this.pages);
      if (refusal) {
        this.applyRefusal(script, session);
        sink.refuse(refusal);
        return 'refused';
      }
      const pieces = composeAnswer(script, prompt);
      return await playAnswer(script, pieces, writer, sink, signal, () => this.records.addPiece(record));
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
      return this.endEarly(signal.reason as EndCause, writer, sink);
    } finally {
      if (script.logout) {
        this.sessions.revoke(session);
      }
    }
  }

  private applyRefusal(script: Script, session: SandboxSession): void {
    if (script.blockedSeconds !== undefined) {
      this.accounts.block(session.account, script.blockedSeconds);
    }
    if (script.loginWall) {
      this.sessions.revoke(session);
    }
  }

  private endEarly(cause: EndCause, writer: EventWriter, sink: AnswerSink): EndCause {
    if (cause === 'stopped') {
      sink.send(writer.done('stop'));
      sink.end();
    } else {
      sink.destroy();
    }
    return cause;
  }
}
