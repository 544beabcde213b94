import { quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { condenseCells } from '../table/cell-table.js';
import { HtmlText } from './html-text.js';

/** Headings and fences of Markdown, which may begin with HTML: a logo, badges. */
const MARKDOWN = /^(#{1,6} \S|```)/m;

const MIN_TABLE_ROWS = 24;

/** HTML pages: headings, text, links with their URLs, lists and tables. Scripts and styles are counted. */
export const htmlStrategy: Strategy = {
  rule: 'html',
  condense: (text) => {
    const start = text.slice(0, 2000).trimStart().toLowerCase();
    const isPage =
      /^(<!doctype html|<html|<head|<body)/.test(start) ||
      (/^<[a-z]/.test(start) && isMostlyHtml(text) && !MARKDOWN.test(text));
    if (!isPage) {
      return undefined;
    }
    const page = new HtmlText(text);
    const shown = page.render();
    const head = `[HTML page as text; attributes of ${quantity(page.counts.tags, 'tags')}${unseen(page)} omitted]`;
    return [head, ...withShortTables(shown)].join('\n');
  },
};

/** Counts of comments and drawings, for the first line. */
function unseen({ counts: { comments, drawings } }: HtmlText): string {
  const parts = [
    comments > 0 ? quantity(comments, 'comments') : '',
    drawings > 0 ? quantity(drawings, 'drawings') : '',
  ];
  return parts.map((part) => (part === '' ? '' : `, ${part}`)).join('');
}

/** Condenses long tables as tables in other formats: the first, the last and the unusual rows. */
function withShortTables(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    let end = i;
    while (lines[end]?.startsWith('| ')) {
      end++;
    }
    if (end - i > MIN_TABLE_ROWS) {
      condenseCells(lines.slice(i, end)).forEach((line) => out.push(line));
      i = end;
    } else {
      lines.slice(i, Math.max(end, i + 1)).forEach((line) => out.push(line));
      i = Math.max(end, i + 1);
    }
  }
  return out;
}

/** Whether a text is a fragment of HTML: there is a common tag for every 120 characters. */
function isMostlyHtml(text: string): boolean {
  const tags = text
    .slice(0, 20_000)
    .match(/<\/?(div|span|p|a|li|ul|td|tr|table|section|article|h[1-6]|br)[ >/]/gi);
  return (tags?.length ?? 0) * 120 > Math.min(text.length, 20_000);
}
