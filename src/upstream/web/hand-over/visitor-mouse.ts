import { type Protocol } from 'puppeteer';
import { type PageInput } from '../../../common/live-page/page-visitor.js';

export type VisitorMouse = Extract<PageInput, { x: number }>;

const EVENTS = {
  move: 'mouseMoved',
  down: 'mousePressed',
  up: 'mouseReleased',
} as const;

/** Names of the bits of `MouseEvent.buttons`. */
const BUTTONS = [
  [1, 'left'],
  [2, 'right'],
  [4, 'middle'],
] as const;

/** Mouse input of a person in the form of the browser's protocol. A release is one of the left button. */
export function mouseEvent(input: VisitorMouse): Protocol.Input.DispatchMouseEventRequest {
  const { x, y } = input;
  if (input.type === 'wheel') {
    return { type: 'mouseWheel', x, y, deltaX: input.deltaX, deltaY: input.deltaY };
  }
  const { type, buttons, clicks } = input;
  const pressed = BUTTONS.find(([bit]) => (buttons & bit) !== 0)?.[1];
  const button = pressed ?? (type === 'move' ? 'none' : 'left');
  return {
    type: EVENTS[type],
    x,
    y,
    button,
    buttons,
    clickCount: type === 'move' ? 0 : clicks,
  };
}
