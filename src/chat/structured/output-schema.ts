import { dereference, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { quotedName, shortened } from '../../common/text/shortened.js';
import { invalidField } from '../dto/wire-values.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { ArgumentSchema, type CoercedJson, coerceJson } from '../tools/schema/argument-schema.js';
import { EvaluationLimits } from '../tools/schema/evaluation-limits.js';
import { SchemaDocument } from '../tools/schema/schema-document.js';
import { boundedSchema } from './bounded-schema.js';
import { type OutputFault, SchemaJudge } from './schema-judge.js';

/** Keywords of an object schema under which each member can be judged without the others. */
const MEMBERWISE_KEYWORDS: ReadonlySet<string> = new Set([
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'additionalProperties',
  'default',
  'definitions',
  'description',
  'examples',
  'properties',
  'required',
  'title',
  'type',
]);

/** Most that is said of a fault, which quotes whole enumerations, and of the place where it is. */
const MAX_FAULT_CHARS = 500;
const MAX_PATH_CHARS = 100;

/** References from the root that are followed to the schema that it stands for. */
const MAX_HOPS = 8;

/**
 * The schema of a structured output: brings values to it without loss, and judges them by all its keywords, also `format`,
 * `pattern` and bounds.
 */
export class OutputSchema {
  /** Whether the members of the answer can be judged, and sent, one by one. */
  readonly isMemberwise: boolean;
  private readonly checked: JsonObject;
  private readonly lookup: ReturnType<typeof dereference>;
  private readonly judge: SchemaJudge;
  /** The checked schema behind the references of its root. */
  private readonly root: JsonObject;
  /** The same schema, for bringing values to it. */
  private readonly document: SchemaDocument;
  private readonly members: ArgumentSchema;

  /**
   * @param schema as the caller sent it
   * @param field its name in the caller's format, for errors
   * @throws InvalidRequestError for a schema that cannot be evaluated
   */
  constructor(
    private readonly schema: JsonObject,
    private readonly field: string,
  ) {
    try {
      this.checked = boundedSchema(schema);
      this.lookup = dereference(this.checked);
    } catch (error) {
      throw this.unusable(error instanceof Error ? error.message : 'cannot be read');
    }
    this.checkReferences();
    this.judge = new SchemaJudge(this.lookup, draftOf(schema));
    this.root = this.resolvedRoot();
    this.isMemberwise =
      this.root.type === 'object' && Object.keys(this.root).every((key) => MEMBERWISE_KEYWORDS.has(key));
    const limits = new EvaluationLimits();
    this.document = new SchemaDocument(schema, limits);
    this.members = new ArgumentSchema(schema, limits);
  }

  /**
   * @param field see the constructor
   * @returns undefined for text
   */
  static of(format: ResponseFormat, field: string): OutputSchema | undefined {
    switch (format.type) {
      case 'text':
        return undefined;
      case 'json_object':
        return new OutputSchema({ type: 'object' }, field);
      case 'json_schema':
        return new OutputSchema(format.json_schema.schema as JsonObject, field);
    }
  }

  /** Whether an answer can be an object; then it begins with a brace. */
  get admitsObject(): boolean {
    return this.admits('object');
  }

  get admitsArray(): boolean {
    return this.admits('array');
  }

  /** The value of one member, from sound JSON text. */
  coerceMember(key: string, json: string): CoercedJson {
    return this.members.property(key).fromJson(json);
  }

  /** The whole value, from sound JSON text. */
  coerce(json: string): CoercedJson {
    return coerceJson(json, this.document.schema(this.schema));
  }

  /** Fault of one member, in one sentence; undefined if it conforms. Only for member-wise schemas. */
  memberProblem(key: string, value: unknown): string | undefined {
    const { properties, additionalProperties } = this.root;
    const declared =
      isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (declared === false) {
      return `The member ${quotedName(key)} is not declared, and no others are allowed.`;
    }
    return declared === undefined ? undefined : this.check(value, declared, key);
  }

  /** Fault of an object whose members have all passed, in one sentence. Only for member-wise schemas. */
  missingProblem(members: JsonObject): string | undefined {
    return this.check(members, { required: this.root.required }, '');
  }

  /** Fault of the whole value, in one sentence; undefined if it conforms. */
  problem(value: unknown): string | undefined {
    return this.check(value, this.checked, '');
  }

  private check(value: unknown, schema: unknown, path: string): string | undefined {
    try {
      const fault = this.judge.fault(value, schema);
      return fault && sentence(fault, path);
    } catch (error) {
      if (error instanceof RangeError) {
        // A schema that takes too long, or whose references lead on and on, says nothing.
        return undefined;
      }
      throw error;
    }
  }

  private unusable(problem: string): Error {
    return invalidField(this.field, problem.replace(/\.$/, ''));
  }

  private admits(kind: 'object' | 'array'): boolean {
    return this.document.schema(this.schema).branches.some((branch) => branch.admits(kind));
  }

  private checkReferences(): void {
    for (const part of Object.values(this.lookup)) {
      const target = typeof part === 'object' ? part.__absolute_ref__ : undefined;
      if (target !== undefined && this.lookup[target] === undefined) {
        throw this.unusable(
          `refers to ${quotedName(String((part as Schema).$ref))}, which it does not define`,
        );
      }
    }
  }

  /** Generators of schemas often define the object under a name and refer to it from the root. */
  private resolvedRoot(): JsonObject {
    let root = this.checked;
    for (let hop = 0; hop < MAX_HOPS && typeof root.$ref === 'string'; hop++) {
      const target = this.lookup[(root as Schema).__absolute_ref__ ?? ''];
      const hasMore = Object.keys(root).some((key) => key !== '$ref' && !isAnnotation(key));
      if (hasMore || !isJsonObject(target)) {
        return root;
      }
      root = target;
    }
    return root;
  }
}

function isAnnotation(key: string): boolean {
  return (
    MEMBERWISE_KEYWORDS.has(key) && !['additionalProperties', 'properties', 'required', 'type'].includes(key)
  );
}

/** Definitions without `$schema` are read as the current draft, which is what their generators write. */
function draftOf({ $schema }: JsonObject): SchemaDraft {
  const found = typeof $schema === 'string' ? /draft-0?([467])\b/.exec($schema)?.[1] : undefined;
  return found === undefined ? '2020-12' : found === '4' ? '4' : '7';
}

function sentence({ path, text }: OutputFault, name: string): string {
  const at = path.reduce<string>(
    (whole, step) =>
      typeof step === 'number' ? `${whole}[${step}]` : whole === '' ? step : `${whole}.${step}`,
    name,
  );
  const said = shortened(text(), MAX_FAULT_CHARS);
  return at === '' ? said : `${shortened(at, MAX_PATH_CHARS)}: ${said}`;
}
