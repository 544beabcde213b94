import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { TimeoutError } from 'rxjs';
import { WorkerCallError } from '../threads/worker-client.js';
import { isDatabaseAway, isDatabaseLost } from './database-away.js';
import { StoreError } from './store.error.js';

const system = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall });

function answered(code: string, message = 'no'): Error {
  return Object.assign(new pg.DatabaseError(message, 2, 'error'), { code, severity: 'FATAL' });
}

describe('isDatabaseAway', () => {
  it.each([
    ['refused', system('ECONNREFUSED', 'connect')],
    ['without a name yet', system('ENOTFOUND', 'getaddrinfo')],
    ['cut', system('ECONNRESET', 'read')],
    ['cut while it is written to', system('EPIPE', 'write')],
    ['known to be cut', new Error('Client has encountered a connection error and is not queryable')],
    ['refused at both addresses', new AggregateError([system('ECONNREFUSED', 'connect')])],
    ['silent while connecting', new Error('timeout expired')],
    ['silent in the pool', new Error('timeout exceeded when trying to connect')],
    ['silent in a statement', new Error('Query read timeout')],
    ['silent for longer than its caller waits', new TimeoutError()],
    ['ended', new Error('Connection terminated unexpectedly')],
    ['starting up', answered('57P03')],
    ['a standby', answered('25006')],
    ['in use', answered('55P03')],
    ['full', answered('53300')],
    ['behind a pooler that cannot log in', answered('08P01', 'server login has been failing')],
    ['refused in another thread', new WorkerCallError('connect ECONNREFUSED 127.0.0.1:5432')],
    ['cut in another thread', new WorkerCallError('write EPIPE')],
    [
      'known to be cut in another thread',
      new WorkerCallError('Client has encountered a connection error and is not queryable'),
    ],
    ['silent in another thread', new WorkerCallError('Query read timeout')],
    ['refused at both addresses in another thread', new WorkerCallError('ECONNREFUSED')],
    ['shut down in another thread', new WorkerCallError('the database system is shutting down')],
    ['within another error', new StoreError('cannot be used', answered('57P03'))],
  ])('is so for one that is %s', (_, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['a wrong password', answered('28P01')],
    ['an unknown database', answered('3D000')],
    ['missing rights', answered('42501')],
    [
      'a parameter that a pooler refuses',
      answered('08P01', 'unsupported startup parameter: statement_timeout'),
    ],
    ['a pooler of statements', answered('08P01', 'transaction blocks not allowed in statement pooling mode')],
    ['a schema of a newer release', new StoreError('changed by a newer release')],
    [
      'a refused certificate',
      Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    ],
    ['an unreadable certificate file', system('ENOENT', 'open')],
    ['one address that is no database', new AggregateError([system('ECONNREFUSED', 'connect'), new Error()])],
    [
      'a refused row in another thread',
      new WorkerCallError('invalid byte sequence for encoding "UTF8": 0x00'),
    ],
    ['a full disk', system('ENOSPC', 'write')],
    ['nothing', undefined],
  ])('is not so for %s', (_, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

describe('isDatabaseLost', () => {
  it.each([
    ['an outage', answered('57P03'), true],
    ['a password that was changed', answered('28P01'), true],
    ['a right to log in that was lost', answered('28000'), true],
    ['a database that was renamed', answered('3D000'), true],
    [
      'a pooler that was set up anew',
      answered('08P01', 'unsupported startup parameter: statement_timeout'),
      true,
    ],
    [
      'a certificate that has expired',
      Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' }),
      true,
    ],
    [
      'a certificate of another authority in another thread',
      new WorkerCallError('unable to verify the first certificate'),
      true,
    ],
    [
      "an authority's file that is gone",
      Object.assign(system('ENOENT', 'open'), {
        message: "ENOENT: no such file or directory, open '/ca.pem'",
      }),
      true,
    ],
    ['a server that no longer encrypts', new Error('The server does not support SSL connections'), true],
    ['missing rights', answered('42501'), false],
    ['a full disk', system('ENOSPC', 'write'), false],
    ['nothing', undefined, false],
  ])('tells by %s', (_, error, expected) => {
    expect(isDatabaseLost(error)).toBe(expected);
  });
});
