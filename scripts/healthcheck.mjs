/* Health check of a container: exit code 0 if the gateway on this machine is alive; with `ready`, if it can serve. */
// Alive by default: an account that waits for the operator's login is no reason to restart the container.
const [, , state = 'live'] = process.argv;
// The image sets both. What is saved in files may be meant for the next start, and loading it would cost 0.3 s each time.
const { HOST = '127.0.0.1', PORT = '26405' } = process.env;
const addresses = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const host = addresses[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);

try {
  const response = await fetch(`http://${host}:${PORT}/health/${state}`, {
    signal: AbortSignal.timeout(5000),
  });
  await response.body?.cancel();
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
