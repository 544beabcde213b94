/** The events of one answer in the background: written once, read from any number on by any number of readers. */
export class EventLog {
  private readonly events: string[];
  private readonly listeners = new Set<() => void>();
  private over = false;

  /** @param text of whole events, the first of which has the number 0 */
  constructor(text = '') {
    this.events = splitEvents(text);
  }

  /** Number of events, which is the number of the next one. */
  get length(): number {
    return this.events.length;
  }

  /** Whether there will be no more events. */
  get isOver(): boolean {
    return this.over;
  }

  get text(): string {
    return this.events.join('');
  }

  /** The last event so far. */
  get last(): string | undefined {
    return this.events.at(-1);
  }

  /** @param text of whole events */
  append(text: string): void {
    if (text !== '') {
      // One by one: what another gateway has kept may be more than a call can have arguments.
      splitEvents(text).forEach((event) => this.events.push(event));
      this.grow();
    }
  }

  end(): void {
    this.over = true;
    this.grow();
  }

  /** @param listener called when there are more events, or no more to come @returns function that unsubscribes */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The events from a number on, up to a size that suits one write, and at least one if there is one. */
  read(from: number, maxChars: number): readonly string[] {
    let end = from;
    for (let chars = 0; end < this.events.length && chars < maxChars; end++) {
      chars += this.events[end]!.length;
    }
    return this.events.slice(from, end);
  }

  private grow(): void {
    this.listeners.forEach((listener) => listener());
  }
}

/** An event ends with a blank line; there is none inside, since its data is JSON on one line. */
function splitEvents(text: string): string[] {
  const events: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n\n', at) + 2;
    events.push(text.slice(at, end));
    at = end;
  }
  return events;
}
