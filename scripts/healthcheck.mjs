import { loadSettings } from '../dist/common/config/settings-loader.js';

/* Asks the gateway on this machine whether it works; exit code 0 if it does. For the health check of a container. */
const { HOST, PORT } = await loadSettings(process.env, process.cwd());
const addresses = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const host = addresses[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

try {
  // Not whether it is ready: an account that the operator must log in is no reason to start the container anew.
  const response = await fetch(`http://${host}:${PORT}/health/live`, { signal: AbortSignal.timeout(5000) });
  await response.body?.cancel();
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
