import { loadSettings } from '../dist/common/config/settings.loader.js';

/* Asks the gateway on this machine for its models; exit code 0 if it answers. For the health check of a container. */
const { HOST, PORT, API_KEY } = loadSettings(process.env, process.cwd());
const addresses = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const host = addresses[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

try {
  const response = await fetch(`http://${host}:${PORT}/v1/models`, {
    headers: { authorization: `Bearer ${API_KEY}` },
    signal: AbortSignal.timeout(5000),
  });
  await response.body?.cancel();
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
