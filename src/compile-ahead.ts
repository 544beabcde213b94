import { useCompileCache } from './compile-cache.js';

// Fills the cache where it cannot be written later: in an image, whose files belong to another user.
useCompileCache();
await import('./start/start.js');
await import('./upstream/openai/openai-driver.js');
await import('./upstream/sandbox-driver.js');
