import { type CallWriter } from '../../calls/call-writer.js';
import { JsonArgumentsReader } from '../../calls/json-arguments-reader.js';
import { RawArgumentWriter } from '../../calls/raw-argument-writer.js';
import { LenientJsonReader } from '../../json/lenient-json-reader.js';
import { type Input, type Parsing } from '../../text/input.js';
import { readMaybeFenced } from '../call-fence.js';
import { type GivenAttributes } from './given-attributes.js';
import { memberLines } from './member-lines.js';

/** The arguments of a call between tags. */
export class TaggedArguments {
  /** Keys of the arguments so far. */
  readonly keys = new Set<string>();

  /**
   * @param writer undefined for a call of a tool that is not offered
   * @param repair receives the name of each repair
   */
  constructor(
    private readonly writer: CallWriter | undefined,
    private readonly repair: (name: string) => void,
  ) {}

  /** @returns undefined for a parameter that is given already, whose first value counts */
  begin(key: string, lineBreak: string, isText: boolean): RawArgumentWriter | undefined {
    const { keys, writer } = this;
    // The writer knows those in JSON, too.
    if (keys.has(key) || writer?.hasKey(key)) {
      this.repair('doubled_key');
      return undefined;
    }
    keys.add(key);
    return writer && new RawArgumentWriter(key, writer, lineBreak, isText);
  }

  /** Takes the arguments in the opening tag. */
  takeAttributes({ members, json }: GivenAttributes): void {
    const { repair, writer } = this;
    repair('attributes');
    members.forEach(({ key, value }) => {
      this.write(key, value);
    });
    if (writer && json !== undefined) {
      new JsonArgumentsReader(writer, repair).readWhole(json);
    }
  }

  /** Consumes all arguments as lines of keys and values. @returns whether they stand at the cursor */
  *takeLines(input: Input): Parsing<boolean> {
    const lines = this.writer && (yield* memberLines(input, this.writer.tool));
    if (lines) {
      this.repair('lines');
      input.at += lines.length;
      lines.members.forEach((text, key) => {
        this.write(key, text);
      });
    }
    return lines !== undefined;
  }

  /** Consumes all arguments as JSON, or a fence of it. */
  *takeJson(input: Input): Parsing<void> {
    const { repair, writer } = this;
    yield* readMaybeFenced(input, function* () {
      const reader = new LenientJsonReader(input, repair);
      if (writer) {
        yield* new JsonArgumentsReader(writer, repair).readAlone(reader);
      } else {
        yield* reader.value(() => undefined);
      }
    });
  }

  private write(key: string, text: string): void {
    const value = this.begin(key, '', false);
    value?.write(text);
    value?.end();
  }
}
