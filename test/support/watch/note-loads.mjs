import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import process from 'node:process';

/** Writes down every module that a child process asks for, one a line. */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    appendFileSync(process.env.LOADS_FILE, `${resolved.url}\n`);
    return resolved;
  },
});
