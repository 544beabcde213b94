import { type Tag } from '../../text/tags.js';

/** The opening tags that came last, if only what follows them can show whether they begin a call. */
type Lead =
  | 'none'
  | 'wrapper'
  /** A wrapper with the name of a tool: `<tool_use name="f">`. */
  | 'titled'
  /** A wrapper with text behind it: a call if a parameter follows, as in `<tool_call>NAME<arg_key>`. */
  | 'named'
  | 'function'
  /** A wrapper with a function in it. */
  | 'both';

/**
 * Counts the open calls inside a value, so that their closing tags are not taken for those of the outer call. Only tags
 * that begin a call count: a tag that is merely mentioned has no closing one.
 */
export class NestedCallCounter {
  /** Open wrappers. */
  wrappers = 0;
  /** Open functions. */
  functions = 0;
  /** Open parameters outside of any call. */
  parameters = 0;
  private lead: Lead = 'none';

  /** Whether a call inside the value is open. */
  get isOpen(): boolean {
    return this.wrappers > 0 || this.functions > 0;
  }

  /** Whether nothing that began inside the value is open, so that the next closing tag may be that of the value. */
  get isBalanced(): boolean {
    return this.isSettled && !this.isOpen && this.parameters === 0;
  }

  /** Whether no opening tag waits for its call. */
  get isSettled(): boolean {
    return this.lead === 'none' || this.lead === 'named';
  }

  /** Whether the text behind the opening tag of a wrapper may be the name of a call. */
  get isNamed(): boolean {
    return this.lead === 'named';
  }

  /** Counts a tag of the value. */
  tag({ kind, isClosing, word, name }: Tag): void {
    const lead = this.lead === 'named' && word !== 'arg_value' ? 'none' : this.lead;
    this.lead = 'none';
    if (kind === 'wrapper') {
      this.countWrapper(isClosing, name);
    } else if (kind === 'function') {
      this.countFunction(isClosing, lead);
    } else if (kind === 'parameter') {
      this.countParameter(isClosing, lead);
    }
  }

  /** Takes text of the value: behind opening tags it shows that they are only mentioned, unless it is JSON of a call. */
  text(text: string): void {
    const first = this.isSettled ? '' : text.trimStart().charAt(0);
    if (first !== '') {
      const isJson = first === '{' || first === '[';
      if ((this.lead === 'wrapper' || this.lead === 'titled') && isJson) {
        this.wrappers++;
      }
      this.lead = this.lead === 'wrapper' && !isJson ? 'named' : 'none';
    }
  }

  private countWrapper(isClosing: boolean, name: string): void {
    if (isClosing) {
      this.wrappers = Math.max(0, this.wrappers - 1);
    } else {
      this.lead = name === '' ? 'wrapper' : 'titled';
    }
  }

  private countFunction(isClosing: boolean, lead: Lead): void {
    if (!isClosing) {
      this.lead = lead === 'wrapper' ? 'both' : 'function';
    } else if (lead === 'both') {
      this.wrappers++;
    } else if (lead === 'none') {
      this.functions = Math.max(0, this.functions - 1);
    }
  }

  private countParameter(isClosing: boolean, lead: Lead): void {
    if (isClosing) {
      this.parameters = Math.max(0, this.parameters - 1);
    } else if (lead === 'named') {
      this.wrappers++;
      this.parameters++;
    } else if (lead === 'titled') {
      this.wrappers++;
    } else if (lead === 'function' || lead === 'both') {
      this.functions++;
      this.wrappers += lead === 'both' ? 1 : 0;
    } else if (!this.isOpen) {
      this.parameters++;
    }
  }
}
