/** Tickets for live views of the log. Only their digests are kept; each is deleted by its use. */
export const TICKET_SCHEMA = `
  CREATE TABLE stream_tickets (
    digest text PRIMARY KEY,
    expires_at timestamptz NOT NULL,
    key_name text,
    key_role text,
    key_digest text
  );
  CREATE INDEX stream_tickets_by_end ON stream_tickets (expires_at);
`;
