/** The benchmark's callers, in a process of their own. Every answer is checked: a wrong one counts as an error. */
import { Buffer } from 'node:buffer';
import { Agent, request as send } from 'node:http';
import { performance } from 'node:perf_hooks';
import { SCENARIOS, TEXT } from './answers.mjs';
import { ENDPOINTS } from './endpoints.mjs';
import { grownBody } from './grown-body.mjs';
import { median } from './statistics.mjs';

/**
 * Runs one round: `{ url, key, model, scenario }`, with other `requests` and `concurrency` than the scenario's if they
 * are given, another `endpoint` than `chat`, a body with a `growth`, or further `headers`, → `{ requests, errors,
 * firstError, seconds, latencyMs }`, the last being the median. The URL may be a list: each of the requests then goes to
 * all of them, one after the other, so that they are under the same load at the same time.
 */
process.on(
  'message',
  async ({ url, key, model, scenario, endpoint: name = 'chat', growth = {}, headers, ...round }) => {
    const { concurrency, requests, stream } = { ...SCENARIOS[scenario], ...round };
    const endpoint = ENDPOINTS[name];
    const body = JSON.stringify(grownBody(endpoint.body(model, stream, scenario), growth));
    // New connections for each round: idle ones may have been closed on the other side since the last.
    const agent = new Agent({ keepAlive: true });
    const urls = [url].flat();
    let left = requests;
    let firstError;
    let errors = 0;
    const latencies = [];
    const start = performance.now();
    const caller = async () => {
      while (left-- > 0) {
        for (const one of urls) {
          const sent = performance.now();
          const problem = await complete(one, { agent, key, headers, body, stream, endpoint });
          latencies.push(performance.now() - sent);
          if (problem) {
            errors++;
            firstError ??= problem;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, caller));
    agent.destroy();
    const seconds = (performance.now() - start) / 1000;
    process.send({ requests, errors, firstError, seconds, latencyMs: median(latencies) });
  },
);

/** @returns the problem of the answer, or nothing */
function complete(url, { agent, key, headers: further, body, stream, endpoint }) {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...further,
    };
    if (key) {
      headers.authorization = `Bearer ${key}`;
    }
    const outgoing = send(url + endpoint.path, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece) => (text += piece));
      incoming.on('error', (error) => resolve(error.message));
      incoming.on('end', () => {
        const answer = stream ? streamedText(text, endpoint) : endpoint.text(JSON.parse(text));
        resolve(answer === TEXT ? undefined : `status ${incoming.statusCode}: ${text.slice(0, 300)}`);
      });
    });
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(body);
  });
}

function streamedText(text, { streamEnd, piece }) {
  if (!text.endsWith(streamEnd)) {
    return undefined;
  }
  return [...text.matchAll(piece)].map(([, found]) => found).join('');
}
