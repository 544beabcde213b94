import { getJson } from '../../data/api.js';
import { filterQuery } from '../../data/filters.js';
import { plural } from '../../data/format.js';
import { codeBox } from '../kit/code-box.js';
import { copyButton } from '../kit/copy.js';
import { fill, h, syncList } from '../kit/dom.js';
import { UNNAMED } from '../kit/labels.js';
import { redraw } from '../kit/redraw.js';
import { released } from '../kit/released.js';
import { keyLink, requestLink } from '../kit/request-link.js';
import { timeAgo } from '../kit/ticker.js';

/** They are looked for in a part of the log, so not with every refresh of the page. */
const FRESH_MS = 30_000;
/** The others are folded. */
const UNFOLDED = 5;
const PAGES = { keys: 'Keys', settings: 'Settings' };

const ITEMS = {
  key: ({ kind, client, key, cure }) => JSON.stringify([kind, client, key, cure]),
  create: (finding) => fill(h('li'), contentOf(finding)),
  update: (item, finding) => redraw(item, contentOf(finding)),
};

/** Faults in the set-up of clients, each with its cure; nothing where there is none. */
export class ClientFindings {
  #place;
  #readAt = -Infinity;
  #failure = h('p', { class: 'field-error', hidden: true });
  #list = h('ul', { class: 'findings' });
  #others = h('ul', { class: 'findings' });
  #otherCount = h('summary');
  #more = h('details', { class: 'more-findings', hidden: true }, this.#otherCount, this.#others);
  #element = h(
    'section',
    { class: 'panel', 'aria-labelledby': 'clients-title' },
    h(
      'h2',
      { id: 'clients-title' },
      'Clients to set right',
      h('small', { class: 'quiet' }, 'by the requests of the last 24 hours'),
    ),
    this.#failure,
    this.#list,
    this.#more,
  );

  /** @param {HTMLElement} place stays empty until there is something to show */
  constructor(place) {
    this.#place = place;
  }

  /** Looks for them, unless that was done just before; a failure is said above the last ones. */
  async refresh() {
    const now = performance.now();
    if (now - this.#readAt < FRESH_MS) {
      return;
    }
    this.#readAt = now;
    try {
      const { findings } = await getJson('/dashboard/api/clients');
      await released();
      this.#show(findings);
    } catch (error) {
      this.#readAt = -Infinity;
      this.#fail(error);
    }
  }

  #show(findings) {
    const others = findings.slice(UNFOLDED);
    syncList(this.#list, findings.slice(0, UNFOLDED), ITEMS);
    syncList(this.#others, others, ITEMS);
    this.#otherCount.textContent = `${others.length} more`;
    this.#more.hidden = others.length === 0;
    this.#failure.hidden = true;
    if (findings.length === 0) {
      fill(this.#place);
    } else {
      this.#appear();
    }
  }

  #fail({ status, message }) {
    if (status === 401 || status === 403) {
      // The page itself asks for another key.
      return;
    }
    this.#failure.textContent = `Clients could not be looked at: ${message}`;
    this.#failure.hidden = false;
    this.#appear();
  }

  #appear() {
    if (this.#element.parentElement !== this.#place) {
      fill(this.#place, this.#element);
    }
  }
}

function contentOf({ client, key, symptom, cure, line, page, count, lastAt, lastId, filter }) {
  return [
    h(
      'p',
      { class: 'finding-head' },
      h('strong', null, client || UNNAMED.client),
      key !== undefined && h('span', null, 'key ', keyLink(key)),
      h(
        'span',
        { class: 'quiet' },
        requestLink({ ...filter, time: '24h' }, plural(count, 'request')),
        ', ',
        h('a', { href: `/dashboard/logs${filterQuery({ id: lastId })}`, 'data-action': 'last' }, 'the last'),
        ' ',
        timeAgo(lastAt),
      ),
    ),
    h('p', { class: 'quiet symptom', title: symptom }, symptom),
    h('p', null, cure, page && [' ', h('a', { href: `/dashboard/${page}` }, `Open ${PAGES[page]}`)]),
    line !== undefined && lineBox(line),
  ];
}

function lineBox(template) {
  const line = template.replaceAll('{origin}', location.origin);
  const button = copyButton('Copy', () => line);
  button.dataset.action = 'copy';
  return h('div', { class: 'copied-line' }, codeBox('Line to copy', line), button);
}
