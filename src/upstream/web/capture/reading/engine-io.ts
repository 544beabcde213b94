import { type RecordListener } from './record-decoder.js';

/** Beginning of the packet by which the server accepts a connection. */
export const CONNECT = '40';
/** Between the packets of one long-polling body (engine.io protocol 4). */
const SEPARATOR = '\x1e';
/**
 * Packet types of socket.io, with the 4 of an engine.io message before them, and the names that rules know. 45 and 46
 * have binary attachments, in whose place the JSON has a placeholder.
 */
const EVENTS: Readonly<Record<string, string | undefined>> = {
  '41': 'disconnect',
  '42': 'message',
  '43': 'ack',
  '44': 'connect_error',
  '45': 'message',
  '46': 'ack',
};
/** Type, number of attachments, namespace and id of an acknowledgement, in front of the JSON. */
const HEADER = /^(4\d)(?:\d+-)?(?:\/[^,[{"]*,?)?\d*/;

/**
 * Reads one packet: an event becomes a record with the JSON list of its name and arguments, under that name; an
 * acknowledgement one under `ack`. Pings, handshakes, upgrades and binary attachments are no records.
 */
export function readPacket(packet: string, onRecord: RecordListener): void {
  const [header = '', type = ''] = HEADER.exec(packet) ?? [];
  const event = EVENTS[type];
  const data = packet.slice(header.length);
  if (event === undefined || data === '') {
    return;
  }
  onRecord(data, event === 'message' ? (eventName(data) ?? event) : event);
}

/** The packets of a long-polling body, of protocol 4 (separated) or 3 (each behind its length). */
export function splitPayload(payload: string): string[] {
  return /^\d+:/.test(payload) ? splitByLength(payload) : payload.split(SEPARATOR);
}

/** The JSON texts of an outgoing frame or polling body, in which a prompt may stand. */
export function packetTexts(payload: string): string[] {
  const texts: string[] = [];
  for (const packet of splitPayload(payload)) {
    readPacket(packet, (data) => texts.push(data));
  }
  return texts;
}

function splitByLength(payload: string): string[] {
  const packets: string[] = [];
  for (let at = 0; at < payload.length;) {
    const colon = payload.indexOf(':', at);
    const digits = payload.slice(at, Math.max(at, colon));
    if (!/^\d+$/.test(digits)) {
      return packets;
    }
    const length = Number(digits);
    packets.push(payload.slice(colon + 1, colon + 1 + length));
    at = colon + 1 + length;
  }
  return packets;
}

/** The first text of a JSON list; undefined if it begins otherwise. */
function eventName(data: string): string | undefined {
  const [name] = /^\[\s*"(?:[^"\\]|\\.)*"/.exec(data) ?? [];
  if (name === undefined) {
    return undefined;
  }
  try {
    return JSON.parse(name.slice(1)) as string;
  } catch {
    return undefined;
  }
}
