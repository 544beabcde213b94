import { type UpstreamBatch, type UpstreamEvent } from '../upstream/upstream-driver.js';

/** Division of an answer into reads: as it came, in one piece, or a read every so many characters. */
export type Chunking = 'recorded' | 'whole' | number;

/** The same answer divided anew: adjacent pieces of one kind are joined, then cut. */
export function recut(batches: readonly UpstreamBatch[], chunking: Chunking): readonly UpstreamBatch[] {
  if (chunking === 'recorded') {
    return batches;
  }
  const events = joined(batches.flat());
  return chunking === 'whole'
    ? wholeBatches(events)
    : events.flatMap((event) => cut(event, chunking).map((piece) => [piece]));
}

/** An attempt begins with its first piece, so `accepted` comes on its own. */
function wholeBatches(events: readonly UpstreamEvent[]): UpstreamBatch[] {
  const first = events.findIndex(({ type }) => type !== 'accepted');
  return [events.slice(0, first < 0 ? events.length : first), ...(first < 0 ? [] : [events.slice(first)])];
}

function joined(events: readonly UpstreamEvent[]): UpstreamEvent[] {
  const all: UpstreamEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const both = last && join(last, event);
    if (both) {
      all[all.length - 1] = both;
    } else {
      all.push(event);
    }
  }
  return all;
}

/** One event for two; undefined if they do not belong together. */
function join(first: UpstreamEvent, second: UpstreamEvent): UpstreamEvent | undefined {
  if (
    (first.type === 'text' && second.type === 'text') ||
    (first.type === 'reasoning' && second.type === 'reasoning') ||
    (first.type === 'refusal' && second.type === 'refusal')
  ) {
    return { type: first.type, text: first.text + second.text };
  }
  if (first.type !== 'toolCall' || second.type !== 'toolCall' || first.delta.index !== second.delta.index) {
    return undefined;
  }
  // A second name or id begins something else.
  return second.delta.name === undefined && second.delta.id === undefined
    ? {
        type: 'toolCall',
        delta: { ...first.delta, arguments: first.delta.arguments + second.delta.arguments },
      }
    : undefined;
}

function cut(event: UpstreamEvent, size: number): UpstreamEvent[] {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return pieces(event.text, size).map((text) => ({ type: event.type, text }));
    case 'toolCall': {
      const [first = '', ...others] = pieces(event.delta.arguments, size);
      const { index } = event.delta;
      return [
        { type: 'toolCall', delta: { ...event.delta, arguments: first } },
        ...others.map((json): UpstreamEvent => ({ type: 'toolCall', delta: { index, arguments: json } })),
      ];
    }
    case 'accepted':
    case 'usage':
    case 'done':
      return [event];
  }
}

function pieces(text: string, size: number): string[] {
  const all: string[] = [];
  for (let from = 0; from < text.length; from += size) {
    all.push(text.slice(from, from + size));
  }
  return all;
}
