import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { Clock } from '../common/time/clock.js';
import { FullTexts } from './full-texts.js';

class ManualClock extends Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }
}

it('keeps full texts for a time, never against LOG_CONTENT=none', () => {
  Logger.overrideLogger(false);
  const settings = new Settings();
  const clock = new ManualClock();
  const fullTexts = new FullTexts(settings, clock);
  expect([fullTexts.mode, fullTexts.remainingMs]).toEqual(['preview', 0]);
  fullTexts.keepFor(15);
  expect([fullTexts.mode, fullTexts.remainingMs]).toEqual(['full', 900_000]);
  settings.LOG_CONTENT = 'none';
  expect(fullTexts.mode).toBe('none');
  expect(() => fullTexts.keepFor(1)).toThrow('LOG_CONTENT is none');
  settings.LOG_CONTENT = 'preview';
  clock.time = 899_999;
  expect(fullTexts.mode).toBe('full');
  clock.time = 900_000;
  expect(fullTexts.mode).toBe('preview');
  fullTexts.keepFor(15);
  fullTexts.keepFor(0);
  expect(fullTexts.mode).toBe('preview');
});
