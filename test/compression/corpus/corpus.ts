import { alikeLogResults } from './alike-log-results.js';
import { alikeResults } from './alike-results.js';
import { buildResults } from './build-results.js';
import { type CorpusEntry } from './corpus-entry.js';
import { everydayLogResults } from './everyday-log-results.js';
import { everydayResults } from './everyday-results.js';
import { heldBackLogResults } from './held-back-log-results.js';
import { heldBackResults } from './held-back-results.js';
import { inspectionResults } from './inspection-results.js';
import { jsonResults } from './json-results.js';
import { logResults } from './log-results.js';
import { markupResults } from './markup-results.js';
import { programResults } from './program-results.js';
import { protectedResults } from './protected-results.js';
import { recordedResults } from './recorded-results.js';
import { streamResults } from './stream-results.js';
import { stubbornResults } from './stubborn-results.js';
import { suiteResults } from './suite-results.js';
import { surveyedDataResults } from './surveyed-data-results.js';
import { surveyedListResults } from './surveyed-list-results.js';
import { surveyedOddResults } from './surveyed-odd-results.js';
import { tableResults } from './table-results.js';

/** Tool results of all kinds, recorded and generated, with the facts that must be kept of them. */
export const CORPUS: readonly CorpusEntry[] = [
  ...recordedResults,
  ...jsonResults,
  ...streamResults,
  ...logResults,
  ...buildResults,
  ...tableResults,
  ...markupResults,
  ...everydayResults,
  ...everydayLogResults,
  ...stubbornResults,
  ...heldBackResults,
  ...heldBackLogResults,
  ...surveyedListResults,
  ...surveyedDataResults,
  ...surveyedOddResults,
  ...alikeResults,
  ...alikeLogResults,
  ...programResults,
  ...inspectionResults,
  ...suiteResults,
  ...protectedResults,
];
