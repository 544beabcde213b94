/** The request is made by a worker, out of sight of whoever only watches the page. */
export function openWorker(csrfToken) {
  const worker = new Worker('/chat-worker.js', { type: 'module' });
  return (request, onEvent) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.event) {
          onEvent(data.event);
        } else if (data.error) {
          reject(new Error(data.error));
        } else {
          resolve(data.refusal);
        }
      };
      worker.postMessage({ request, csrfToken });
    });
}
