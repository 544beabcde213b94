import { bytes, count, duration, plural } from '../../data/format.js';
import { fill, h } from '../kit/dom.js';

/** Meter of the sessions, and facts about the gateway. */
export function fillPool(
  place,
  { sessions, idle, leases, opening, waiting },
  { log, version, uptimeMs, provider },
) {
  const meter = h('div', {
    class: 'meter',
    role: 'img',
    'aria-label': `${plural(leases, 'session')} in use, ${count(idle)} idle, ${count(opening)} opening`,
  });
  for (const [name, value] of Object.entries({ leases, idle, opening })) {
    const part = h('i', { class: name });
    part.style.flexGrow = String(value);
    part.hidden = value === 0;
    meter.append(part);
  }
  const counts = [
    ['leases', 'in use', leases],
    ['idle', 'idle', idle],
    ['opening', 'opening', opening],
  ];
  const facts = [
    ['Sessions', count(sessions)],
    ['Requests waiting', count(waiting)],
    ['Provider', provider],
    ['Up for', duration(uptimeMs)],
    ['Log', `${plural(log.entries, 'record')}, ${bytes(log.bytes)}`],
    ['Version', version],
  ];
  fill(
    place,
    meter,
    h(
      'ul',
      { class: 'meter-key' },
      counts.map(([name, text, value]) => h('li', null, h('i', { class: name }), `${count(value)} ${text}`)),
    ),
    h(
      'dl',
      { class: 'facts' },
      facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))),
    ),
  );
}
