import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { demoteNestStart } from './nest-start.js';

describe('demoteNestStart', () => {
  test.each([
    ['info', ['ours', 'warned']],
    ['debug', ['routes', 'ours', 'warned']],
  ])('at level %s the lines %j are written', (level, expected) => {
    const lines: string[] = [];
    const log = pino(
      { level, hooks: { logMethod: demoteNestStart } },
      { write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg) },
    );
    log.info({ context: 'RoutesResolver' }, 'routes');
    log.info({ context: 'SessionPool' }, 'ours');
    log.warn({ context: 'RoutesResolver' }, 'warned');
    expect(lines).toEqual(expected);
  });
});
