import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import { ControllerApp } from '../../../../test/support/gateway/controller-app.js';
import { LogsModule } from '../../../logs/logs.module.js';
import { InternalError } from '../../errors/gateway.errors.js';

@Controller()
class FailingController {
  @Get('fails')
  fail(): never {
    throw new InternalError('answer_unusable', 'It says secret.', {
      cause: new Error('the upstream says secret'),
    });
  }

  @Get('unreachable')
  unreachable(): never {
    throw new InternalError('upstream_unreachable', 'the upstream cannot be reached.', {
      cause: new Error('connect ECONNREFUSED'),
    });
  }

  @Get('away')
  beAway(): never {
    throw new InternalError('database_away', 'the shared database cannot be used.', {
      cause: new Error('deadlock detected'),
    });
  }

  @Get('breaks')
  break(): never {
    throw new TypeError('secret is not a function');
  }
}

@Module({ imports: [LogsModule], controllers: [FailingController] })
class FailingModule {}

describe('the process log of a failure', () => {
  let app: ControllerApp;
  let logged: jest.SpiedFunction<Logger['error']>;

  beforeAll(async () => {
    app = await ControllerApp.start(FailingModule);
  });
  afterAll(() => app.close());

  beforeEach(() => {
    logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });
  afterEach(() => logged.mockRestore());

  /** @returns the lines, with the beginning of each stack */
  async function linesOf(path: string, LOG_CONTENT: 'none' | 'preview'): Promise<string[]> {
    Object.assign(app.settings, { LOG_CONTENT });
    const { status } = await app.ask('GET', path);
    expect(status).toBe(500);
    return logged.mock.calls.flat().map((text) =>
      String(text)
        .replace(/^req_\w+/, 'ID')
        .replace(/\n[^]*/, '\n…'),
    );
  }

  it('has the message and the cause with its stack', async () => {
    expect(await linesOf('/fails', 'preview')).toEqual([
      'ID Internal server error: It says secret.',
      'Error: the upstream says secret\n…',
    ]);
  });

  it('is one line where nothing of the gateway is at fault: an outage refuses many requests', async () => {
    expect(await linesOf('/unreachable', 'preview')).toEqual([
      'ID Internal server error: the upstream cannot be reached.',
    ]);
  });

  it('is one line that says why the database cannot be used: there are many reasons', async () => {
    expect(await linesOf('/away', 'preview')).toEqual([
      'ID Internal server error: the shared database cannot be used. (deadlock detected)',
    ]);
  });

  it('has no text that others have written where none is kept', async () => {
    expect(await linesOf('/fails', 'none')).toEqual(['ID internal_error answer_unusable', 'Error\n…']);
    logged.mockClear();
    expect(await linesOf('/breaks', 'none')).toEqual(['ID internal_error gateway_failed', 'TypeError\n…']);
    logged.mockClear();
    expect(await linesOf('/away', 'none')).toEqual(['ID internal_error database_away']);
  });
});
