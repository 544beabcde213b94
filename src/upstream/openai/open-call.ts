import { isStructure } from '../../common/text/json-object.js';
import { parsedJson } from '../../common/text/parsed-json.js';
import { type ToolCallDelta } from '../upstream-driver.js';

/** A native tool call while its pieces arrive. */
export class OpenCall {
  readonly index: number;
  readonly id: string | undefined;
  name: string | undefined;
  private text = '';
  /** Those of the last pieces, which most upstreams give no reason to look into: a look would copy the whole text. */
  private unread = '';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private state: 'unfinished' | 'whole' | 'broken' = 'unfinished';

  constructor({ index, id, name, arguments: text = '' }: ToolCallDelta) {
    this.index = index;
    this.id = id;
    this.name = name;
    this.append(text);
  }

  /** Characters of the arguments so far. */
  get length(): number {
    return this.text.length;
  }

  append(text: string): void {
    this.text += text;
    this.unread += text;
  }

  /** Whether the arguments are a whole JSON object, so that nothing can follow. Reads each character once. */
  isWhole(): boolean {
    const { unread } = this;
    this.unread = '';
    for (let at = 0; at < unread.length && this.state !== 'broken'; at++) {
      this.read(unread[at] ?? '');
    }
    return this.state === 'whole';
  }

  private read(character: string): void {
    if (this.isEscaped) {
      this.isEscaped = false;
    } else if (this.isInString) {
      this.isEscaped = character === '\\';
      this.isInString = character !== '"';
    } else if (this.state === 'whole') {
      this.state = character.trim() === '' ? 'whole' : 'broken';
    } else if (character === '"') {
      this.isInString = true;
    } else if (character === '{') {
      this.depth++;
    } else if (character === '}' && --this.depth <= 0) {
      this.state = holdsStructure(this.text) ? 'whole' : 'broken';
    }
  }
}

function holdsStructure(json: string): boolean {
  return isStructure(parsedJson(json));
}
