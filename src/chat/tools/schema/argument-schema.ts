import { mendJson } from '../json/mend-json.js';
import { type CoercedNode, Coercer } from './coercer.js';
import { Schema, SchemaDocument } from './schema-document.js';
import { type SchemaKind } from './schema-keywords.js';
import { parseSourceNode, plainText, type SourceNode, stringNode } from './source-node.js';

export interface CoercedJson {
  readonly json: string;
  /** What was changed, e.g. `string_to_number`, each once; empty for a value that is as its schema wants it. */
  readonly repairs: readonly string[];
}

/** How the values of one parameter are read. Where several readings conform to its schema, none loses anything. */
export interface ValueSchema {
  /** A string is fine as it is: raw text may stream as a string at once. */
  readonly takesString: boolean;
  /**
   * True if raw text that begins so is a string whatever follows, so that it may stream. Where a schema admits more
   * than strings, some characters that are no space decide it: worth asking for the first eight of them.
   */
  startsString(head: string): boolean;
  /**
   * JSON text for the raw text of an XML parameter (no escaping in it). Where strings and other kinds are admitted,
   * text that is JSON of another kind is that, unless its digits would change; a string of which that is not
   * meant stands in quotes. Anything else is a string byte for byte.
   */
  fromText(raw: string): CoercedJson;
  /** JSON text for a value given as valid JSON text; digits are kept (big integers, 1.0). */
  fromJson(json: string): CoercedJson;
}

/** The `parameters` of a tool: says how the arguments of its calls are read. */
export class ArgumentSchema {
  private readonly root: Schema;
  private readonly properties = new Map<string, ValueSchema>();

  constructor(parameters: Readonly<Record<string, unknown>> | null | undefined) {
    const document = new SchemaDocument(parameters);
    // Arguments are an object, also where the schema does not say so.
    this.root = document.schema({ allOf: [parameters ?? {}, { type: 'object' }] });
  }

  property(key: string): ValueSchema {
    let found = this.properties.get(key);
    if (!found) {
      found = new ParameterValueSchema(this.schemaOf(key));
      this.properties.set(key, found);
    }
    return found;
  }

  /** For native calls: a whole arguments object as JSON text. */
  fromJson(json: string): CoercedJson {
    return coerceJson(json, this.root);
  }

  /** What any alternative that knows the parameter says of it. */
  private schemaOf(key: string): Schema {
    const knowing = this.root.branches.filter((branch) => branch.declares(key));
    const schemas = (knowing.length > 0 ? knowing : this.root.branches).map((branch) => branch.property(key));
    return schemas.length === 1 ? schemas[0]! : new Schema(() => schemas.flatMap(({ branches }) => branches));
  }
}

class ParameterValueSchema implements ValueSchema {
  readonly takesString: boolean;
  /** Undefined stands for every kind. */
  private readonly kinds: ReadonlySet<SchemaKind> | undefined;
  /** Whether any string conforms, not only listed ones. */
  private readonly admitsAnyString: boolean;

  constructor(private readonly schema: Schema) {
    const { branches } = schema;
    this.kinds = branches.some(({ kinds }) => kinds === undefined)
      ? undefined
      : new Set(branches.flatMap(({ kinds }) => [...(kinds ?? [])]));
    this.admitsAnyString = branches.some((branch) => branch.values === undefined && branch.admits('string'));
    this.takesString = this.admitsAnyString && this.kinds?.size === 1;
  }

  startsString(head: string): boolean {
    if (!this.admitsAnyString || this.takesString) {
      return this.takesString;
    }
    const text = head.trim();
    return text !== '' && !this.mayBecomeOther(text);
  }

  fromText(raw: string): CoercedJson {
    const string = stringNode(raw);
    if (this.takesString) {
      return { json: string.text, repairs: [] };
    }
    const coercer = new Coercer();
    const accepts = (node: SourceNode): boolean => coercer.acceptance.accepts(node, this.schema);
    const text = raw.trim();
    const value = parseSourceNode(text);
    const isString = accepts(string);
    if (value && value.kind !== 'string' && accepts(value) && !(isString && isRounded(value))) {
      return { json: value.text, repairs: [] };
    }
    if (isString) {
      return { json: value && this.needsQuotes(value) ? value.text : string.text, repairs: [] };
    }
    const readings = [value ? { node: value, repairs: [] } : mended(text), { node: string, repairs: [] }]
      .filter((reading) => reading !== undefined)
      .map((reading) => {
        const { node, repairs } = coercer.coerce(reading.node, this.schema);
        return { node, repairs: [...reading.repairs, ...repairs] };
      });
    const { node, repairs } = readings.find((reading) => accepts(reading.node)) ?? readings[0]!;
    return { json: node.text, repairs };
  }

  fromJson(json: string): CoercedJson {
    return this.takesString && json.startsWith('"') ? { json, repairs: [] } : coerceJson(json, this.schema);
  }

  /** A string in quotes that would not be read as a string without them. */
  private needsQuotes(value: SourceNode): boolean {
    if (value.kind !== 'string') {
      return false;
    }
    const text = plainText(value);
    return this.fromText(text).json !== JSON.stringify(text);
  }

  /** Whether a text that begins so can turn out to be of another kind than a string. */
  private mayBecomeOther(text: string): boolean {
    const { kinds } = this;
    const admits = (kind: SchemaKind): boolean => kinds === undefined || kinds.has(kind);
    return (
      (admits('null') && 'null'.startsWith(text)) ||
      (admits('boolean') && ('true'.startsWith(text) || 'false'.startsWith(text))) ||
      ((admits('number') || admits('integer')) && /^[-\d][-+.\deE]*$/.test(text)) ||
      (admits('array') && text.startsWith('[')) ||
      (admits('object') && text.startsWith('{')) ||
      text.startsWith('"')
    );
  }
}

/** A list or an object that is no sound JSON, if it can be mended. */
function mended(text: string): CoercedNode | undefined {
  const found = /^[[{]/.test(text) ? mendJson(text) : undefined;
  const node = found && parseSourceNode(found.json);
  return node && { node, repairs: found.repairs };
}

/** A number that a reader of JSON would write in other characters: a version, a long id. */
function isRounded(value: SourceNode): boolean {
  return value.kind === 'number' && String(Number(value.text)) !== value.text;
}

function coerceJson(json: string, schema: Schema): CoercedJson {
  const value = parseSourceNode(json);
  if (!value) {
    return { json, repairs: [] };
  }
  const { node, repairs } = new Coercer().coerce(value, schema);
  return repairs.length > 0 ? { json: node.text, repairs } : { json, repairs };
}
