import { describe, expect, it } from '@jest/globals';
import { mouseEvent } from './visitor-mouse.js';

const AT = { x: 3, y: 4 };

describe('mouseEvent', () => {
  it.each([
    [
      { type: 'move', ...AT, buttons: 0, clicks: 0 },
      { type: 'mouseMoved', ...AT, button: 'none', buttons: 0, clickCount: 0 },
    ],
    [
      { type: 'move', ...AT, buttons: 1, clicks: 0 },
      { type: 'mouseMoved', ...AT, button: 'left', buttons: 1, clickCount: 0 },
    ],
    [
      { type: 'down', ...AT, buttons: 1, clicks: 2 },
      { type: 'mousePressed', ...AT, button: 'left', buttons: 1, clickCount: 2 },
    ],
    [
      { type: 'down', ...AT, buttons: 4, clicks: 1 },
      { type: 'mousePressed', ...AT, button: 'middle', buttons: 4, clickCount: 1 },
    ],
    [
      { type: 'up', ...AT, buttons: 0, clicks: 1 },
      { type: 'mouseReleased', ...AT, button: 'left', buttons: 0, clickCount: 1 },
    ],
    [
      { type: 'wheel', ...AT, deltaX: 0, deltaY: -9 },
      { type: 'mouseWheel', ...AT, deltaX: 0, deltaY: -9 },
    ],
  ] as const)('%j', (input, event) => {
    expect(mouseEvent(input)).toEqual(event);
  });
});
