import { type Settings } from './settings.js';

/**
 * `site`: pages for people, which take text only; `own_site`: such a site on this machine; `api`: made for programs, with
 * keys, files, tools, demands on the text and a list of models.
 */
const KINDS: Readonly<Record<Settings['PROVIDER'], 'site' | 'own_site' | 'api'>> = {
  sandbox: 'own_site',
  web: 'site',
  openai: 'api',
};

type Provider = Pick<Settings, 'PROVIDER'>;

export function isApi({ PROVIDER }: Provider): boolean {
  return KINDS[PROVIDER] === 'api';
}

/** Whether the models are those that an API lists, since no table of the settings says otherwise. */
export function hasListedModels(settings: Pick<Settings, 'PROVIDER' | 'models'>): boolean {
  return isApi(settings) && settings.models === undefined;
}

/** Whether browsers have to get out to a site elsewhere. */
export function isRemoteSite({ PROVIDER }: Provider): boolean {
  return KINDS[PROVIDER] === 'site';
}
