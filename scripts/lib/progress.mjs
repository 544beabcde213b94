const EVERY_MS = 1000;
/** Goes to the beginning of the line and clears it. */
const LINE = '\r\u001b[K';

/**
 * Says what is done while it is done; a terminal also gets the seconds that it takes.
 * @template T
 * @param {string} what e.g. `Building`
 * @param {() => Promise<T>} work
 * @param {{isTTY?: boolean, write: (text: string) => unknown}} [terminal]
 * @returns {Promise<T>}
 */
export async function announced(what, work, terminal = process.stderr) {
  if (!terminal.isTTY) {
    console.error(`${what} …`);
    return work();
  }
  const startedAt = performance.now();
  const show = (mark, end) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    terminal.write(`${LINE}${mark} ${what} … ${seconds} s${end}`);
  };
  show(' ', '');
  const timer = setInterval(show, EVERY_MS, ' ', '');
  let mark = '✗';
  try {
    const result = await work();
    mark = result?.ok === false ? mark : '✓';
    return result;
  } finally {
    clearInterval(timer);
    show(mark, '\n');
  }
}
