/* Messages to callers that several places use. */

export const JSON_BODIES_ONLY = 'The Content-Type must be application/json (UTF-8).';
export const ARRIVED_TOO_LATE = 'The request did not arrive in time.';
export const KEY_REVOKED = 'The API key has been revoked.';
