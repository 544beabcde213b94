import { fill, nodes } from './dom.js';

/** Attributes that tell the controls of a place apart, however often they are drawn. */
const MARKS = ['data-action', 'aria-label', 'href'];

/** What a table is made of, down to its cells. */
const STRUCTURE = '.table-box, table, thead, tbody, tr';

/**
 * Replaces the content of a place: its table stays scrolled to where it was, and what had the focus has it still.
 *
 * @param {HTMLElement} place
 * @param {unknown} content
 * @param {(gone: HTMLElement) => HTMLElement | null} [instead] what takes the focus of a control that is gone
 */
export function redraw(place, content, instead) {
  const left = place.querySelector('.table-box')?.scrollLeft ?? 0;
  keepFocus(place, () => fill(place, content), instead);
  place.querySelector('.table-box')?.scrollTo({ left });
}

/**
 * The same for a table that is drawn again and again: cells that look the same are left alone, with what is selected in
 * them, and so are listeners in them, which must not depend on what was drawn.
 *
 * @param {HTMLElement} place
 * @param {unknown} content
 * @param {(gone: HTMLElement) => HTMLElement | null} [instead] as above
 */
export function redrawTable(place, content, instead) {
  keepFocus(place, () => patch(place, nodes([content])), instead);
}

function patch(place, wanted) {
  const before = [...place.childNodes];
  for (const [at, node] of wanted.entries()) {
    const old = before[at];
    if (old === undefined) {
      place.append(node);
    } else if (old.nodeType === Node.ELEMENT_NODE && old.matches(STRUCTURE) && isShell(old, node)) {
      patch(old, [...node.childNodes]);
    } else if (!old.isEqualNode(node)) {
      old.replaceWith(node);
    }
  }
  before.slice(wanted.length).forEach((old) => old.remove());
}

/** Whether two elements are the same without their children. */
function isShell(old, node) {
  return old.cloneNode().isEqualNode(node.cloneNode());
}

function keepFocus(place, draw, instead = () => null) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (focused && !focused.isConnected) {
    (sameControl(place, focused) ?? instead(focused))?.focus({ preventScroll: true });
  }
}

function sameControl(place, before) {
  const mark = MARKS.find((name) => before.hasAttribute(name));
  return mark && place.querySelector(`[${mark}="${CSS.escape(before.getAttribute(mark))}"]`);
}
