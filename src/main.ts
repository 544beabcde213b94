import { useCompileCache } from './compile-cache.js';

// Before anything else is imported, or it would not be cached.
useCompileCache();
const { bootstrap } = await import('./bootstrap.js');
await bootstrap(process.env, process.cwd());
