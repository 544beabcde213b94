/** Nodes' reports for people: figures, and the node's name in the log. */
export const NODE_SCHEMA = `
  ALTER TABLE nodes ADD COLUMN report jsonb;
`;
