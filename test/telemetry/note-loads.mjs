import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import process from 'node:process';

/** Writes down every module that a child process loads, one a line. */
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADS_FILE, `${url}\n`);
    return next(url, context);
  },
});
