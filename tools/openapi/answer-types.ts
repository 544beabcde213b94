import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { SchemaWriter } from './schema-writer.js';

type Json = Readonly<Record<string, unknown>>;

/** What the handlers of the controllers return, by their types. */
export class AnswerTypes {
  private readonly checker: ts.TypeChecker;
  private readonly writer: SchemaWriter;
  private readonly methods = new Map<string, ts.MethodDeclaration>();

  /** @param folder of the project */
  constructor(folder: string) {
    const file = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => ts.sys.readFile(path));
    const { options } = ts.parseJsonConfigFileContent({ ...file.config, include: [] }, ts.sys, folder);
    const paths = globSync('src/**/*.controller.ts', { cwd: folder }).map((path) => join(folder, path));
    const program = ts.createProgram(paths, options);
    this.checker = program.getTypeChecker();
    this.writer = new SchemaWriter(this.checker, join(folder, 'src'));
    for (const path of paths) {
      ts.forEachChild(program.getSourceFile(path)!, (node) => this.read(node));
    }
  }

  /** The types with a name of their own that answers have had so far. */
  get schemas(): ReadonlyMap<string, Json> {
    return this.writer.named;
  }

  /** Of a handler's answer; undefined for one that writes it by itself. */
  of(controller: string, handler: string): Json | undefined {
    const method = this.methods.get(`${controller}.${handler}`);
    const signature = method && this.checker.getSignatureFromDeclaration(method);
    const type = signature && this.checker.getAwaitedType(this.checker.getReturnTypeOfSignature(signature));
    return type && (type.flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Never)) === 0
      ? this.writer.schemaOf(type)
      : undefined;
  }

  private read(node: ts.Node): void {
    if (ts.isClassDeclaration(node) && node.name) {
      for (const method of node.members.filter(ts.isMethodDeclaration)) {
        this.methods.set(`${node.name.text}.${method.name.getText()}`, method);
      }
    }
  }
}
