import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Asks for the port once before the gateway is built: where it is taken, no account is to log in for nothing.
 * @throws Error as `Server.listen`, with the names of the settings
 */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    // The system names an address at most, and not where it was set.
    (error as Error).message += ` (HOST ${host}, PORT ${port})`;
    throw error;
  }
  server.close();
  await once(server, 'close');
}

/** What to tell the operator of an error where the port is taken; undefined for any other error. */
export function takenPort(error: unknown): string | undefined {
  const { code, port, address } = error as { code?: unknown; port?: number; address?: string };
  return code === 'EADDRINUSE'
    ? `Port ${port} is taken: something else listens at ${address}. Stop it, or set PORT to another.`
    : undefined;
}
