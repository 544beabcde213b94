import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { DrawingPace } from '../../assets/data/feed/drawing-pace.js';

beforeEach(() => jest.useFakeTimers());

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('draws what came last although its timer rings early', async () => {
  const draw = jest.fn();
  const pace = new DrawingPace(draw);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
  pace.live();
  await jest.advanceTimersByTimeAsync(0);
  expect(draw).toHaveBeenCalledTimes(1);
  clock.mockReturnValue(1100.4);
  pace.live();
  clock.mockReturnValue(1249.4);
  await jest.advanceTimersByTimeAsync(150);
  expect(draw).toHaveBeenCalledTimes(2);
});
