/**
 * Requests whose connection was dropped for an echo: the retry may reach any node. "conversation" is the hash of a request,
 * and "corrections" is 0 once the retry was answered.
 */
export const ECHO_SCHEMA = `
  INSERT INTO shared_versions (topic) VALUES ('echoes');

  CREATE TABLE echoes (
    conversation text PRIMARY KEY,
    node text NOT NULL,
    corrections integer NOT NULL,
    version bigint NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX echoes_by_version ON echoes (version);
`;
