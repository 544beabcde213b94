import { type LogContent } from '../../logs/records/log-content.js';
import { type CorrectionRecord, type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type Answer } from './answer.js';
import { type DeltaSink, type EndAnswer, type Stage } from './stages/stage.js';

/** A guard's finding about an answer. */
export interface Fault {
  readonly cause: CorrectionRecord['cause'];
  /** The fault, in one sentence. */
  readonly detail: string;
}

/**
 * What becomes of an answer with a fault. `stop`: nothing more of it is handed on. `pass`: it is handed on unchanged and
 * no longer judged.
 */
export type AnswerVerdict = 'stop' | 'pass';

/** An answer is given up, and what happens next. */
export type Rejection = Fault &
  (
    | {
        /** The model is asked again, with the correction as the last thing that it reads. */
        readonly action: 'ask_again';
        readonly correction: Correction;
      }
    | {
        /** `drop` breaks the connection, for a caller that retries by itself; `fail` ends the request with an error. */
        readonly action: 'drop' | 'fail';
      }
  );

/** Correction of the last answer, for the model. */
export interface Correction {
  readonly instruction: string;
  /** The answer in question, or its beginning, where the model should see it. */
  readonly rejected?: string;
}

/** Actions of a guard besides letting pieces through. */
export interface GuardHooks {
  /** Whether a status line has gone to the caller, so that its connection must not be broken any more. */
  readonly isCommitted: () => boolean;
  readonly end: EndAnswer;
  /**
   * Gives the answer up; nothing is let through any more. What was let through before stays, so an answer that is
   * asked for again goes on from there.
   */
  readonly reject: (rejection: Rejection) => void;
  /** Lets the answer through with its fault, for the log to know. */
  readonly pass: (fault: Fault) => void;
  /** Calls that the answer must not make were left out of it. */
  readonly noteDroppedCalls: () => void;
  /** The answer with all that the guard has let through, also what a limit behind it would have held back. */
  readonly settle: () => Answer;
}

/** Judges the answers to one request before the caller sees them; asked for a stage of its own for each answer. */
export interface Guard {
  /** Whether it may have an answer given up, so that nothing is committed before its first piece is let through. */
  readonly holdsBack: boolean;
  /** Correction due in the request's first prompt already, if any. */
  readonly firstCorrection?: Correction;
  stage(next: DeltaSink, hooks: GuardHooks): Stage;
  /** The caller has a whole answer. */
  answered?(): void;
  /** Details of the last answer for the log. */
  details?(answer: Answer, mode: LogContent): RequestDetails;
}
