import { useCompileCache } from './compile-cache.js';

// Before anything else is imported, or it would not be cached.
useCompileCache();
const { start } = await import('./start/start.js');
await start(process.env, process.cwd());
