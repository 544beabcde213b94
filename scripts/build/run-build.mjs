import { fail } from '../lib/processes.mjs';
import { ensureRuntime } from '../lib/runtime.mjs';

/* `npm run build`: installs what is missing and writes `dist`, unless it was made from the sources as they are. */
try {
  await ensureRuntime();
  const { build } = await import('./build.mjs');
  await build();
} catch (error) {
  fail(error);
}
