import { type Tag } from '../text/tags.js';

/**
 * The calls inside a value, by what is open of them. Only what begins like a call is counted: a tag that is mentioned
 * needs no closing one.
 */
export class NestedCallCounter {
  wrappers = 0;
  functions = 0;
  /** Parameters outside of any call. */
  parameters = 0;
  /** Opening tags that came last, `named` if text stands behind a wrapper's: a call, if more of it follows. */
  private lead: 'none' | 'wrapper' | 'named' | 'function' | 'both' = 'none';

  /** A call inside is not closed. */
  get isOpen(): boolean {
    return this.wrappers > 0 || this.functions > 0;
  }

  /** No opening tag waits for what makes it a call. */
  get isSettled(): boolean {
    return this.lead === 'none' || this.lead === 'named';
  }

  /** What stands behind the opening tag of a wrapper may be the name of a call. */
  get isNamed(): boolean {
    return this.lead === 'named';
  }

  tag({ kind, isClosing, word }: Tag): void {
    const lead = this.lead === 'named' && word !== 'arg_value' ? 'none' : this.lead;
    this.lead = 'none';
    if (kind === 'wrapper') {
      this.countWrapper(isClosing);
    } else if (kind === 'function') {
      this.countFunction(isClosing, lead);
    } else if (kind === 'parameter') {
      this.countParameter(isClosing, lead);
    }
  }

  /** Text behind tags: opening ones are only mentioned then, unless it is the JSON of a call. */
  text(text: string): void {
    const first = this.isSettled ? '' : text.trimStart().charAt(0);
    if (first !== '') {
      const isJson = first === '{' || first === '[';
      if (this.lead === 'wrapper' && isJson) {
        this.wrappers++;
      }
      this.lead = this.lead === 'wrapper' && !isJson ? 'named' : 'none';
    }
  }

  private countWrapper(isClosing: boolean): void {
    if (isClosing) {
      this.wrappers = Math.max(0, this.wrappers - 1);
    } else {
      this.lead = 'wrapper';
    }
  }

  private countFunction(isClosing: boolean, lead: typeof this.lead): void {
    if (!isClosing) {
      this.lead = lead === 'wrapper' ? 'both' : 'function';
    } else if (lead === 'both') {
      this.wrappers++;
    } else if (lead === 'none') {
      this.functions = Math.max(0, this.functions - 1);
    }
  }

  private countParameter(isClosing: boolean, lead: typeof this.lead): void {
    if (isClosing) {
      this.parameters = Math.max(0, this.parameters - 1);
    } else if (lead === 'named') {
      this.wrappers++;
      this.parameters++;
    } else if (lead === 'function' || lead === 'both') {
      this.functions++;
      this.wrappers += lead === 'both' ? 1 : 0;
    } else if (!this.isOpen) {
      this.parameters++;
    }
  }
}
