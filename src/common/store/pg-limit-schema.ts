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
