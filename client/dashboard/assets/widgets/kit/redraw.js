import { fill } from './dom.js';

/** Attributes that tell the controls of a place apart, however often they are drawn. */
const MARKS = ['data-action', 'aria-label', 'href'];

/**
 * Replaces the content of a place: its table stays scrolled to where it was, and what had the focus has it still.
 *
 * @param {HTMLElement} place
 * @param {unknown} content
 * @param {(gone: HTMLElement) => HTMLElement | null} [instead] what takes the focus of a control that is gone
 */
export function redraw(place, content, instead = () => null) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const left = place.querySelector('.table-box')?.scrollLeft ?? 0;
  fill(place, content);
  place.querySelector('.table-box')?.scrollTo({ left });
  if (focused) {
    (sameControl(place, focused) ?? instead(focused))?.focus({ preventScroll: true });
  }
}

function sameControl(place, before) {
  const mark = MARKS.find((name) => before.hasAttribute(name));
  return mark && place.querySelector(`[${mark}="${CSS.escape(before.getAttribute(mark))}"]`);
}
