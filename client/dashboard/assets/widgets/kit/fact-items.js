import { h } from './dom.js';

/**
 * Names and values as the items of a `dl`.
 *
 * @param {readonly (readonly unknown[])[]} facts name, value and, for an item that looks different, its class
 */
export function factItems(facts) {
  return facts.map(([name, value, className]) =>
    h('div', { class: className }, h('dt', null, name), h('dd', null, value)),
  );
}
