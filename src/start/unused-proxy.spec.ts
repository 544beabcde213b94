import { describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { unusedProxy } from './unused-proxy.js';

const warning = (settings: Partial<Settings>): string | undefined =>
  unusedProxy(Object.assign(new Settings(), settings));

describe('unusedProxy', () => {
  const HTTPS_PROXY = 'http://proxy:3128';

  it.each<Partial<Settings>>([
    { HTTPS_PROXY, BROWSER_ENDPOINTS: 'http://b:9222' },
    { HTTP_PROXY: HTTPS_PROXY, BROWSER_WS_ENDPOINT: 'ws://b:9222' },
  ])('warns where browsers on other machines would be expected to use a proxy, as with %j', (settings) => {
    expect(warning({ PROVIDER: 'web', ...settings })).toContain('start them with --proxy-server');
  });

  it.each<Partial<Settings>>([
    { PROVIDER: 'web', BROWSER_ENDPOINTS: 'http://b:9222' },
    { PROVIDER: 'web', HTTPS_PROXY },
    { PROVIDER: 'openai', HTTPS_PROXY },
    { PROVIDER: 'sandbox', HTTPS_PROXY },
  ])('does not warn with %j', (settings) => {
    expect(warning(settings)).toBeUndefined();
  });
});
