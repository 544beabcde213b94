import { diffStrategy } from './git/diff.strategy.js';
import { gitLogStrategy } from './git/git-log.strategy.js';
import { jsonStrategy } from './json/json.strategy.js';
import { jsonLinesStrategy } from './json/json-lines.strategy.js';
import { type Strategy, type StrategyContext } from './kit/strategy.js';
import { readToolUse, type ToolCallText, type ToolUse } from './kit/tool-use.js';
import { listingStrategy } from './listing/listing.strategy.js';
import { pathListStrategy } from './listing/path-list.strategy.js';
import { treeStrategy } from './listing/tree.strategy.js';
import { diagnosticsStrategy } from './log/diagnostics.strategy.js';
import { logStrategy } from './log/log.strategy.js';
import { htmlStrategy } from './markup/html.strategy.js';
import { xmlStrategy } from './markup/xml.strategy.js';
import { isProtected } from './protection/protected.js';
import { looksLikeCode, looksLikeConfig, looksLikeProse } from './protection/source-looks.js';
import { searchMatchesStrategy } from './search/search-matches.strategy.js';
import { csvStrategy } from './table/csv.strategy.js';
import { tableStrategy } from './table/table.strategy.js';
import { blobStrategy } from './text/blob.strategy.js';
import { terminalStrategy } from './text/terminal.strategy.js';

/** Shorter texts are not worth a word about what is missing. */
export const MIN_CHARS = 1200;

/** A condensed form is taken only if it is shorter than this share of the original. */
const MAX_SHARE = 0.9;

/** Texts within texts within texts. */
const MAX_NESTING = 3;

/** How much one rule took, in characters. */
export interface AppliedRule {
  readonly rule: string;
  readonly before: number;
  readonly after: number;
}

export interface CondensedResult {
  /** The original itself when no rule applied. */
  readonly text: string;
  readonly rules: readonly AppliedRule[];
}

/** What of any text is no content. */
const CLEANERS: readonly Strategy[] = [terminalStrategy, blobStrategy];

/** Kinds that cannot be mistaken for source code, the surest first. */
const STRUCTURED: readonly Strategy[] = [
  jsonStrategy,
  jsonLinesStrategy,
  diffStrategy,
  gitLogStrategy,
  htmlStrategy,
  xmlStrategy,
  listingStrategy,
  treeStrategy,
  diagnosticsStrategy,
  searchMatchesStrategy,
  pathListStrategy,
];

/** Kinds that source code, configuration and prose could be mistaken for: asked when the text looks like none of these. */
const LINES: readonly Strategy[] = [tableStrategy, csvStrategy, logStrategy];

const MARK = /^\[condensed from \d{1,12} characters\]\n/;

/**
 * Condenses a tool's result for the model: what repeats is shown once and counted, and every gap says at its place
 * how much is missing. The same input gives the same bytes. Results that the model needs word by word (files it
 * read, errors, prose, keys) and those that would hardly get shorter come back as they are, and so does what is
 * condensed already. Never throws.
 */
export function condense(text: string, tool: ToolCallText): CondensedResult {
  if (text.length < MIN_CHARS || MARK.test(text)) {
    return { text, rules: [] };
  }
  const { text: short, rules } = new Condensing(readToolUse(tool)).condense(text, 0);
  const marked = `[condensed from ${text.length} characters]\n${short}`;
  return marked.length < text.length * MAX_SHARE ? { text: marked, rules } : { text, rules: [] };
}

class Condensing {
  constructor(private readonly use: ToolUse) {}

  condense(text: string, depth: number): CondensedResult {
    const rules: AppliedRule[] = [];
    if (depth > MAX_NESTING) {
      return { text, rules };
    }
    const context: StrategyContext = {
      use: this.use,
      nested: (inner) => {
        const result = this.condense(inner, depth + 1);
        rules.push(...result.rules);
        return result.text;
      },
    };
    const apply = (before: string, { rule, condense: run }: Strategy): string | undefined => {
      const after = run(before, context);
      if (after !== undefined && after !== before) {
        rules.push({ rule, before: before.length, after: after.length });
      }
      return after;
    };
    const shown = terminalStrategy.condense(text, context) ?? text;
    if (isProtected(shown, this.use)) {
      return { text, rules };
    }
    const clean = CLEANERS.reduce((before, cleaner) => apply(before, cleaner) ?? before, text);
    for (const strategy of STRUCTURED) {
      const after = apply(clean, strategy);
      if (after !== undefined) {
        return { text: after, rules };
      }
    }
    if (looksLikeCode(shown) || looksLikeConfig(shown) || looksLikeProse(shown)) {
      return { text, rules: [] };
    }
    for (const strategy of LINES) {
      const after = apply(clean, strategy);
      if (after !== undefined) {
        return { text: after, rules };
      }
    }
    return { text: clean, rules };
  }
}
