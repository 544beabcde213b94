import { useCompileCache } from './compile-cache.js';
import { importAsWritten } from './import-as-written.js';

// Before anything else is imported, or it would not be cached.
useCompileCache();
const { bootstrap } = await importAsWritten(() => import('./bootstrap.js'));
await bootstrap(process.env, process.cwd());
