import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const PAGE =
  `<!doctype html><title>Bench</title><textarea id="prompt"></textarea><button id="send">Send</button>
<script src="/socket.io/socket.io.js"></script>
<script>
  const socket = io();
  socket.on('connect', () => document.body.classList.add('connected'));
  send.onclick = () => { socket.emit('say', { text: prompt.value }); prompt.value = ''; };
</script>`.replaceAll('prompt.value', "document.querySelector('#prompt').value");

/** Recipe of a gateway for the site. */
export const SOCKET_RECIPE = {
  name: 'bench',
  authorised: { by: 'the benchmark', note: 'The site is part of it.' },
  allowedOrigins: ['{{site.origin}}'],
  login: { success: { selector: '#prompt' } },
  newChat: { url: '{{site.origin}}/', ready: '.connected #prompt', timeoutMs: 60_000 },
  prompt: { input: '#prompt' },
  send: [{ action: 'click', selector: '#send' }],
  capture: {
    mode: 'observe',
    transport: 'socketio',
    request: { url: '{{site.origin}}/socket.io/*' },
    format: 'json',
    answer: { content: [{ event: 'token', path: '[1].token' }], done: [{ event: 'end' }] },
  },
};

/** A site that answers every prompt over socket.io with numbered words at a steady pace. */
export async function startSocketSite(chunks, paceMs) {
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  const io = new Server(http);
  /** When each piece of each answer was written, by the text of its prompt. */
  const sentAt = new Map();
  io.on('connection', (socket) => {
    socket.on('say', ({ text }) => {
      const times = [];
      sentAt.set(text, times);
      const timer = setInterval(() => {
        times.push(performance.now());
        socket.emit('token', { token: `word${times.length} ` });
        if (times.length === chunks) {
          clearInterval(timer);
          socket.emit('end', {});
        }
      }, paceMs);
      socket.on('disconnect', () => clearInterval(timer));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { origin: `http://127.0.0.1:${http.address().port}`, sentAt, close: () => io.close() };
}
