/** Part of a settings file that the test changes; the rest stays as SillyTavern made it. */
interface UserSettings {
  firstRun: boolean;
  main_api: string;
  power_user: Record<string, unknown>;
  oai_settings: Record<string, unknown> & { prompts: { identifier: string; content?: string }[] };
}

export interface TavernUser {
  readonly handle: string;
  readonly password: string;
  /** Key that SillyTavern sends to the model server for this user. */
  readonly modelKey: string;
}

/** One browser-less visitor of a SillyTavern server: does by HTTP what its operator would do by hand, once. */
export class SillyTavernClient {
  private readonly cookies = new Map<string, string>();
  private token = '';

  constructor(private readonly origin: string) {}

  async logIn(handle: string, password = ''): Promise<void> {
    const response = await this.send('/csrf-token');
    this.token = ((await response.json()) as { token: string }).token;
    await this.post('/api/users/login', { handle, password });
  }

  /** For an administrator. */
  async createUser({ handle, password }: TavernUser): Promise<void> {
    await this.post('/api/users/create', { handle, name: handle, password });
  }

  /** Connects the logged-in user to a model server, with nothing put around the prompt (see `sillytavern.md`). */
  async connect(modelUrl: string, modelKey: string): Promise<void> {
    await this.post('/api/secrets/write', { key: 'api_key_custom', value: modelKey });
    const answer = (await (await this.post('/api/settings/get', {})).json()) as { settings: string };
    const settings = JSON.parse(answer.settings) as UserSettings;
    settings.firstRun = false;
    settings.main_api = 'openai';
    settings.power_user.auto_connect = true;
    Object.assign(settings.oai_settings, {
      chat_completion_source: 'custom',
      custom_url: modelUrl,
      custom_model: 'svc-max',
      custom_include_body: 'stream_options:\n  include_usage: true',
      stream_openai: true,
      show_thoughts: true,
      max_context_unlocked: true,
      openai_max_context: 2_000_000,
      openai_max_tokens: 65_536,
      new_chat_prompt: '',
    });
    for (const prompt of settings.oai_settings.prompts) {
      if (prompt.content !== undefined) {
        prompt.content = '';
      }
    }
    await this.post('/api/settings/save', settings);
  }

  /** Its own streaming request, to compare with. */
  generate(modelUrl: string, content: string): Promise<Response> {
    return this.post('/api/backends/chat-completions/generate', {
      chat_completion_source: 'custom',
      custom_url: modelUrl,
      model: 'svc-max',
      stream: true,
      messages: [{ role: 'user', content }],
    });
  }

  private async post(path: string, body: object): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': this.token },
      body: JSON.stringify(body),
    });
  }

  private async send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.origin + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), cookie },
      signal: AbortSignal.timeout(30_000),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    if (!response.ok) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    return response;
  }
}
