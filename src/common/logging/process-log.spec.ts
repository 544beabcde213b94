import { expect, it } from '@jest/globals';
import pino from 'pino';
import { Settings } from '../config/settings.js';
import { processLogOf } from './process-log.js';

function fieldsOf(details: object): unknown {
  const lines: string[] = [];
  const [options] = processLogOf(Object.assign(new Settings(), { LOG_LEVEL: 'info' }));
  pino(options, { write: (line) => void lines.push(line) }).info(details, 'said');
  return JSON.parse(lines.join(''));
}

it.each([
  [{ account: 'key-1' }, { account: 'key-1' }],
  [
    { account: { name: 'key-1', credentials: { key: 'x' }, password: 'x' } },
    { account: { name: 'key-1', credentials: '[redacted]', password: '[redacted]' } },
  ],
  [
    { password: 'x', settings: { API_KEY: 'x' } },
    { password: '[redacted]', settings: { API_KEY: '[redacted]' } },
  ],
  [{ req: { headers: { authorization: 'x' } } }, { req: { headers: { authorization: '[redacted]' } } }],
  [{ headers: { cookie: 'x', host: 'y' } }, { headers: { cookie: '[redacted]', host: 'y' } }],
])('shows no secret of %j', (details, shown) => {
  expect(fieldsOf(details)).toMatchObject(shown);
});
