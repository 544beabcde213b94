/** A worker makes the request, which an observer of the page alone does not see. */
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
