import { Tokenizer } from '../../src/chat/completion/tokens/tokenizer.js';
import { CondensedResults } from '../../src/chat/compression/condensed-results.js';
import { Settings } from '../../src/common/config/settings.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { NoUpstream } from '../../src/rerun/no-upstream.js';
import { type RerunTools } from '../../src/rerun/rerun.js';

/** What recordings are run with, by the defaults of the settings. */
export function rerunTools(): RerunTools {
  return {
    settings: new Settings(),
    driver: new NoUpstream(),
    tokenizer: new Tokenizer(),
    condensedResults: new CondensedResults(),
    clock: new SystemClock(),
  };
}
