import { type Settings } from '../common/config/settings.js';
import { isRemoteSite } from '../common/config/upstream-kind.js';

/** Why a proxy that is set is not used for what matters most, in words for the operator; undefined if it is. */
export function unusedProxy(settings: Settings): string | undefined {
  const { HTTPS_PROXY, HTTP_PROXY, BROWSER_ENDPOINTS, BROWSER_WS_ENDPOINT } = settings;
  if (!isRemoteSite(settings) || (HTTPS_PROXY ?? HTTP_PROXY) === undefined) {
    return undefined;
  }
  return BROWSER_ENDPOINTS === '' && BROWSER_WS_ENDPOINT === undefined
    ? 'Browsers that are started here do not use HTTPS_PROXY and HTTP_PROXY: they connect to the site directly.'
    : 'Browsers on other machines do not learn of HTTPS_PROXY and HTTP_PROXY: start them with --proxy-server.';
}
