/** Keys of callers and operators, the audit list, and the versions by which nodes notice what others have changed. */
export const KEY_SCHEMA = `
  CREATE TABLE shared_versions (
    topic text PRIMARY KEY,
    version bigint NOT NULL DEFAULT 0
  );
  INSERT INTO shared_versions (topic) VALUES ('keys');

  -- The row stays locked to the end of the transaction, so that changes of one topic come one after the other.
  CREATE FUNCTION shared_changed(changed text) RETURNS void LANGUAGE sql VOLATILE AS $$
    UPDATE shared_versions SET version = version + 1 WHERE topic = changed;
    SELECT pg_notify('gateway_shared', changed);
  $$;

  -- As in the embedded store. "ends_running": answers under way at the revocation end, on every node.
  CREATE TABLE keys (
    name text PRIMARY KEY,
    role text NOT NULL CHECK (role IN ('caller', 'operator')),
    models text,
    requests_per_minute integer,
    concurrent_requests integer,
    tokens_per_day bigint,
    priority text NOT NULL CHECK (priority IN ('interactive', 'batch')),
    is_enabled boolean NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    ends_running boolean NOT NULL DEFAULT false
  );

  CREATE TABLE key_secrets (
    digest text PRIMARY KEY,
    key_name text NOT NULL REFERENCES keys (name),
    prefix text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
  );
  CREATE INDEX key_secrets_by_name ON key_secrets (key_name);

  CREATE TABLE audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    actor text,
    action text NOT NULL,
    subject text,
    before text,
    after text
  );
`;
