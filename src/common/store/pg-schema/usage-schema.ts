/**
 * Daily usage as each gateway's file has counted it: whole rows, which replace earlier ones, so that shipping twice adds
 * nothing. `source` is the file, or `crashed <node>` for what others count for a dead node until its file is back.
 */
export const USAGE_SCHEMA = `
  CREATE TABLE log_usage (
    source text NOT NULL,
    day integer NOT NULL,
    key text NOT NULL,
    model text NOT NULL,
    account text NOT NULL,
    requests bigint NOT NULL DEFAULT 0,
    errors bigint NOT NULL DEFAULT 0,
    "promptTokens" bigint NOT NULL DEFAULT 0,
    "completionTokens" bigint NOT NULL DEFAULT 0,
    "cachedTokens" bigint NOT NULL DEFAULT 0,
    "reasoningTokens" bigint NOT NULL DEFAULT 0,
    "savedCharacters" bigint NOT NULL DEFAULT 0,
    "queuedMs" bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (day, key, source, model, account)
  );
`;

/** With each shipment a node looks for what others have counted for it: a few rows at most, among all of a year. */
export const CRASHED_USAGE = `CREATE INDEX IF NOT EXISTS log_usage_crashed ON log_usage (source) WHERE source LIKE 'crashed %'`;
