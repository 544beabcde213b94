import { join } from 'node:path';
import { buildClient } from '../lib/build-client.mjs';
import { root } from '../lib/processes.mjs';

/* The second half of `npm run build`, after the compiler: `node scripts/client/build-client.mjs [folder]`. */
await buildClient(process.argv[2] ?? join(root, 'dist', 'client'));
