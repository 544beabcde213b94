import { type Settings } from '../common/config/settings.js';
import { isRemoteSite } from '../common/config/upstream-kind.js';

/** Why a proxy that is set is not used for what matters most, in words for the operator; undefined if it is. */
export function unusedProxy(settings: Settings): string | undefined {
  const { HTTPS_PROXY, HTTP_PROXY, BROWSER_ENDPOINTS, BROWSER_WS_ENDPOINT } = settings;
  const isSet = (HTTPS_PROXY ?? HTTP_PROXY) !== undefined;
  const isRemote = BROWSER_ENDPOINTS !== '' || BROWSER_WS_ENDPOINT !== undefined;
  return isRemoteSite(settings) && isSet && isRemote
    ? 'Browsers on other machines do not learn of HTTPS_PROXY and HTTP_PROXY: start them with --proxy-server.'
    : undefined;
}
