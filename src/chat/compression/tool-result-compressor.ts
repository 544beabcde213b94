import { type Strategy, type StrategyContext } from './kit/strategy.js';
import { readToolUse, type ToolCallText, type ToolUse } from './kit/tool-use.js';
import { isProtected } from './protection/protected.js';
import { isPrinted } from './protection/repetition.js';
import { looksLikeCode, looksLikeConfig, looksLikeProse } from './protection/source-looks.js';
import { CLEANERS, LINE_FORMATS, PATH_FORMATS, STRUCTURED_FORMATS } from './strategy-order.js';
import { tableStrategy } from './table/table.strategy.js';
import { terminalStrategy } from './text/terminal.strategy.js';

/** Length in characters below which a text is never condensed: the mark and the gaps would take most of the gain. */
export const MIN_CHARS = 1200;

/** Share of the original's length that a condensed form must stay below, else the original goes upstream. */
const MAX_SHARE = 0.9;

/** The same above which a list of paths may be a table as well, which says more in less. */
const POOR_SHARE = 0.7;

/** What a table stands in place of. */
const PATH_RULES: ReadonlySet<string> = new Set(PATH_FORMATS.map(({ rule }) => rule));

/** Texts within texts that are condensed: the output of a command in JSON in JSON. */
const MAX_NESTING = 3;

/** Effect of one rule on one text, in characters. */
export interface AppliedRule {
  readonly rule: string;
  readonly before: number;
  readonly after: number;
}

export interface CondensedResult {
  /** The original itself if no rule applied. */
  readonly text: string;
  /** In the order in which they were applied; empty if the text is the original. */
  readonly rules: readonly AppliedRule[];
}

/** First line of a condensed text. */
const MARK = /^\[condensed from \d{1,12} characters\]\n/;

/**
 * Condenses the result of a tool call for the model: repetition is shown once and counted, and every gap says at its
 * place how much is missing. The same input gives the same bytes. Results that the model needs word by word (files it
 * read, errors, prose, keys), those that would hardly get shorter and condensed ones come back unchanged. Never throws.
 */
export function condense(text: string, tool: ToolCallText): CondensedResult {
  if (text.length < MIN_CHARS || MARK.test(text)) {
    return { text, rules: [] };
  }
  const { text: short, rules } = new Condensing(readToolUse(tool)).condense(text, 0);
  const marked = `[condensed from ${text.length} characters]\n${short}`;
  return marked.length < text.length * MAX_SHARE ? { text: marked, rules } : { text, rules: [] };
}

/** Condenses one result and the texts within it. */
class Condensing {
  private readonly use: ToolUse;

  constructor(use: ToolUse) {
    this.use = use;
  }

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
    const structured = firstOf(STRUCTURED_FORMATS, (format) => apply(clean, format));
    if (structured !== undefined) {
      return { text: structured, rules };
    }
    const paths = firstOf(PATH_FORMATS, (format) => apply(clean, format));
    if (paths !== undefined) {
      return shorterOf({ text: paths, rules }, clean, context);
    }
    if (this.looksWritten(shown)) {
      // Colours and overwritten lines are no words of it.
      return { text: shown, rules: rules.filter(({ rule }) => rule === terminalStrategy.rule) };
    }
    return { text: firstOf(LINE_FORMATS, (format) => apply(clean, format)) ?? clean, rules };
  }

  /** Whether a text looks like settings, code or prose. What a command prints again and again is neither of the latter. */
  private looksWritten(text: string): boolean {
    if (looksLikeConfig(text)) {
      // Each setting is one that its reader may have asked for, however alike their names are (`sysctl -a`).
      return true;
    }
    const isCode = looksLikeCode(text);
    return (isCode || looksLikeProse(text)) && !(this.use.isShell && isPrinted(text, isCode));
  }
}

/**
 * A list of paths, or the same text as a table if that is shorter and the list hardly is: lines whose paths share neither
 * folders nor labels may be rows.
 * @param clean the text before
 */
function shorterOf(paths: CondensedResult, clean: string, context: StrategyContext): CondensedResult {
  const { text, rules } = paths;
  const table = text.length < clean.length * POOR_SHARE ? undefined : tableStrategy.condense(clean, context);
  if (table === undefined || table.length >= text.length) {
    return paths;
  }
  const applied = { rule: tableStrategy.rule, before: clean.length, after: table.length };
  return { text: table, rules: [...rules.filter(({ rule }) => !PATH_RULES.has(rule)), applied] };
}

function firstOf(
  formats: readonly Strategy[],
  apply: (format: Strategy) => string | undefined,
): string | undefined {
  for (const format of formats) {
    const text = apply(format);
    if (text !== undefined) {
      return text;
    }
  }
  return undefined;
}
