/** The part of the DOM's interfaces that is needed here: these functions run in the page. */
interface ShownNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<ShownNode>;
}
declare const getComputedStyle: (element: unknown) => {
  readonly whiteSpace: string;
  readonly display: string;
};
interface ShownElement extends ShownNode {
  readonly localName: string;
  readonly className: unknown;
  readonly children: ArrayLike<ShownElement>;
  matches(selector: string): boolean;
  getAttribute(name: string): string | null;
  querySelector(selector: string): ShownElement | null;
  querySelectorAll(selector: string): ArrayLike<ShownElement>;
  checkVisibility(): boolean;
  /** Of an element that has an open one. */
  readonly shadowRoot?: ShownNode | null;
  /** Of a slot: what is shown in its place, if anything is. */
  assignedNodes?(): ArrayLike<ShownNode>;
}

/**
 * The shown text of an element as Markdown, without the elements that `exclude` fits. All functions of this file are
 * sent to the page as text, so they use each other and nothing else.
 */
export function markdownOf(root: ShownElement, exclude: string): string {
  return markdownOfChildren(root, exclude)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\uE000/g, '\n')
    .trim();
}

function markdownOfChildren(parent: ShownNode, exclude: string): string {
  let text = '';
  for (const node of shownNodesIn(parent)) {
    if (node.nodeType === 3) {
      const words = markdownOfText(parent, node.textContent ?? '');
      text += text === '' || text.endsWith('\n') ? words.replace(/^[ \t\n]+/, '') : words;
    } else if (node.nodeType === 1) {
      text += markdownOfElement(node as ShownElement, exclude);
    }
  }
  return text;
}

/** An element with `display: contents`, such as a slot, has no box of its own, but what is in it shows. */
function isShown(element: ShownElement): boolean {
  return element.checkVisibility() || getComputedStyle(element).display === 'contents';
}

/** What a node shows: its shadow root in place of its own nodes, and these in the slots of that root. */
function shownNodesIn(parent: ShownNode): ShownNode[] {
  const { shadowRoot, localName, assignedNodes } = parent as Partial<ShownElement> & ShownNode;
  const assigned = localName === 'slot' ? Array.from(assignedNodes?.call(parent) ?? []) : [];
  return assigned.length > 0 ? assigned : Array.from((shadowRoot ?? parent).childNodes);
}

/** Shown text: without the blanks that a page folds, which no-break spaces are not. */
function markdownOfText(parent: ShownNode, text: string): string {
  const isKept =
    /\n|[ \t]{2}/.test(text) && /^(?:pre|break-spaces)/.test(getComputedStyle(parent).whiteSpace);
  return isKept ? text : text.replace(/[ \t\n\r\f]+/g, ' ');
}

function markdownOfElement(element: ShownElement, exclude: string): string {
  if ((exclude !== '' && element.matches(exclude)) || !isShown(element)) {
    return '';
  }
  const name = element.localName;
  const inner = (): string => markdownOfChildren(element, exclude).trim();
  const marks: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~' };
  const mark = marks[name];
  if (mark !== undefined) {
    const text = inner();
    return text === '' ? '' : `${mark}${text}${mark}`;
  }
  if (/^h[1-6]$/.test(name)) {
    return `\n\n${'#'.repeat(Number(name.charAt(1)))} ${inner()}\n\n`;
  }
  switch (name) {
    case 'br':
      return '\n';
    case 'hr':
      return '\n\n---\n\n';
    case 'img':
      return markdownOfImage(element);
    case 'input':
      return element.matches('[type=checkbox]') ? (element.matches(':checked') ? '[x]' : '[ ]') : '';
    case 'pre':
      return markdownOfCode(element);
    case 'code':
      return markdownOfInlineCode(element.textContent ?? '');
    case 'a':
      return `[${inner()}](${element.getAttribute('href') ?? ''})`;
    case 'blockquote':
      return `\n\n${quoted(inner())}\n\n`;
    case 'ul':
    case 'ol':
      return `\n${markdownOfList(element, exclude)}\n`;
    case 'table':
      return markdownOfTable(element, exclude);
    case 'script':
    case 'style':
    case 'button':
      return '';
    case 'p':
      return `\n\n${inner()}\n\n`;
    case 'div':
    case 'section':
    case 'article':
      return `\n${inner()}\n`;
    default:
      return markdownOfFormula(element) ?? markdownOfChildren(element, exclude);
  }
}

/** Lines of code have ends of their own. */
function quoted(text: string): string {
  return text
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^/gm, '> ')
    .replace(/\uE000/g, '\uE000> ')
    .replace(/\uE000> (?=\uE000)/g, '\uE000>');
}

/** A formula as KaTeX and MathJax keep its source, which they paint twice; undefined for any other element. */
function markdownOfFormula(element: ShownElement): string | undefined {
  if (!element.matches('.katex, .katex-display, mjx-container')) {
    return undefined;
  }
  const source = element.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
  const sign = element.matches('.katex-display, [display=true]') ? '$$' : '$';
  return source ? sign + source + sign : undefined;
}

/** Pictures of emoji are what they stand for. */
function markdownOfImage(element: ShownElement): string {
  const name = element.getAttribute('alt') ?? '';
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(name)
    ? name
    : `![${name}](${element.getAttribute('src') ?? ''})`;
}

function markdownOfInlineCode(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return ticks + pad + code + pad + ticks;
}

/** The text of a block of code, some of which have an element for each line, and nothing between them. */
function codeText(element: ShownElement): string {
  let text = '';
  for (const node of Array.from(element.childNodes)) {
    const { localName = '' } = node as Partial<ShownElement>;
    if (localName === 'br') {
      text += '\n';
    } else if (localName === 'div' || localName === 'p') {
      const line = codeText(node as ShownElement);
      text += (text === '' || text.endsWith('\n') ? '' : '\n') + line + (line.endsWith('\n') ? '' : '\n');
    } else {
      text += localName === '' ? (node.textContent ?? '') : codeText(node as ShownElement);
    }
  }
  return text;
}

/** A fenced block; its line ends are kept apart from those that are tidied. */
function markdownOfCode(element: ShownElement): string {
  const code = element.querySelector('code') ?? element;
  const names = `${String(code.className)} ${String(element.className)}`;
  const language = /(?:language|lang)-([\w+#.-]+)/.exec(names)?.[1] ?? '';
  const text = codeText(code).replace(/\n$/, '');
  const longest = Math.max(0, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `\n\n${`${fence}${language}\n${text}\n${fence}`.replace(/\n/g, '\uE000')}\n\n`;
}

function markdownOfList(list: ShownElement, exclude: string): string {
  const start = Number(list.getAttribute('start') ?? 1);
  return Array.from(list.children)
    .filter(({ localName }) => localName === 'li')
    .map((item, at) => {
      const sign = list.localName === 'ol' ? `${start + at}. ` : '- ';
      const text = markdownOfChildren(item, exclude)
        .trim()
        .replace(/\n{2,}/g, '\n');
      return sign + text.replace(/[\n\uE000](?![\n\uE000])/g, (end) => end + ' '.repeat(sign.length));
    })
    .join('\n');
}

function markdownOfTable(table: ShownElement, exclude: string): string {
  const rows = Array.from(table.querySelectorAll('tr')).map((row) =>
    Array.from(row.children).map((cell) =>
      markdownOfChildren(cell, exclude)
        .trim()
        .replace(/\|/g, '\\|')
        .replace(/\s*\n\s*/g, ' '),
    ),
  );
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const heads = Array.from(table.querySelector('tr')?.children ?? []);
  const rule = `| ${heads.map(ruleOfColumn).join(' | ')} |`;
  return `\n\n${[...lines.slice(0, 1), rule, ...lines.slice(1)].join('\n')}\n\n`;
}

/** Alignment of a column as in a delimiter row, from the attributes that renderers of Markdown set. */
function ruleOfColumn(head: ShownElement): string {
  const said = `${head.getAttribute('align') ?? ''} ${head.getAttribute('style') ?? ''} ${String(head.className)}`;
  const [side] = /center|right|left/.exec(said) ?? [];
  return side === 'center' ? ':-:' : side === 'right' ? '--:' : side === 'left' ? ':--' : '---';
}

/** The source of these functions, for a page. */
export const MARKDOWN_SOURCE = [
  markdownOf,
  markdownOfChildren,
  shownNodesIn,
  isShown,
  markdownOfText,
  markdownOfElement,
  quoted,
  markdownOfFormula,
  markdownOfImage,
  markdownOfInlineCode,
  codeText,
  markdownOfCode,
  markdownOfList,
  markdownOfTable,
  ruleOfColumn,
]
  .map(String)
  .join('\n');
