import { count } from '../../data/format.js';
import { fill, h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';

/** Meter of the sessions on the scale of those that there could be. */
export function fillPool(place, { sessions, idle, leases, opening, waiting, capacity }) {
  // Accounts that cool down count as no capacity, but may have sessions open.
  const free = Math.max(0, capacity - sessions - opening);
  const counts = [
    ['leases', 'in use', leases],
    ['idle', 'idle', idle],
    ['opening', 'opening', opening],
    ['free', 'more can be opened', free],
  ];
  const meter = h('div', {
    class: 'meter',
    role: 'img',
    'aria-label': `Sessions: ${counts.map(([, text, value]) => `${count(value)} ${text}`).join(', ')}`,
  });
  for (const [name, , value] of counts) {
    const part = h('i', { class: name });
    part.style.flexGrow = String(value);
    part.hidden = value === 0;
    meter.append(part);
  }
  const facts = [
    ['Open sessions', count(sessions)],
    ['Capacity', count(capacity)],
    ['Requests waiting', count(waiting)],
  ];
  fill(
    place,
    meter,
    h(
      'ul',
      { class: 'meter-key' },
      counts.map(([name, text, value]) => h('li', null, h('i', { class: name }), `${count(value)} ${text}`)),
    ),
    h('dl', { class: 'facts' }, factItems(facts)),
  );
}
