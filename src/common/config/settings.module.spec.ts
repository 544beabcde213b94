import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { Settings } from './settings.js';
import { SettingsModule } from './settings.module.js';
import { SettingsEditor } from './settings-editor.js';
import { type SettingsConfig, settingsFromCode, settingsFromEnvironment } from './settings-loader.js';

describe('SettingsModule', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-module-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function start(config: SettingsConfig): Promise<{ settings: Settings; editor: SettingsEditor }> {
    const imports = [SettingsModule, ConfigModule.forRoot(config)];
    const context = await Test.createTestingModule({ imports }).compile();
    return { settings: context.get(Settings), editor: context.get(SettingsEditor) };
  }

  it('provides what ConfigModule validated, and the editor of the same object', async () => {
    writeFileSync(join(folder, '.env'), 'DRAIN_MS=5\n');
    const { settings, editor } = await start(settingsFromEnvironment({ PORT: '0' }, folder));
    expect(settings).toBeInstanceOf(Settings);
    expect(settings).toEqual(Object.assign(new Settings(), { PORT: 0, DRAIN_MS: 5 }));
    expect(editor.save({ TOOL_COMPRESSION: false }, () => true).originOf('DRAIN_MS')).toBe('environment');
    expect(settings.TOOL_COMPRESSION).toBe(false);
  });

  it('provides ready settings as the object that they are', async () => {
    const given = Object.assign(new Settings(), { DRAIN_MS: 5 });
    expect((await start(settingsFromCode(given))).settings).toBe(given);
  });

  it('keeps gateways of one process apart, and out of its environment', async () => {
    const environment = { ...process.env };
    process.env.DRAIN_MS = '7';
    try {
      writeFileSync(join(folder, '.env'), 'API_KEY=from-the-file\nNOT_OURS=1\n');
      const first = await start(settingsFromEnvironment({}, folder));
      rmSync(join(folder, '.env'));
      const second = await start(settingsFromEnvironment({}, folder));
      expect(first.settings).toEqual(Object.assign(new Settings(), { API_KEY: 'from-the-file' }));
      expect(second.settings).toEqual(new Settings());
      expect(process.env).toEqual({ ...environment, DRAIN_MS: '7' });
    } finally {
      delete process.env.DRAIN_MS;
    }
  });
});
