/** One socket for the life of the page, opened again once it is closed. */
export function openSocket(csrfToken) {
  let socket = connect();
  let current;

  function connect() {
    const opened = new WebSocket(`ws://${location.host}/api/socket`);
    opened.addEventListener('message', ({ data }) => {
      try {
        const event = JSON.parse(data);
        current?.onEvent(event);
        if (event.type === 'done' || event.type === 'error' || event.limited) {
          current?.resolve(event.limited ? limitFrom(event) : undefined);
        }
      } catch (error) {
        current?.reject(error);
      }
    });
    opened.addEventListener('close', () => current?.reject(new Error('The socket closed.')));
    return opened;
  }

  async function send(message) {
    if (socket.readyState === WebSocket.CLOSING || socket.readyState === WebSocket.CLOSED) {
      socket = connect();
    }
    if (socket.readyState === WebSocket.CONNECTING) {
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true });
        socket.addEventListener('close', reject, { once: true });
      });
    }
    socket.send(JSON.stringify({ ...message, csrf_token: csrfToken }));
  }

  return {
    async ask(request, onEvent) {
      const answer = new Promise((resolve, reject) => {
        current = { onEvent, resolve, reject };
      });
      await send({ type: 'prompt', ...request });
      return answer;
    },
    stop: (ids) => send({ type: 'stop', ...ids }),
  };
}

function limitFrom(event) {
  return { status: 200, retryAfter: null, type: 'application/json', body: JSON.stringify(event) };
}
