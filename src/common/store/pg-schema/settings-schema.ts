/** The settings that gateways share: one sealed JSON object, once somebody has changed one. */
export const SETTINGS_SCHEMA = `
  INSERT INTO shared_versions (topic) VALUES ('settings');

  CREATE TABLE shared_settings (
    id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    sealed bytea
  );
  INSERT INTO shared_settings DEFAULT VALUES;
`;
