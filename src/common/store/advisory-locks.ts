/**
 * Keys of the advisory locks in the shared database. They stay as they are, since gateways of two releases use them side by
 * side.
 */
export const ADVISORY_LOCKS = {
  /** One node at a time changes the schema. */
  schema: 26405,
  /** One node at a time makes and deletes tables of the log. */
  logDays: 26406,
  /** One node at a time gives and takes parts of the limits of keys. */
  limitParts: 26407,
  /** Shared by the connections that follow the log. */
  logFollowers: 26408,
} as const;
