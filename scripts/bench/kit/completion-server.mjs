import { createServer } from 'node:http';

/**
 * Serves chat completions in a process of its own, and tells its parent where.
 *
 * @param {(body: any, response: import('node:http').ServerResponse) => void} answer called with the body of each request
 * @param {number} [port] by default any that is free
 */
export function serveCompletions(answer, port = 0) {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method !== 'POST') {
      // It has no list of models.
      response.writeHead(404).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => (body += piece));
    request.on('end', () => answer(JSON.parse(body), response));
  });
  server.listen(port, '127.0.0.1', () =>
    process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }),
  );
}
