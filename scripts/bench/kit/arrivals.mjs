/**
 * Reads a streamed answer to its end.
 *
 * @returns its text, and the time at which each piece of it was there
 */
export async function readArrivals(response) {
  const times = [];
  let text = '';
  let unfinished = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const now = performance.now();
    text += piece;
    const frames = (unfinished + piece).split('\n\n');
    unfinished = frames.pop();
    // A completion's chunk, or the sandbox's own event.
    const pieces = frames.filter((frame) => /"content":"[^"]|"type":"text"/.test(frame));
    times.push(...pieces.map(() => now));
  }
  return { text, times };
}
