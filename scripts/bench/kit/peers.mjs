import { readFileSync } from 'node:fs';

/**
 * The gateways to measure this one against.
 *
 * @param options `against`: base URLs ending in `/v1`, or paths of JSON files, each a list of `{ name, url, pid, key,
 *   model, headers, requests }` of which only `url` is required; the other options hold for all that do not say
 *   otherwise. `requests` are those of each round, for a gateway that would take too long for all
 * @returns the gateways, with the options as defaults
 */
export function peersOf({ against, pid, key, model }) {
  const peers = against.flatMap((one) =>
    one.endsWith('.json') ? JSON.parse(readFileSync(one, 'utf8')) : [{ url: one }],
  );
  const nameless = peers.findIndex(({ url }) => typeof url !== 'string');
  if (nameless >= 0) {
    throw new Error(`--against: gateway ${nameless + 1} has no "url"`);
  }
  return peers.map((peer) => ({ name: peer.url, pid, key, model, headers: {}, ...peer }));
}
