import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { Settings } from './settings.js';
import { SettingsEditor } from './settings-editor.js';
import { settingsFromCode, type SettingsOrigin } from './settings-loader.js';

/**
 * Makes the validated settings of ConfigModule injectable everywhere as `Settings`, with the editor that changes
 * them.
 */
@Global()
@Module({
  providers: [
    {
      provide: Settings,
      inject: [ConfigService],
      useFactory: (config: ConfigService) => config.getOrThrow<Settings>('settings'),
    },
    {
      provide: SettingsEditor,
      inject: [Settings, ConfigService],
      useFactory: (settings: Settings, config: ConfigService) =>
        new SettingsEditor(settings, config.getOrThrow<SettingsOrigin>('origin')),
    },
  ],
  exports: [Settings, SettingsEditor],
})
export class SettingsModule {
  /** With a ConfigModule of its own that holds ready settings: for tests of single modules. */
  static forRoot(settings: Settings, origin?: SettingsOrigin): DynamicModule {
    return { module: SettingsModule, imports: [ConfigModule.forRoot(settingsFromCode(settings, origin))] };
  }
}
