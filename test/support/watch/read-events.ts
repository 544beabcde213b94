/** One Server-Sent Event whose data is JSON. */
export interface NamedEvent {
  readonly event: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a stream's text in order; comments, such as heartbeats, are left out. */
export function readEvents(text: string): NamedEvent[] {
  return eventTexts(text).map((block) => {
    const lines = block.split('\n');
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
    return {
      event: lines.find((line) => line.startsWith('event: '))?.slice(7),
      data: JSON.parse(data.join('\n')) as NamedEvent['data'],
    };
  });
}

/** The texts of the events without their closing blank line; comments are left out. */
export function eventTexts(text: string): string[] {
  return text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
}
