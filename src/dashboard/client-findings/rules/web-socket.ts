import { type ClientTraffic, type Symptom } from '../client-finding.js';

/** At each start one: it goes on over HTTP then. */
const LEAST = 3;

/** The client tries a WebSocket before it asks over HTTP. */
export function webSocket({ failed }: ClientTraffic): Symptom[] {
  const requests = failed.filter(
    ({ error, path }) => error?.reason === 'upgrade_required' && path === '/v1/responses',
  );
  return requests.length < LEAST
    ? []
    : [
        {
          symptom: 'It asks for a WebSocket before it goes on over HTTP, which delays each start.',
          cure: 'For Codex: a provider of its own in ~/.codex/config.toml, with this line.',
          line: 'supports_websockets = false',
          requests,
        },
      ];
}
