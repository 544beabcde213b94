import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { NetworkLog } from '../common/network/network-log.js';
import { SecretBox } from '../common/store/secret-box.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { OpenAiDriver } from './openai/openai-driver.js';
import { SandboxDriver } from './sandbox-driver.js';
import { UpstreamDriver } from './upstream-driver.js';
import { loadRecipe } from './web/recipe/recipe-loader.js';
import { WebDriver } from './web/web-driver.js';

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

async function createDriver(
  settings: Settings,
  clock: Clock,
  secrets: SecretBox,
  network?: NetworkLog,
): Promise<UpstreamDriver> {
  const logger = new Logger('UpstreamDriver');
  const log = (message: string): void => logger.log(message);
  switch (settings.PROVIDER) {
    case 'openai':
      return new OpenAiDriver({
        baseUrl: settings.UPSTREAM_BASE_URL ?? '',
        apiKeys: settings.UPSTREAM_API_KEYS,
        clock,
        network,
        settings,
      });
    case 'web':
      return new WebDriver({
        recipe: await loadRecipe(settings.SITE_RECIPE ?? ''),
        settings,
        clock,
        log,
        network,
      });
    case 'sandbox':
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
