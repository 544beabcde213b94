import { createDispatchReport } from '../../accounts/dispatch/dispatch-report.js';
import { cutNote } from '../../logs/cut-note.js';
import { type LogContent, requestExcerpt } from '../../logs/records/log-content.js';
import { type CorrectionRecord, type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type OpenRequestLog } from '../../logs/request-log.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type Caller } from '../caller.js';
import { Answer } from '../completion/answer.js';
import { type CompletionPipeline } from '../completion/completion-pipeline.js';
import { type Rejection } from '../completion/guard.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { ignoredFieldsNote, omittedItemsNote, omittedToolsNote } from '../omissions.js';
import { type CompletionPlan } from '../plan/completion-plan.js';
import { findRepeatedCall } from '../tools/repeated-call.js';
import { CompletionRecording } from './completion-recording.js';
import { condensedDetails } from './condensed-details.js';
import { lastUserText, toContentRecord, toGrowingRecord } from './content-record.js';
import { type CompletionEnding } from './decisions.js';
import { inputChars } from './input-chars.js';
import { parametersRecord } from './parameters-record.js';
import { turnRecord } from './turn-record.js';

const ACTIONS: Readonly<Record<Rejection['action'], CorrectionRecord['action']>> = {
  ask_again: 'regenerated',
  drop: 'dropped',
  fail: 'failed',
};

/** Tells the log entry of one completion; what the upstream sent, to be run again, is its `recording`. */
export class CompletionReporter {
  /** Filled by the dispatches. */
  readonly report = createDispatchReport();
  private readonly log: OpenRequestLog;
  private readonly keyName: string | undefined;
  /** Known from the start, but for the turn with the first answer. */
  private readonly turnAtStart: RequestDetails | undefined;
  private isReasonAssumed = false;
  private readonly corrections: CorrectionRecord[] = [];
  /** Pieces let through to the caller. */
  answer = new Answer();
  plan: CompletionPlan | undefined;
  /** Known at the end. */
  usage: TokenUsage | undefined;
  /** Recording of the upstream, if it is to be kept. */
  readonly recording: CompletionRecording | undefined;

  constructor(
    private request: CompletionRequest,
    caller: Pick<Caller, 'log' | 'client' | 'habits' | 'wantsCompression' | 'key'>,
  ) {
    const { log, client, key } = caller;
    this.log = log;
    this.keyName = key?.name;
    this.recording = log.isRecorded ? new CompletionRecording(request, caller) : undefined;
    this.recording?.note({ isKeyed: key !== undefined });
    const { model, stream, messages } = request;
    const content = toGrowingRecord(request, () => this.answer, log.keeps);
    this.turnAtStart = this.turn();
    const excerpt = requestExcerpt(lastUserText(messages), log.keeps);
    log.add({
      model: model.id,
      stream,
      ...(client && { client }),
      parameters: parametersRecord(request),
      ...(excerpt !== undefined && { excerpt }),
      ...this.turnAtStart,
      ...(content && { content }),
    });
  }

  /** The key does not allow for it. */
  readonly refusedByKey = (error: unknown): never => {
    this.recording?.note({ isRefusedByKey: true });
    throw error;
  };

  /** The request with the limit that its key leaves for the answer. */
  limitAnswer(maxTokens = Infinity): CompletionRequest {
    const { params } = this.request;
    if (maxTokens < params.maxTokens) {
      this.request = { ...this.request, params: { ...params, maxTokens } };
      this.log.add({ parameters: parametersRecord(this.request) });
      this.recording?.note({ answerTokens: maxTokens });
    }
    return this.request;
  }

  /** @param answer the answer as let through to the caller */
  follow(plan: CompletionPlan, answer: Answer): void {
    this.plan = plan;
    this.answer = answer;
    this.log.add({ inputChars: inputChars(plan.prompt) });
    this.recording?.note({ echoCorrections: plan.echoCorrections });
  }

  /** The entry of a running request tells how far it is. */
  readonly progressed = (): void => this.log.add(this.report);

  readonly firstPiece = (): void => this.log.add({ firstTokenMs: this.log.elapsedMs() });

  /** The upstream has been asked once, with whatever came of it. @param isCommitted whether bytes have gone to the caller */
  asked({ rejection, faults, isReasonAssumed }: CompletionPipeline, isCommitted: boolean): void {
    this.isReasonAssumed = isReasonAssumed;
    const atMs = this.log.elapsedMs();
    for (const { cause, detail } of faults) {
      this.corrections.push({ atMs, cause, action: 'passed', detail });
    }
    if (rejection !== undefined) {
      const { cause, detail, action } = rejection;
      if (this.corrections.length === 0) {
        this.recording?.note({ isCommitted });
      }
      this.corrections.push({ atMs, cause, action: ACTIONS[action], detail });
    }
    this.log.add(this.report);
  }

  finished(finishReason: FinishReason, usage: TokenUsage): void {
    this.usage = usage;
    const details = this.details();
    const notes = [...(details.notes ?? []), ...this.endNotes(finishReason)];
    this.keepRecording({ finishReason, usage });
    this.log.finish('ok', {
      status: 200,
      usage,
      finishReason,
      ...(!this.turnAtStart && this.turn(this.answer)),
      ...details,
      ...(notes.length > 0 && { notes }),
    });
  }

  /** Adds what is known so far to the entry; the outcome is set where the caller is answered. @param usage of a cut-off answer */
  failed(error: unknown, usage?: TokenUsage): void {
    this.usage = usage;
    this.keepRecording({ error });
    this.log.add({ ...this.details(), ...(usage && { usage }) });
  }

  /** Without texts nothing that was made of them is kept either: a short one could be guessed. */
  private turn(answer?: Answer): RequestDetails | undefined {
    return this.log.keeps === 'none' ? undefined : turnRecord(this.keyName, this.request.messages, answer);
  }

  private keepRecording(ending: Pick<CompletionEnding, 'finishReason' | 'usage' | 'error'>): void {
    const { recording, answer, report, corrections } = this;
    if (recording) {
      const { attempts } = report;
      const hadFault = corrections.length > 0;
      // Asked for after the answer: digests and JSON of a long one take milliseconds.
      this.log.keepRecording({
        hadFault,
        make: (settings) =>
          recording.finish(settings, { answer, attempts, details: this.findings('full'), ...ending }),
      });
    }
  }

  private endNotes(finishReason: FinishReason): readonly string[] {
    const { isLimitDefault, params } = this.request;
    return [
      ...(finishReason === 'length' && isLimitDefault ? [cutNote(params.maxTokens)] : []),
      ...(this.isReasonAssumed
        ? ['The upstream ended its answer without a finish reason, so that a part of it may be missing.']
        : []),
    ];
  }

  private details(): RequestDetails {
    const content = toContentRecord(this.request, this.answer, this.log.keeps);
    return { ...this.findings(this.log.keeps), ...(content && { content }) };
  }

  /** Decisions on the request and its answer, without their texts. */
  private findings(mode: LogContent): RequestDetails {
    const { answer, plan } = this;
    const { messages, unsupportedTools = [], unknownItems = [], ignoredFields = [] } = this.request;
    const repeatedCall = findRepeatedCall(messages, answer.toolCalls);
    const guarded = plan?.guards.reduce<RequestDetails>(
      (details, guard) => ({ ...details, ...guard.details?.(answer, mode) }),
      {},
    );
    const notes = [
      ...(unsupportedTools.length > 0 ? [omittedToolsNote(unsupportedTools)] : []),
      ...(ignoredFields.length > 0 ? [ignoredFieldsNote(ignoredFields)] : []),
      ...(unknownItems.length > 0 ? [omittedItemsNote(unknownItems)] : []),
      ...(plan?.truncatedMessages === undefined ? [] : [truncatedNote(plan.truncatedMessages)]),
      ...(guarded?.notes ?? []),
    ];
    return {
      ...(plan && condensedDetails(plan.condensed, mode)),
      ...guarded,
      ...(notes.length > 0 && { notes }),
      ...(repeatedCall && { repeatedCall }),
      ...(this.corrections.length > 0 && { corrections: this.corrections }),
    };
  }
}

function truncatedNote(count: number): string {
  return `The request is truncated: ${count} of its oldest messages were left out, since the whole does not fit the model.`;
}
