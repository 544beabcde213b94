import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { withoutEntities } from '../text/elements.js';
import { type CoercedNode, Coercer } from './coercer.js';
import { containerNode } from './container-node.js';
import { elementNode, type ElementSchema } from './element-node.js';
import { type EvaluationLimits } from './evaluation-limits.js';
import { type Schema, SchemaDocument } from './schema-document.js';
import { type SchemaKind } from './schema-keywords.js';
import { parseSourceNode, plainText, type SourceNode, stringNode } from './source-node.js';

/** A value as JSON text, brought to its schema. */
export interface CoercedJson {
  readonly json: string;
  /** Names of the changes, e.g. `string_to_number`, each once; empty for a value that conformed. */
  readonly repairs: readonly string[];
}

/** Reads the values of one parameter. If several readings conform to its schema, it takes one that loses nothing. */
export interface ValueSchema extends ElementSchema {
  /** Whether any string conforms, and not only listed ones. */
  readonly admitsAnyString: boolean;
  /** Whether the schema admits strings only, and any of them, so that raw text can be streamed at once. */
  readonly takesString: boolean;
  inner(key: string | number): ValueSchema | undefined;
  /**
   * Whether raw text with this beginning is a string whatever follows, so that it can be streamed. If the schema admits
   * other kinds, too, up to eight characters besides white space decide.
   */
  startsString(head: string): boolean;
  /**
   * JSON for the raw, unescaped text of a tagged parameter. If strings and other kinds are admitted, text that is JSON of
   * another kind is read as that kind unless its digits would change; to mean a string, the model writes such text in
   * quotes. Any other text is a string, byte for byte.
   */
  fromText(raw: string): CoercedJson;
  /** JSON for a value in sound JSON text. Digits are kept, e.g. of big integers and `1.0`. */
  fromJson(json: string): CoercedJson;
}

/** The `parameters` of a tool, by which the arguments of its calls are read. */
export class ArgumentSchema {
  private readonly document: SchemaDocument;
  private readonly root: Schema;
  private readonly properties = new Map<string, ValueSchema>();
  /** The same by their schemas: thousands of additional arguments may share one. */
  private readonly values = new Map<Schema, ValueSchema>();

  /** @param limits one for all tools of a request bounds their time */
  constructor(parameters: Readonly<Record<string, unknown>> | null | undefined, limits?: EvaluationLimits) {
    this.document = new SchemaDocument(parameters, limits);
    // Arguments are an object even if the schema does not say so.
    this.root = this.document.schema({ allOf: [parameters ?? {}, { type: 'object' }] });
  }

  /** The schema of one argument; one that admits everything if the parameter is not declared. */
  property(key: string): ValueSchema {
    return getOrInsert(this.properties, key, () => {
      const schema = this.schemaOf(key);
      return getOrInsert(this.values, schema, () => new ParameterValueSchema(schema));
    });
  }

  /** The alternatives for a parameter, from all alternatives of the root that declare it. */
  private schemaOf(key: string): Schema {
    const { branches } = this.root;
    const knowing = branches.filter((branch) => branch.declares(key));
    return this.document.anyOf(
      (knowing.length > 0 ? knowing : branches).map((branch) => branch.property(key)),
    );
  }
}

class ParameterValueSchema implements ValueSchema {
  readonly admitsAnyString: boolean;
  readonly takesString: boolean;
  /** Undefined admits every kind. */
  private readonly kinds: ReadonlySet<SchemaKind> | undefined;

  constructor(private readonly schema: Schema) {
    const { branches } = schema;
    this.kinds = branches.some(({ kinds }) => kinds === undefined)
      ? undefined
      : new Set(branches.flatMap(({ kinds }) => [...(kinds ?? [])]));
    this.admitsAnyString = branches.some((branch) => branch.values === undefined && branch.admits('string'));
    this.takesString = this.admitsAnyString && this.kinds?.size === 1;
  }

  admits(kind: SchemaKind): boolean {
    return this.kinds === undefined || this.kinds.has(kind);
  }

  inner(key: string | number): ValueSchema | undefined {
    const kind = typeof key === 'number' ? 'array' : 'object';
    const [branch, ...others] = this.schema.branches.filter((one) => one.admits(kind));
    if (!branch || others.length > 0) {
      return undefined;
    }
    return new ParameterValueSchema(typeof key === 'number' ? branch.item(key) : branch.property(key));
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
    const read = value
      ? { node: value, repairs: [] }
      : (containerNode(text, this.admits('array')) ?? ofElements(text, this) ?? ofEntities(text));
    const readings = [read, { node: string, repairs: [] }]
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

  /** Whether a value is a string in quotes that would not be read as a string without them. */
  private needsQuotes(value: SourceNode): boolean {
    if (value.kind !== 'string') {
      return false;
    }
    const text = plainText(value);
    return this.fromText(text).json !== JSON.stringify(text);
  }

  /** Whether a text with this beginning may be of another admitted kind than a string. */
  private mayBecomeOther(text: string): boolean {
    return (
      (this.admits('null') && 'null'.startsWith(text)) ||
      (this.admits('boolean') && ('true'.startsWith(text) || 'false'.startsWith(text))) ||
      ((this.admits('number') || this.admits('integer')) && /^[-\d][-+.\deE]*$/.test(text)) ||
      (this.admits('array') && text.startsWith('[')) ||
      (this.admits('object') && text.startsWith('{')) ||
      text.startsWith('"')
    );
  }
}

/** The value of an array or object that is written as elements; undefined if the text is anything else. */
function ofElements(text: string, schema: ValueSchema): CoercedNode | undefined {
  const node = text.startsWith('<') ? elementNode(text, schema) : undefined;
  return node && { node, repairs: ['elements'] };
}

/** The value of JSON whose quotes are escaped as in XML; undefined if the text is anything else. */
function ofEntities(text: string): CoercedNode | undefined {
  const node = /^[[{]/.test(text) ? parseSourceNode(withoutEntities(text)) : undefined;
  return node && { node, repairs: ['entities'] };
}

/** Whether a number loses characters in JavaScript, such as a version `1.10` or a long id. */
function isRounded(value: SourceNode): boolean {
  return value.kind === 'number' && String(Number(value.text)) !== value.text;
}

/** Sound JSON text brought to its schema; unchanged where nothing has to be, or can be, coerced. */
export function coerceJson(json: string, schema: Schema): CoercedJson {
  const value = parseSourceNode(json);
  if (!value) {
    return { json, repairs: [] };
  }
  const { node, repairs } = new Coercer().coerce(value, schema);
  return repairs.length > 0 ? { json: node.text, repairs } : { json, repairs };
}
