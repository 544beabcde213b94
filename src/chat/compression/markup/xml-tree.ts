import { readTags } from './tags.js';

export interface XmlElement {
  readonly name: string;
  readonly start: number;
  end: number;
  /** Index behind the opening tag, where the content begins. */
  readonly inner: number;
  readonly children: XmlElement[];
}

/** Depth of nesting beyond which a text is not read. */
const MAX_DEPTH = 64;

/** Root element of a well-formed text; undefined if tags do not match or there are several roots. */
export function readXml(text: string): XmlElement | undefined {
  let root: XmlElement | undefined;
  const open: XmlElement[] = [];
  for (const token of readTags(text, false)) {
    if (token.kind === 'open') {
      const { name, start, end } = token;
      const element: XmlElement = { name, start, end, inner: end, children: [] };
      open.at(-1)?.children.push(element);
      if (open.length === 0 && root) {
        return undefined;
      }
      root ??= element;
      if (!token.isEmpty) {
        open.push(element);
      }
      if (open.length > MAX_DEPTH) {
        return undefined;
      }
    } else if (token.kind === 'close') {
      const element = open.pop();
      if (element?.name !== token.name) {
        return undefined;
      }
      element.end = token.end;
    }
  }
  return open.length === 0 ? root : undefined;
}
