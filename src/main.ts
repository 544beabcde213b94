import { useCompileCache } from './compile-cache.js';
import { endAtSignals } from './start/stop-signals.js';

// Before anything else is imported, or it would not be cached.
useCompileCache();
endAtSignals();
const { start } = await import('./start/start.js');
await start(process.env, process.cwd());
