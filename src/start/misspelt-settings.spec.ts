import '../common/config/settings.js';
import { describe, expect, it } from '@jest/globals';
import { settingInfos } from '../common/config/setting.decorators.js';
import { misspeltSettings } from './misspelt-settings.js';

const SETTINGS = settingInfos().map(({ name }) => name);

describe('misspeltSettings', () => {
  it.each([
    ['API_KEYX', 'API_KEY'],
    ['APIKEY', 'API_KEY'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['RATE_LIMIT_COOLDOWN', 'RATE_LIMIT_COOLDOWN_MS'],
    ['POOL_MAX_SESION', 'POOL_MAX_SESSIONS'],
    ['ECHO', undefined],
    ['api_key', 'API_KEY'],
    ['HTTP_PROX', 'HTTP_PROXY'],
    ['http_prox', 'HTTP_PROXY'],
  ])('of %s: %s', (name, meant) => {
    expect(misspeltSettings([name], SETTINGS)).toEqual(meant === undefined ? [] : [{ name, meant }]);
  });

  it('says nothing of settings', () => {
    expect(misspeltSettings(SETTINGS, SETTINGS)).toEqual([]);
  });

  it('says nothing of what other programs are told', () => {
    const others = `PATH HOME HOSTNAME HOSTTYPE PWD LANG SHELL LOGNAME USER TERM BROWSER EDITOR TZ NODE_ENV NODE_OPTIONS
      NODE_EXTRA_CA_CERTS NODE_PATH HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy XDG_DATA_DIRS XDG_DATA_HOME DBUS_SESSION_BUS_ADDRESS
      DATABASE_URL_UNPOOLED DATABASE_USER DATABASE_NAME DATABASE SECRET_KEY_BASE API_URL API_HOST API OPENAI_API_KEY
      ANTHROPIC_API_KEY OPENAI_BASE_URL OTEL_EXPORTER_OTLP_PROTOCOL OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_EXPORTER
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT KUBERNETES_SERVICE_HOST KUBERNETES_PORT PROVIDER_PORT GATEWAY_SERVICE_PORT
      PGHOST PGPASSWORD POSTGRES_PASSWORD LOG UPSTREAM PORTS npm_config_user_agent npm_lifecycle_event INIT_CWD`;
    expect(misspeltSettings(others.split(/\s+/), SETTINGS)).toEqual([]);
  });
});
