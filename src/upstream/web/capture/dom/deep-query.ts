import { type DeepSelector } from '../../recipe/deep-selector.js';

/** The part of the DOM's interfaces that is needed here: these functions run in the page. */
interface DeepNode {
  querySelectorAll(selector: string): ArrayLike<DeepNode>;
  /** Of an element that has an open one. */
  readonly shadowRoot?: DeepNode | null;
}
declare const document: DeepNode;

/** All elements that one of the selectors leads to, those of one selector in the order of the page. */
export function findDeep(selectors: readonly DeepSelector[]): DeepNode[] {
  const found = selectors.flatMap((parts) => {
    const [first = '', ...inner] = parts;
    let elements = Array.from(document.querySelectorAll(first));
    for (const part of inner) {
      elements = elements.flatMap((element) =>
        [element.shadowRoot ?? element]
          .flatMap((root) => [root, ...shadowRootsIn(root)])
          .flatMap((root) => Array.from(root.querySelectorAll(part))),
      );
    }
    return elements;
  });
  return Array.from(new Set(found));
}

/** The open shadow roots below this node, and those in them. */
export function shadowRootsIn(node: DeepNode): DeepNode[] {
  return Array.from(node.querySelectorAll('*')).flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
  );
}

/** The source of these functions, for a page. */
export const DEEP_QUERY_SOURCE = [findDeep, shadowRootsIn].map(String).join('\n');
