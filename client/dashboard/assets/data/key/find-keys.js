/**
 * Keys that a text is about: each of its words is in the name, the role, the state or a model of the key, or in the
 * beginning of its secret, and a whole secret begins with that. Those that are revoked come last.
 *
 * @param {readonly any[]} keys of `/dashboard/api/keys`
 * @param {string} text
 */
export function findKeys(keys, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return keys
    .filter((key) => words.every((word) => isAbout(key, word)))
    .sort((a, b) => isRevoked(a) - isRevoked(b));
}

const isRevoked = ({ state }) => Number(state === 'revoked');

function isAbout({ name, role, state, models, secrets }, word) {
  const beginnings = secrets.map(({ prefix }) => prefix.toLowerCase());
  const texts = [name, role, state, ...(models ?? [])].map((text) => text.toLowerCase());
  return (
    [...texts, ...beginnings].some((text) => text.includes(word)) ||
    beginnings.some((beginning) => word.startsWith(beginning))
  );
}
