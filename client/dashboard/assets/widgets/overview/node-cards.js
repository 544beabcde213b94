import { count, duration, plural } from '../../data/format.js';
import { fill, h, syncList } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { badge } from '../kit/labels.js';
import { requestLink } from '../kit/request-link.js';

/** Any other state is the reason why a node is not ready. @type {Readonly<Record<string, import('../kit/labels.js').Label>>} */
const STATES = {
  ok: { text: 'ready', tone: 'ok', icon: 'check' },
  draining: { text: 'draining', tone: 'warn', icon: 'power' },
  silent: { text: 'silent', tone: 'bad', icon: 'alert' },
  starting: { text: 'starting', tone: 'info', icon: 'wait' },
  no_account: { text: 'has no account', tone: 'warn', icon: 'wait' },
};

/** From here on the log of a node is behind: while nobody follows the log, a batch waits for a second. */
const LATE_LOG_MS = 2000;

/** The gateways on one database, a card each; nothing where there is but one. */
export class NodeCards {
  #place;
  #list = h('ul', { class: 'nodes' });
  #failure = h(
    'p',
    { class: 'quiet', hidden: true },
    'The database does not answer: this is their last known state.',
  );
  #element = h(
    'section',
    { class: 'panel', 'aria-labelledby': 'nodes-title' },
    h('h2', { id: 'nodes-title' }, 'Nodes'),
    this.#failure,
    this.#list,
  );

  /** @param {HTMLElement} place stays empty without a shared database */
  constructor(place) {
    this.#place = place;
  }

  /** @param {any[] | undefined} nodes undefined while the database does not tell: then the last ones stay */
  show(nodes) {
    this.#failure.hidden = nodes !== undefined;
    if (nodes === undefined) {
      return;
    }
    syncList(this.#list, nodes, {
      key: ({ id }) => id,
      create: (node) => fillNode(h('li'), node),
      update: fillNode,
    });
    if (nodes.length > 0 && !this.#element.isConnected) {
      fill(this.#place, this.#element);
    }
  }
}

function fillNode(item, node) {
  const { id, logName, logLagMs, version, seenMsAgo, accounts, shares, running, waiting, uptimeMs } = node;
  const facts = [
    ['Running', running],
    ['Waiting', waiting],
    ['Accounts', accounts],
    ['Shares', shares],
  ];
  const name = logName ?? id;
  const more = [
    `Seen ${duration(seenMsAgo)} ago`,
    uptimeMs !== undefined && `up for ${duration(uptimeMs)}`,
    logLagMs !== undefined && logText(logLagMs),
    `version ${version}`,
  ];
  return fill(
    item,
    h(
      'div',
      { class: 'node-head' },
      logName ? requestLink({ node: logName }, name) : h('strong', null, name),
      stateOf(node),
    ),
    h('dl', null, factItems(facts.map(([label, value]) => [label, count(value)]))),
    h('p', { class: 'quiet' }, more.filter(Boolean).join(' · ')),
    settingsOf(node),
  );
}

function logText(lagMs) {
  return lagMs < LATE_LOG_MS ? 'log up to date' : `log ${duration(lagMs)} behind`;
}

function stateOf({ state }) {
  const text = `not ready: ${state.replaceAll('_', ' ')}`;
  return badge(STATES[state] ?? { text, tone: 'bad', icon: 'cross' });
}

/** Shared settings that the node could not take over. */
function settingsOf({ settingsProblem, leftOut = [], overridden = [] }) {
  return [
    settingsProblem !== undefined &&
      h('p', { class: 'node-problem' }, `Cannot use the shared settings: ${settingsProblem}`),
    ...leftOut.map(({ names, text }) =>
      h('p', { class: 'node-problem' }, `Leaves shared settings out: ${names.join(', ')} (${text})`),
    ),
    overridden.length > 0 &&
      h(
        'p',
        { class: 'quiet' },
        `${plural(overridden.length, 'shared setting')} set by its environment: ${overridden.join(', ')}`,
      ),
  ];
}
