/** Preloaded into a gateway with `--expose-gc` and an IPC channel: answers each message with what the process holds. */
import { readdirSync } from 'node:fs';

process.on('message', async () => {
  // A second one frees what the finalisers of the first one let go of.
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.send({
    heapBytes: process.memoryUsage().heapUsed,
    rssBytes: process.memoryUsage.rss(),
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  });
});
// A gateway that has ended its work must be able to exit.
process.channel?.unref();
