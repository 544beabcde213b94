import { diffStrategy } from './git/diff.strategy.js';
import { gitLogStrategy } from './git/git-log.strategy.js';
import { jsonStrategy } from './json/json.strategy.js';
import { jsonLinesStrategy } from './json/json-lines.strategy.js';
import { type Strategy } from './kit/strategy.js';
import { labelledPathsStrategy } from './listing/labelled-paths.strategy.js';
import { listingStrategy } from './listing/listing.strategy.js';
import { pathListStrategy } from './listing/path-list.strategy.js';
import { treeStrategy } from './listing/tree.strategy.js';
import { diagnosticsStrategy } from './log/diagnostics.strategy.js';
import { findingRunsStrategy } from './log/finding-runs.strategy.js';
import { logStrategy } from './log/log.strategy.js';
import { htmlStrategy } from './markup/html.strategy.js';
import { xmlStrategy } from './markup/xml.strategy.js';
import { searchMatchesStrategy } from './search/search-matches.strategy.js';
import { componentsStrategy } from './table/components.strategy.js';
import { csvStrategy } from './table/csv.strategy.js';
import { recordsStrategy } from './table/records.strategy.js';
import { tableStrategy } from './table/table.strategy.js';
import { yamlListStrategy } from './table/yaml-list.strategy.js';
import { blobStrategy } from './text/blob.strategy.js';
import { hexDumpStrategy } from './text/hex-dump.strategy.js';
import { terminalStrategy } from './text/terminal.strategy.js';

/** Applied to every text, one after the other, before its format is looked for. */
export const CLEANERS: readonly Strategy[] = [
  // Escape sequences may stand within a run of base64, and cut it short.
  terminalStrategy,
  blobStrategy,
];

/**
 * Formats that cannot be mistaken for source code. The first that takes a text has it, so the surest stand first:
 * a text that parses, then one with headers of its own, then one that is told by the share of its lines.
 */
export const STRUCTURED_FORMATS: readonly Strategy[] = [
  // Parsed from bracket to bracket. One value over many lines is no JSON lines.
  jsonStrategy,
  jsonLinesStrategy,
  // Told by the offsets of its lines, which read like the keys of settings.
  hexDumpStrategy,
  // Told by headers. A commit with its diff (`git show`) begins as a log does, but is shortened as a diff.
  diffStrategy,
  gitLogStrategy,
  componentsStrategy,
  // Told by tags. Well-formed HTML is XML, too, and would be kept as a source.
  htmlStrategy,
  xmlStrategy,
  // Told by most of their lines, the longest pattern of a line first.
  listingStrategy,
  treeStrategy,
  // Records of equal fields would pass for settings.
  recordsStrategy,
  yamlListStrategy,
  // A finding, `src/a.ts:12:5: error …`, also reads like the match of a search.
  diagnosticsStrategy,
  searchMatchesStrategy,
];

/** Formats of lists, asked next. They take lines that may be rows of a table or lines of a log as well. */
export const PATH_FORMATS: readonly Strategy[] = [
  // A path with a label is told from a match by what stands beside it, a number or a few words.
  labelledPathsStrategy,
  // A line without blanks that holds a slash may be many things, therefore last.
  pathListStrategy,
];

/**
 * Formats that source code, configuration and prose could be mistaken for; asked only about a text that looks like
 * none of these.
 */
export const LINE_FORMATS: readonly Strategy[] = [
  // Columns under a header, which a line with the same separators throughout has as well.
  tableStrategy,
  csvStrategy,
  // Findings among other lines, of which a log would show each.
  findingRunsStrategy,
  // Takes nearly any output of a command, and must come last of all.
  logStrategy,
];
