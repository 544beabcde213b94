import { ask } from './fetch-transport.js';

self.addEventListener('message', async ({ data: { request, csrfToken } }) => {
  try {
    const refusal = await ask(request, csrfToken, (event) => self.postMessage({ event }));
    self.postMessage({ refusal });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
});
