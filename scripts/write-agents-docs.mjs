/*
 * `npm run docs:agents`: runs the agents through their cases and writes what comes of each into `docs/agents.md`.
 * `npm run docs:agents -- -t 'pi 0'` does so for some.
 */
process.env.AGENTS_TABLE = 'write';
process.argv.splice(2, 0, '--config', 'test/agents/jest.config.mjs', 'test/agents/tasks');
await import('./test.mjs');
