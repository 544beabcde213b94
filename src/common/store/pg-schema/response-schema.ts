/** Stored responses, as in the embedded store, and who makes those that are under way. */
export const RESPONSE_SCHEMA = `
  INSERT INTO shared_versions (topic) VALUES ('responses');

  CREATE TABLE responses (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    owner text NOT NULL,
    created_at bigint NOT NULL,
    previous text,
    status text NOT NULL,
    bytes bigint NOT NULL,
    body text NOT NULL,
    input text NOT NULL,
    events text
  );
  CREATE INDEX responses_by_age ON responses (created_at, seq) INCLUDE (id, bytes);

  -- Those that are made in the background: one that is not renewed is nobody's any more. "is_given_up": its node is to end it.
  CREATE TABLE response_runs (
    id text PRIMARY KEY REFERENCES responses (id) ON DELETE CASCADE,
    node text NOT NULL,
    until timestamptz NOT NULL,
    is_given_up boolean NOT NULL DEFAULT false
  );
`;
