import { type DeltaSink, type EndAnswer, type Stage } from './stage.js';

/** What a guard finds wrong with an answer. */
export interface Fault {
  /** `echo`: it repeats a tool result. `tool_call`: its call cannot be read, or a demanded one is missing. */
  readonly cause: 'echo' | 'tool_call';
  /** What is wrong, in one sentence. */
  readonly detail: string;
}

/** An answer is given up before any of it has reached the caller, and what happens next. */
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

/** What a model is told about its last answer. */
export interface Correction {
  readonly instruction: string;
  /** The answer in question, where the model should see it. */
  readonly rejected?: string;
}

/** What a guard can do besides letting pieces through. */
export interface GuardHooks {
  readonly end: EndAnswer;
  /** Gives the answer up; nothing is let through any more. Only before the guard let anything but reasoning through. */
  readonly reject: (rejection: Rejection) => void;
  /** Lets the answer through with its fault, for the log to know. */
  readonly pass: (fault: Fault) => void;
}

/** Makes a stage of its own for each answer. */
export type GuardFactory = (next: DeltaSink, hooks: GuardHooks) => Stage;
