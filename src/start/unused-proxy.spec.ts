import { describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { unusedProxy } from './unused-proxy.js';

const warning = (settings: Partial<Settings>): string | undefined =>
  unusedProxy(Object.assign(new Settings(), settings));

describe('unusedProxy', () => {
  const HTTPS_PROXY = 'http://proxy:3128';

  it('warns where browsers would be expected to use a proxy', () => {
    expect(warning({ PROVIDER: 'web', HTTPS_PROXY })).toContain('started here do not use');
    expect(warning({ PROVIDER: 'web', HTTP_PROXY: HTTPS_PROXY })).toContain('started here do not use');
    expect(warning({ PROVIDER: 'web', HTTPS_PROXY, BROWSER_ENDPOINTS: 'http://b:9222' })).toContain(
      'start them with --proxy-server',
    );
  });

  it.each<Partial<Settings>>([
    { PROVIDER: 'web' },
    { PROVIDER: 'openai', HTTPS_PROXY },
    { PROVIDER: 'sandbox', HTTPS_PROXY },
  ])('does not warn with %j', (settings) => {
    expect(warning(settings)).toBeUndefined();
  });
});
