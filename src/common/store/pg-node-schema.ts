/** What nodes tell of themselves for people: figures, and the name that they have in the log. */
export const NODE_SCHEMA = `
  ALTER TABLE nodes ADD COLUMN report jsonb;
`;
