import { loadSettings } from '../dist/common/config/settings-loader.js';

/* Health check of a container: exit code 0 if the gateway on this machine is alive. */
const { HOST, PORT } = await loadSettings(process.env, process.cwd());
const addresses = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const host = addresses[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

try {
  // Alive, not ready: an account that waits for the operator's login is no reason to restart the container.
  const response = await fetch(`http://${host}:${PORT}/health/live`, { signal: AbortSignal.timeout(5000) });
  await response.body?.cancel();
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
