/**
 * Baseline for the gateway: a bare Node proxy with no framework and no dependency, that parses each
 * upstream event, builds a new chunk and writes it; of a JSON answer it builds a new one.
 */
import { Buffer } from 'node:buffer';
import { Agent, createServer, request as send } from 'node:http';

const upstream = new URL(`${process.argv[2]}/chat/completions`);
const agent = new Agent({ keepAlive: true });
const created = Math.floor(Date.now() / 1000);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => (body += piece));
  request.on('end', () => proxy(JSON.parse(body), response));
});

function proxy(wanted, response) {
  const body = JSON.stringify({ model: wanted.model, messages: wanted.messages, stream: wanted.stream });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const outgoing = send(upstream, { method: 'POST', agent, headers }, (incoming) => {
    incoming.setEncoding('utf8');
    if (wanted.stream) {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      relayEvents(incoming, response, wanted.model);
    } else {
      relayJson(incoming, response, wanted.model);
    }
  });
  outgoing.end(body);
}

function relayEvents(incoming, response, model) {
  const id = `chatcmpl-${Math.random().toString(36).slice(2)}`;
  let rest = '';
  incoming.on('data', (text) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.slice('data: '.length);
      if (data === '[DONE]') {
        response.end('data: [DONE]\n\n');
      } else {
        writeChunk(JSON.parse(data), id, model, response);
      }
    }
  });
}

function writeChunk(chunk, id, model, response) {
  const [choice] = chunk.choices;
  if (choice) {
    const { delta, finish_reason } = choice;
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    response.write(
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices })}\n\n`,
    );
  }
}

function relayJson(incoming, response, model) {
  let text = '';
  incoming.on('data', (piece) => (text += piece));
  incoming.on('end', () => {
    const { choices, usage } = JSON.parse(text);
    const [{ message, finish_reason }] = choices;
    const id = `chatcmpl-${Math.random().toString(36).slice(2)}`;
    const answer = {
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [{ index: 0, message, finish_reason }],
      usage,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}

server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }));
