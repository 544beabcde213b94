import { type Settings } from './settings.js';

/** `site`: pages for people, which take text only; `api`: made for programs, with keys, files, tools and a list of models. */
const KINDS: Readonly<Record<Settings['PROVIDER'], 'site' | 'api'>> = {
  sandbox: 'site',
  web: 'site',
  openai: 'api',
};

export function isApi({ PROVIDER }: Pick<Settings, 'PROVIDER'>): boolean {
  return KINDS[PROVIDER] === 'api';
}
