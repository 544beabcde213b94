// Sends large bodies from a child process, so that building them does not count as the gateway's work.
// Usage: node post-bodies.mjs <url> <kind>; prints one JSON array of [status, code or null].
import { request } from 'node:http';
import process from 'node:process';

const [url, kind] = process.argv.slice(2);
const MESSAGES = '"model":"svc-max","stream":false,"messages":';
const prompt = (size, text) =>
  `{${MESSAGES}[{"role":"user","content":"${text.repeat(size / text.length)}"}]}`;
const keys = (count) => `{${Array.from({ length: count }, (_, i) => `"key${i}":${i}`).join(',')}}`;

const BODIES = {
  'twenty of 5 MB': Array.from({ length: 20 }, () => prompt(5e6, 'some words of text ')),
  'one of 24 MB': [prompt(18e6, 'wörter mit umlauten 漢字 ')],
  'a million unique keys': [keys(1e6), keys(1e6), keys(1e6), keys(1e6)],
  'as many keys as allowed': Array.from({ length: 8 }, () => keys(124_000)),
  'depth bombs': Array.from({ length: 8 }, () => '['.repeat(5e6)),
};

async function send(body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      let text = '';
      for await (const piece of response) {
        text += piece;
      }
      resolve([response.statusCode, JSON.parse(text).error?.code ?? null]);
    });
    outgoing.end(body);
  });
}

process.stdout.write(JSON.stringify(await Promise.all(BODIES[kind].map(send))));
