import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, type Type } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Settings } from '../../../src/common/config/settings.js';
import { SettingsModule } from '../../../src/common/config/settings.module.js';
import { type SettingsOrigin } from '../../../src/common/config/settings-loader.js';
import { APP_OPTIONS, configureApp } from '../../../src/common/http/configure-app.js';
import { HttpEdgeModule } from '../../../src/common/http/http-edge.module.js';
import { GatewayHttpAdapter } from '../../../src/common/http/server/gateway-http-adapter.js';
import { TimeModule } from '../../../src/common/time/time.module.js';
import { logApiCalls } from '../../../src/logs/log-api-calls.js';
import { LogsModule } from '../../../src/logs/logs.module.js';
import { LogsService } from '../../../src/logs/logs.service.js';
import { type AccountSeed, UpstreamDriver } from '../../../src/upstream/upstream-driver.js';
import { ScriptedDriver } from '../upstream/scripted-driver.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { LENIENT_HTTP_LIMITS } from '../watch/lenient-limits.js';

/** Key of every application here; `ask` sends it by default. */
export const API_KEY = 'key-of-the-gateway';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text if it is JSON, otherwise undefined. */
  readonly body: unknown;
}

export interface ControllerAppOptions {
  /** Changes to the default settings; `DATA_DIR` is a folder of its own, `API_KEY` the key above. */
  readonly settings?: Partial<Settings>;
  /** Settings to use as they are, in place of the above. */
  readonly loaded?: { readonly settings: Settings; readonly origin: SettingsOrigin };
  /** Accounts of the scripted upstream; one named `seed` by default. */
  readonly accounts?: readonly AccountSeed[];
}

export interface AskOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Empty for none. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One module of the gateway behind the real edge: log, guards, body reader, pipe and exception filter. Listens on a free port. */
export class ControllerApp {
  private constructor(
    readonly app: NestExpressApplication,
    readonly settings: Settings,
    readonly origin: string,
    private readonly folder: string,
  ) {}

  static async start(module: Type, options: ControllerAppOptions = {}): Promise<ControllerApp> {
    Logger.overrideLogger(false);
    const folder = await mkdtemp(join(tmpdir(), 'controller-'));
    const { accounts = [{ name: 'seed', credentials: { key: 'k' } }], loaded } = options;
    const settings =
      loaded?.settings ?? Object.assign(new Settings(), { DATA_DIR: folder, API_KEY, ...options.settings });
    const testing = await Test.createTestingModule({
      imports: [
        SettingsModule.forRoot(settings, loaded?.origin),
        TimeModule,
        LogsModule,
        module,
        HttpEdgeModule,
      ],
    })
      .overrideProvider(UpstreamDriver)
      .useValue(new ScriptedDriver(accounts))
      .compile();
    const app = testing.createNestApplication<NestExpressApplication>(
      new GatewayHttpAdapter(LENIENT_HTTP_LIMITS),
      {
        ...APP_OPTIONS,
        logger: false,
      },
    );
    logApiCalls(app);
    configureApp(app, settings);
    await app.listen(0, '127.0.0.1');
    return new ControllerApp(app, settings, await app.getUrl(), folder);
  }

  /** Sends a request and reads the answer to its end. Redirects are not followed. */
  async ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
    const { body, key = API_KEY, headers } = options;
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        // The gateway may close an idle connection in the moment in which it is used again.
        connection: 'close',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
    };
  }

  /** Waits for the two threads of the log: until its file has been created, reads fail. */
  async logReady(): Promise<void> {
    await eventually(PATIENCE_MS, () => this.app.get(LogsService).find('none'));
  }

  async close(): Promise<void> {
    await this.app.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
