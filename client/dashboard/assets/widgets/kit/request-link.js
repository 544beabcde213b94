import { filterQuery } from '../../data/filters.js';
import { count } from '../../data/format.js';
import { h } from './dom.js';
import { isCaller } from './role.js';

/**
 * A name or a figure that leads to its requests in the log.
 *
 * @param {Record<string, unknown>} filters
 * @param {string | HTMLElement} text
 */
export function requestLink(filters, text) {
  return h('a', { href: `/dashboard/logs${filterQuery(filters)}` }, text);
}

/** The name of a key, which leads to its limits, usage and requests. @param {string} name */
export function keyLink(name) {
  const href = isCaller() ? '/dashboard/own' : `/dashboard/keys${filterQuery({ key: name })}`;
  return h('a', { href }, name);
}

/** A count that leads to the requests it counts, if there are any. */
export function countLink(filters, number) {
  return number > 0 ? requestLink(filters, count(number)) : count(number);
}
