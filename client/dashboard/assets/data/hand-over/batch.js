/** Takes the next inputs off a queue; a path of the mouse that is too long is thinned out first. */
export function takeBatch(queue, most) {
  while (queue.length > most) {
    const at = queue.findIndex(({ type }, index) => type === 'move' && queue[index + 1]?.type === 'move');
    if (at < 0) {
      break;
    }
    queue.splice(at, 1);
  }
  return queue.splice(0, most);
}
