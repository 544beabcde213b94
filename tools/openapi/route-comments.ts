import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Doc comments of the controllers. */
export class RouteComments {
  private readonly texts = new Map<string, string>();

  /** @param folder of the project */
  constructor(folder: string) {
    for (const path of globSync('src/**/*.controller.ts', { cwd: folder })) {
      const text = readFileSync(join(folder, path), 'utf8');
      ts.forEachChild(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), (node) =>
        this.read(node),
      );
    }
  }

  /** The comment of a handler, else that of its class; undefined without one. */
  of(controller: string, handler: string): string | undefined {
    return this.texts.get(`${controller}.${handler}`) ?? this.texts.get(controller);
  }

  private read(node: ts.Node): void {
    if (!ts.isClassDeclaration(node) || !node.name) {
      return;
    }
    const { text } = node.name;
    this.add(text, node);
    node.members.filter(ts.isMethodDeclaration).forEach((method) => {
      this.add(`${text}.${method.name.getText()}`, method);
    });
  }

  private add(name: string, node: ts.Node): void {
    const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' ');
    if (text !== '') {
      this.texts.set(name, text.replace(/\s+/g, ' '));
    }
  }
}
