/**
 * Division of the limits of keys: a part belongs to a node, and all parts of a limit that count add up to it at most.
 * A part counts while its node lives; after that for as long as what it has let in counts: a minute, and tokens until
 * midnight (UTC).
 */
export const LIMIT_SCHEMA = `
  INSERT INTO shared_versions (topic) VALUES ('key_parts');

  -- "beat": number of the node's latest statement, so that one that is carried out late changes nothing.
  CREATE TABLE key_nodes (
    id text PRIMARY KEY,
    beat bigint NOT NULL,
    until timestamptz NOT NULL
  );

  -- "limit_name": member of KeyLimits. "want": what the node could use now.
  CREATE TABLE key_parts (
    key text NOT NULL,
    limit_name text NOT NULL,
    node text NOT NULL REFERENCES key_nodes (id) ON DELETE CASCADE,
    amount bigint NOT NULL DEFAULT 0,
    want bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (key, limit_name, node)
  );
  CREATE INDEX key_parts_by_node ON key_parts (node);

  CREATE FUNCTION key_part_counts(limit_name text, until timestamptz, now timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
    SELECT until > now OR CASE limit_name
      WHEN 'tokensPerDay' THEN (until AT TIME ZONE 'UTC')::date = (now AT TIME ZONE 'UTC')::date
      ELSE until + interval '60 seconds' > now END
  $$;
`;

/** Name of the log's file that a node counts in, so that its next process knows what it has left; null of earlier releases. */
export const LIMIT_FILES = 'ALTER TABLE key_nodes ADD COLUMN IF NOT EXISTS file text';

/**
 * Number of the change in which a part changed last, so that a node reads only what is new to it. A trigger gives it, since
 * the release before knows nothing of it: its changes are noticed, too.
 */
export const LIMIT_VERSIONS = `
  CREATE OR REPLACE FUNCTION key_part_end(limit_name text, until timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE limit_name
      WHEN 'tokensPerDay' THEN (date_trunc('day', until AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
      ELSE until + interval '60 seconds' END
  $$;
  CREATE OR REPLACE FUNCTION key_part_counts(limit_name text, until timestamptz, now timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$ SELECT now < key_part_end(limit_name, until) $$;

  ALTER TABLE key_parts ADD COLUMN IF NOT EXISTS version bigint NOT NULL DEFAULT 0;
  CREATE INDEX IF NOT EXISTS key_parts_by_version ON key_parts (version);
  -- Where the planner knows nothing yet of a node that has just begun, it would read all its parts for each few.
  DROP INDEX IF EXISTS key_parts_by_node;
  CREATE OR REPLACE FUNCTION key_part_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.version := (SELECT shared.version + 1 FROM shared_versions AS shared WHERE topic = 'key_parts');
      RETURN NEW;
    END
  $$;
  CREATE OR REPLACE TRIGGER key_part_changed BEFORE INSERT OR UPDATE ON key_parts
    FOR EACH ROW EXECUTE FUNCTION key_part_changed();
`;
