import { curlNote, toCurl } from '../../data/curl.js';
import { filterQuery } from '../../data/filters.js';
import { duration } from '../../data/format.js';
import { cancelledText, causeText, reasonHint, reasonText } from '../../data/reasons.js';
import { serverNow } from '../../data/server-clock.js';
import { copyButton } from '../kit/copy.js';
import { fill, h } from '../kit/dom.js';
import { correctionText } from '../kit/labels.js';
import { longText } from '../kit/long-text.js';
import { isCaller } from '../kit/role.js';
import { CompareWith } from './compare-with.js';
import { condensedOf, conversation, toolCallsOf } from './conversation.js';
import { attemptsAndAccounts, decisionTrace } from './decision-trace.js';
import { EntryAnswer } from './entry-answer.js';
import { entryFacts } from './entry-facts.js';
import { inputParts } from './input-parts.js';
import { OtherTurns } from './other-turns.js';
import { RecordedRun } from './recorded-run.js';
import { RunAgain } from './run-again.js';
import { UpstreamNetwork } from './upstream-network.js';

/**
 * Parts of a request's detail by column. A part is drawn again when its inputs (`of`) change; values used only by its
 * buttons need not be inputs.
 */
const PARTS = {
  top: [
    { of: ({ entry }) => entry.error, make: ({ entry }) => entry.error && errorBox(entry.error) },
    {
      of: ({ entry }) => entry.outcome,
      make: ({ entry }) => entry.outcome === 'cancelled' && cancelledBox(entry),
    },
  ],
  left: [
    { of: ({ entry }) => entry, make: ({ entry }) => entryFacts(entry) },
    {
      of: ({ entry, network }) => [entry, timeOf(entry), network.map(({ startedAt }) => startedAt)],
      make: decisionTrace,
    },
    { of: ({ entry }) => entry.inputChars, make: ({ entry }) => inputParts(entry) },
    {
      of: ({ entry }) => [entry.attempts, entry.considered],
      make: ({ entry }) => attemptsAndAccounts(entry),
    },
    { of: ({ entry }) => entry.corrections, make: ({ entry }) => correctionsOf(entry) },
  ],
  right: [
    {
      of: ({ entry }) => [askedIn(entry), entry.sent, entry.outcome],
      make: ({ entry }) => conversation(entry),
    },
  ],
  belowAnswer: [
    { of: ({ entry }) => [entry.toolCalls, entry.repeatedCall], make: ({ entry }) => toolCallsOf(entry) },
    { of: ({ entry }) => entry.condensed, make: ({ entry }) => condensedOf(entry) },
  ],
  bottom: [
    { of: ({ entry }) => [entry.content, entry.sent, entry.path], make: ({ entry }) => curlGap(entry) },
  ],
};

/** The texts of a request without those that grow while it is running. */
function askedIn({ content }) {
  return content && [content.messages, content.omittedMessages, content.toolNames, content.texts];
}

/** Input of parts with bars that grow while a request is running. */
function timeOf({ outcome }) {
  return outcome === 'pending' ? serverNow() : undefined;
}

/**
 * The detail of a request. Updates leave unchanged parts alone, so that folds, scroll positions, selections and the focus
 * are kept.
 */
export class EntryDetail {
  #request;
  #shown = new Map();
  #raw = new RawJson(() => this.#request);
  #again = new RunAgain();
  #other = new CompareWith();
  #rerun = new RecordedRun();
  #turns = new OtherTurns();
  #network = new UpstreamNetwork();
  #answer = new EntryAnswer();
  element = h(
    'div',
    { class: 'entry-detail' },
    this.#places('top'),
    h(
      'div',
      { class: 'detail-columns' },
      h('div', { class: 'stack' }, this.#places('left'), this.#network.element),
      h(
        'div',
        { class: 'stack' },
        this.#turns.element,
        this.#places('right'),
        this.#answer.element,
        this.#places('belowAnswer'),
      ),
    ),
    this.#again.element,
    this.#other.element,
    this.#rerun.element,
    this.#raw.element,
    this.#places('bottom'),
  );

  /** @param {{ entry: any, network: readonly any[] }} request */
  show(request) {
    this.#request = request;
    for (const [part, { place, text }] of this.#shown) {
      const newText = JSON.stringify(part.of(request)) ?? '';
      if (newText !== text) {
        this.#shown.set(part, { place, text: newText });
        fill(place, part.make(request));
      }
    }
    this.#network.show(request);
    this.#answer.show(request.entry);
    this.#again.show(request.entry);
    this.#other.show(request.entry);
    this.#rerun.show(request.entry);
    this.#turns.show(request.entry);
    this.#raw.update();
  }

  #places(column) {
    return PARTS[column].map((part) => {
      const place = h('div', { class: 'detail-part' });
      this.#shown.set(part, { place, text: undefined });
      return place;
    });
  }
}

function errorBox({ code, reason = code, message, cause }) {
  const hint = reasonHint(reason, isCaller());
  const behind = causeText({ reason, cause });
  return h(
    'div',
    { class: 'notice bad' },
    h('strong', null, reasonText(reason)),
    message !== undefined && h('span', null, message),
    hint && h('span', null, hint),
    behind !== undefined && h('span', null, `Cause: ${behind}`),
  );
}

function cancelledBox(entry) {
  return h(
    'div',
    { class: 'notice warn' },
    h('span', null, cancelledText(entry)),
    h('span', null, 'Its own time limit ran out, or somebody stopped it.'),
  );
}

function correctionsOf({ corrections = [] }) {
  if (corrections.length === 0) {
    return undefined;
  }
  return h(
    'section',
    null,
    h('h3', null, 'Corrections'),
    h(
      'ul',
      { class: 'lines' },
      corrections.map((correction) =>
        h(
          'li',
          null,
          h('span', { class: 'quiet' }, `at ${duration(correction.atMs)}`),
          h('span', null, [correctionText(correction), correction.detail].filter(Boolean).join('. ')),
        ),
      ),
    ),
  );
}

function curlGap(entry) {
  const note = entry.method === 'POST' && curlNote(entry);
  return note && h('p', { class: 'quiet' }, note);
}

/** The request as JSON, with buttons to copy it. */
class RawJson {
  element;
  #request;
  #place = h('div');
  #box = h('details', { class: 'raw' }, h('summary', null, 'Raw JSON'), this.#place);
  #text;

  /** @param {() => { entry: any, network: readonly any[] }} request */
  constructor(request) {
    this.#request = request;
    this.#box.addEventListener('toggle', () => this.update());
    const entry = () => request().entry;
    this.element = h(
      'div',
      { class: 'raw-tools' },
      this.#box,
      h(
        'div',
        { class: 'box-tools' },
        copyButton('Copy JSON', () => this.#json()),
        copyButton('Copy as curl', () => toCurl(entry(), location.origin)),
        copyButton('Copy id', () => entry().id),
        copyButton(
          'Copy link',
          () => new URL(`/dashboard/logs${filterQuery({ id: entry().id })}`, location.href).href,
        ),
      ),
    );
  }

  /** Serialises only while the text is shown. */
  update() {
    const text = this.#box.open ? this.#json() : this.#text;
    if (text !== this.#text) {
      this.#text = text;
      fill(this.#place, longText(text, 'Raw JSON'));
    }
  }

  #json() {
    return JSON.stringify(this.#request(), null, 2);
  }
}
