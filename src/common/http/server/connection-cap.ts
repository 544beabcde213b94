import { readFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { Logger } from '@nestjs/common';

/** Share of the descriptors that callers may take: without one, neither the upstream nor a file can be reached. */
const DESCRIPTOR_SHARE = 3 / 4;
/** Between two times that idle connections are closed, since all are gone through for that. */
const MAKE_ROOM_MS = 1000;
/** Between two lines in the process log. */
const TELL_MS = 60_000;

/**
 * Bounds the connections of callers: beyond, each would cost a descriptor before any request of it could be refused. Where
 * there is none left, closes idle ones, since who asks once a minute could keep as many as it likes, and says so.
 * @param most `MAX_CONNECTIONS`
 * @param descriptors most that the process may have
 */
export function capConnections(server: Server, most: number, descriptors = descriptorLimit()): void {
  const cap = Math.min(most, Math.floor(descriptors * DESCRIPTOR_SHARE));
  const logger = new Logger('Connections');
  const why = cap < most ? 'the system allows no more open files' : 'MAX_CONNECTIONS allows no more';
  let dropped = 0;
  server.maxConnections = cap;
  const makeRoom = atMostEach(MAKE_ROOM_MS, () => server.closeIdleConnections());
  const tell = atMostEach(TELL_MS, () => {
    logger.warn(
      { event: 'connections_dropped', dropped, most: cap },
      `connections of callers are closed at once: ${why}`,
    );
    dropped = 0;
  });
  server.on('drop', () => {
    dropped += 1;
    makeRoom();
    tell();
  });
}

/** Files and connections that the process may have open: Node has taken all that the system lets it. Infinity if that is not known. */
function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** The same work, left out within a time after it was done. */
function atMostEach(ms: number, work: () => void): () => void {
  let pause: NodeJS.Timeout | undefined;
  return () => {
    if (!pause) {
      work();
      pause = setTimeout(() => (pause = undefined), ms).unref();
    }
  };
}
