import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Settings } from './settings.js';
import { SettingsEditor } from './settings-editor.js';
import { fixedOrigin, type SettingsOrigin } from './settings-loader.js';

/** Makes the one `Settings` object injectable everywhere, and the editor that changes it. */
@Global()
@Module({})
export class SettingsModule {
  static forRoot(settings: Settings, origin: SettingsOrigin = fixedOrigin(settings)): DynamicModule {
    return {
      module: SettingsModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: SettingsEditor, useValue: new SettingsEditor(settings, origin) },
      ],
      exports: [Settings, SettingsEditor],
    };
  }
}
