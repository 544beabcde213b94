import { type FinishReason, type ToolCallDelta } from '../../../upstream/upstream-driver.js';

/**
 * Takes the pieces of an answer in order; texts are never empty. Called for each piece of each stream: no allocation
 * that can be avoided.
 */
export interface DeltaSink {
  reasoning(text: string): void;
  text(text: string): void;
  /** The model's refusal to answer. */
  refusal(text: string): void;
  toolCall(delta: ToolCallDelta): void;
}

/**
 * One step of the answer's pipeline: gets pieces, hands on what it lets through. Pure and synchronous.
 * By default everything passes; a stage overrides what it is about.
 */
export abstract class Stage implements DeltaSink {
  constructor(protected readonly next: DeltaSink) {}

  reasoning(text: string): void {
    this.next.reasoning(text);
  }

  text(text: string): void {
    this.next.text(text);
  }

  refusal(text: string): void {
    this.next.refusal(text);
  }

  toolCall(delta: ToolCallDelta): void {
    this.next.toolCall(delta);
  }

  /**
   * The upstream is done: hand on what was held back.
   * @param _reason why it is; undefined if a guard gives the answer up
   */
  flush(_reason?: FinishReason): void {
    // Most stages hold nothing back.
  }
}

/** Called by a stage that ends the answer before the upstream does; nothing is let through afterwards. */
export type EndAnswer = (reason: FinishReason) => void;
