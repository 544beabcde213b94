import { type IncomingHttpHeaders } from 'node:http';

const MAX_CHARS = 60;

/** Client of the caller, which is the beginning of its user agent, e.g. `OpenAI/JS`; undefined if it names none. */
export function clientName({ 'user-agent': agent }: IncomingHttpHeaders): string | undefined {
  return agent?.split(/[\s(;]/, 1)[0]?.slice(0, MAX_CHARS) || undefined;
}
