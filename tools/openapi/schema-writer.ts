import { sep } from 'node:path';
import ts from 'typescript';

type Json = Readonly<Record<string, unknown>>;

/** Writes types of the source as JSON Schema, as `JSON.stringify` writes their values. */
export class SchemaWriter {
  private readonly schemas = new Map<string, Json>();
  private readonly names = new Map<ts.Type, string>();

  /** @param source folder whose types are the project's own */
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly source: string,
  ) {}

  /** Schemas of the types with a name, which the others refer to. */
  get named(): ReadonlyMap<string, Json> {
    return this.schemas;
  }

  schemaOf(type: ts.Type): Json {
    const { flags } = type;
    if (type.isUnion()) {
      return this.union(type);
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) {
      return { type: typeof type.value, const: type.value };
    }
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { type: 'boolean', const: this.checker.typeToString(type) === 'true' };
    }
    if (flags & ts.TypeFlags.StringLike) {
      return { type: 'string' };
    }
    if (flags & ts.TypeFlags.NumberLike) {
      return { type: 'number' };
    }
    if (flags & ts.TypeFlags.Null) {
      return { type: 'null' };
    }
    if (flags & ts.TypeFlags.NonPrimitive) {
      return { type: 'object' };
    }
    return flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? this.objectOrList(type) : {};
  }

  /** Several literals are an enumeration; null stands at the end, as readers of the schema expect it. */
  private union({ types }: ts.UnionType): Json {
    const isNull = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Null) !== 0;
    const given = types.filter((type) => (type.flags & ts.TypeFlags.Undefined) === 0);
    const values = given.filter((type) => !isNull(type));
    const texts = values.filter((type) => type.isStringLiteral()).map(({ value }) => value);
    const isBoolean = values.filter((type) => type.flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const others = values
      .filter((type) => !type.isStringLiteral() && !(isBoolean && type.flags & ts.TypeFlags.BooleanLiteral))
      .map((type) => this.schemaOf(type));
    const members = [
      ...(texts.length > 0 ? [{ type: 'string', enum: texts.toSorted() }] : []),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...others,
      ...(given.some(isNull) ? [{ type: 'null' }] : []),
    ];
    return members.length === 1 ? members[0]! : { anyOf: members };
  }

  private objectOrList(type: ts.Type): Json {
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: element ? this.schemaOf(element) : {} };
    }
    const name = this.nameOf(type);
    if (name === undefined) {
      return this.object(type);
    }
    if (!this.names.has(type)) {
      this.names.set(type, name);
      // In its place before its members, which may refer to it.
      this.schemas.set(name, {});
      this.schemas.set(name, this.object(type));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Of a declared type of the project without parameters: exported names are unique in it. */
  private nameOf(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.symbol;
    const isPlain = (type.aliasTypeArguments ?? []).length === 0 && !hasArguments(type);
    const isOwn = symbol?.declarations?.some(
      (node) =>
        node.getSourceFile().fileName.startsWith(this.source + sep) &&
        (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)),
    );
    const name = symbol?.name ?? '';
    const holder = [...this.names].find(([, taken]) => taken === name)?.[0];
    return isOwn && isPlain && (holder === undefined || holder === type) ? name : undefined;
  }

  private object(type: ts.Type): Json {
    const properties: Record<string, Json> = {};
    const required: string[] = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const valueType = this.checker.getTypeOfSymbol(property);
      if (property.name.startsWith('__@') || valueType.getCallSignatures().length > 0) {
        continue;
      }
      const description = ts.displayPartsToString(property.getDocumentationComment(this.checker));
      properties[property.name] = {
        ...this.schemaOf(valueType),
        ...(description && { description: description.replace(/\s+/g, ' ') }),
      };
      if (!(property.flags & ts.SymbolFlags.Optional) && !mayBeUndefined(valueType)) {
        required.push(property.name);
      }
    }
    const rest = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(rest && { additionalProperties: this.schemaOf(rest) }),
    };
  }
}

function hasArguments(type: ts.Type): boolean {
  const { typeArguments, target } = type as ts.TypeReference & { target?: ts.InterfaceType };
  return (typeArguments?.length ?? 0) > (target?.thisType ? 1 : 0);
}

function mayBeUndefined(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0,
  );
}
