import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { projectFolder } from '../../common/files/project-folder.js';
import { featuresToWire, type SandboxFeatures } from '../state/sandbox-features.js';
import { type FixedResponse, htmlResponse, type RefusalPages } from './sandbox-refusal.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Values filled into the chat page. */
export interface ChatPageValues {
  readonly account: string;
  readonly csrfToken: string;
  readonly models: readonly string[];
  readonly features: SandboxFeatures;
}

/** The site's pages and assets, read into memory once. */
export class SandboxPages implements RefusalPages {
  private constructor(private readonly files: ReadonlyMap<string, string>) {}

  /** Rejects if their folder is missing. */
  static async read(): Promise<SandboxPages> {
    const folder = join(projectFolder(), 'client', 'sandbox');
    const names = (await readdir(folder)).filter((name) => extname(name) in CONTENT_TYPES);
    const entries = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
    return new SandboxPages(new Map(await Promise.all(entries)));
  }

  loginPage(error = '', user = ''): string {
    return this.fill('login.html', { error, user });
  }

  codePage(code: string, error: string): string {
    return this.fill('code.html', { code, error });
  }

  consentPage(account: string): string {
    return this.fill('consent.html', { account });
  }

  challengePage(): string {
    return this.fill('challenge.html', {});
  }

  chatPage({ account, csrfToken, models, features }: ChatPageValues): FixedResponse {
    const page = this.fill('chat.html', {
      account,
      csrf_token: csrfToken,
      features: JSON.stringify(featuresToWire(features)),
      models: models.join(' '),
    });
    return htmlResponse(200, page);
  }

  /** A style sheet, script or picture by file name; undefined for any other name, pages included. */
  asset(name: string): FixedResponse | undefined {
    const body = this.files.get(name);
    const type = CONTENT_TYPES[extname(name)];
    return body === undefined || type === undefined || name.endsWith('.html')
      ? undefined
      : { status: 200, headers: { 'content-type': type, 'cache-control': 'max-age=3600' }, body };
  }

  private fill(name: string, values: Readonly<Record<string, string>>): string {
    const template = this.files.get(name);
    if (template === undefined) {
      throw new Error(`The sandbox's page ${name} is missing.`);
    }
    return template.replace(/\{\{(\w+)\}\}/g, (_, key: string) => escapeHtml(values[key] ?? ''));
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
