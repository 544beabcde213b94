import { describe, expect, it } from '@jest/globals';
import { browserEndpointsProblem, endpointName, parseBrowserEndpoints } from './browser-endpoints.js';

const FORMS = 'ws(s)://host/…, http(s)://host:port or webdriver+http(s)://host:port';

describe('endpoints of browsers', () => {
  it('are of three kinds, named without their secrets', () => {
    const list =
      'ws://10.0.0.7:3000/?token=abc, wss://user:pw@cdp.example/chrome?token=abc,' +
      'http://browser-1:9222,https://browser-2:9222/,' +
      'webdriver+http://grid:4444,WebDriver+https://user:pw@grid.example/wd/hub,';
    expect(parseBrowserEndpoints(list).map((endpoint) => [endpoint.kind, endpointName(endpoint)])).toEqual([
      ['socket', 'ws://10.0.0.7:3000'],
      ['socket', 'wss://cdp.example'],
      ['chromium', 'http://browser-1:9222'],
      ['chromium', 'https://browser-2:9222'],
      ['grid', 'webdriver+http://grid:4444'],
      ['grid', 'webdriver+https://grid.example'],
    ]);
  });

  it('are none in an empty list', () => {
    expect(parseBrowserEndpoints(' , ')).toEqual([]);
    expect(browserEndpointsProblem('')).toBe(false);
  });

  it.each([
    ['browser-1:9222', `entry 1 must be ${FORMS}`],
    ['ws://one, ftp://s3cret@two', `entry 2 must be ${FORMS}`],
    ['webdriver+ws://grid:4444', `entry 1 must be ${FORMS}`],
    ['http://one:9222/json?token=s3cret', 'entry 1 must name a host and a port only'],
    ['http://one:9222,ws://two,http://one:9222', 'entry 3 repeats entry 1'],
  ])('are not %s', (list, problem) => {
    expect(browserEndpointsProblem(list)).toBe(`BROWSER_ENDPOINTS: ${problem}`);
  });
});
