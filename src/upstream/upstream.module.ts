import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { NetworkLog } from '../common/network/network-log.js';
import { SecretBox } from '../common/store/secret-box.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { type DriverLog } from './driver-log.js';
import { UpstreamDriver } from './upstream-driver.js';

/** Creates the driver that `PROVIDER` names, and closes it at shutdown, after the pool has closed its sessions. */
@Module({
  imports: [StoreModule],
  providers: [
    {
      provide: UpstreamDriver,
      inject: [Settings, Clock, SecretBox, { token: NetworkLog, optional: true }],
      useFactory: createDriver,
    },
  ],
  exports: [UpstreamDriver],
})
export class UpstreamModule implements OnApplicationShutdown {
  constructor(private readonly driver: UpstreamDriver) {}

  onApplicationShutdown(): Promise<void> {
    return this.driver.close();
  }
}

/** Loads the one driver that is needed: the web driver's browser library takes 0.3 s and 40 MiB. */
async function createDriver(
  settings: Settings,
  clock: Clock,
  secrets: SecretBox,
  network?: NetworkLog,
): Promise<UpstreamDriver> {
  const logger = new Logger('UpstreamDriver');
  const log: DriverLog = (message, level = 'log') => logger[level](message);
  switch (settings.PROVIDER) {
    case 'openai': {
      const { OpenAiDriver } = await import('./openai/openai-driver.js');
      return new OpenAiDriver({
        baseUrl: settings.UPSTREAM_BASE_URL ?? '',
        apiKeys: settings.UPSTREAM_API_KEYS,
        clock,
        network,
        settings,
      });
    }
    case 'web': {
      const [{ WebDriver }, { loadRecipe }] = await Promise.all([
        import('./web/web-driver.js'),
        import('./web/recipe/recipe-loader.js'),
      ]);
      return new WebDriver({
        recipe: await loadRecipe(settings.SITE_RECIPE ?? ''),
        settings,
        clock,
        log,
        network,
      });
    }
    case 'sandbox': {
      const { SandboxDriver } = await import('./sandbox-driver.js');
      // The same secret at each start: accounts keep their passwords and their logins.
      return SandboxDriver.start({
        settings,
        clock,
        log,
        network,
        site: { secret: secrets.derive('sandbox') },
      });
    }
  }
}
