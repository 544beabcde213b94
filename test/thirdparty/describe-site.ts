import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserMemory } from './browser-memory.js';
import { type DrivableSite, DrivenSite, SITE_USERS, type SiteAnswer } from './driven-site.js';
import { HARD_TEXT } from './hard-text.js';
import { imagesOf, PacedModel } from './paced-model.js';
import { type SiteProcess } from './site-process.js';

const INSTALL_LIMIT_MS = 20 * 60_000;
const LONG_LIMIT_MS = 5 * 60_000;
const ODD_LINE = '/set {{user}} <b>"quoted"</b> & \\n \t naïve 漢字 🙂\n\n';
const PARALLEL = 12;

export interface SiteUnderTest extends DrivableSite {
  /** Starts the stopped site so that it knows no login any more. */
  readonly runWithoutLogins: (site: SiteProcess) => Promise<void>;
  readonly hasReasoning: boolean;
  readonly takesImages?: boolean;
  /** Changes of an answer within the site, before it writes it to its visitors. */
  readonly asWritten?: (text: string) => string;
}

/** Tests of each site that a shipped recipe drives, over the gateway and with the real browser. */
export function describeSite(title: string, under: SiteUnderTest): void {
  describe(`${title} behind the gateway`, () => {
    const { hasReasoning, asWritten = (text) => text } = under;
    let driven: DrivenSite;

    const expected = (prompt: string): SiteAnswer => {
      const { text, reasoning } = PacedModel.expected(prompt);
      return { text: asWritten(text), reasoning: hasReasoning ? reasoning : '', finish: 'stop' };
    };
    const longPrompt = (bytes: number): string =>
      `first line\n${ODD_LINE.repeat(Math.ceil(bytes / Buffer.byteLength(ODD_LINE)))}the end`;

    beforeAll(async () => {
      const before = performance.now();
      driven = await DrivenSite.start(under);
      print(`installed, started, and three accounts warm after ${since(before)} ms`);
    }, INSTALL_LIMIT_MS);

    afterAll(async () => {
      await driven?.close();
      expect((await browserMemory()).processes).toBe(0);
    }, 60_000);

    it('answers in one piece and as a stream, reasoning apart', async () => {
      const prompt = 'Hello?\n\n\tWhat is 1 < 2 && "3"? 👋';
      expect(await driven.complete(prompt)).toEqual(expected(prompt));
      let first: number | undefined;
      const before = performance.now();
      expect(await driven.stream(prompt, () => (first ??= performance.now()))).toEqual(expected(prompt));
      print(`first text after ${Math.round((first ?? NaN) - before)} ms, all after ${since(before)} ms`);
      const asked = driven.model.prompts.slice(-2).map(({ body }) => body.messages?.at(-1)?.content);
      expect(asked).toEqual([prompt, prompt]);
    });

    it('brings a hard text as the site writes it', async () => {
      const { text, finish } = await driven.stream(PacedModel.HARD);
      expect({ text, finish }).toEqual({ text: asWritten(HARD_TEXT), finish: 'stop' });
    });

    it.each([200_000, 1_000_000])(
      'passes on a prompt of %d bytes as it is',
      async (bytes) => {
        const prompt = longPrompt(bytes);
        const before = performance.now();
        expect(await driven.stream(prompt)).toEqual(expected(prompt));
        const sent = driven.model.prompts.at(-1);
        expect(sent?.body.messages?.at(-1)?.content).toBe(prompt);
        print(`${bytes} bytes at the model after ${Math.round((sent?.receivedAt ?? NaN) - before)} ms`);
      },
      LONG_LIMIT_MS,
    );

    if (under.takesImages) {
      it('attaches images', async () => {
        const urls = ['image/png;base64,AAAA', 'image/webp;base64,BBBB'].map((data) => `data:${data}`);
        const images = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
        const prompt = 'Which is larger?\n\n[image 1]\n\n[image 2]';
        const asked = await driven.complete([{ type: 'text', text: 'Which is larger?' }, ...images]);
        expect(asked).toEqual(expected(prompt));
        expect(imagesOf(driven.model.prompts.at(-1)!)).toEqual(urls);
      });
    }

    it('stops the model when the caller leaves, and answers the next one', async () => {
      const caller = new AbortController();
      let left = 0;
      const leave = (): void => {
        left ||= performance.now();
        caller.abort();
      };
      await driven.stream(PacedModel.ENDLESS, leave, caller.signal).catch(() => undefined);
      const request = driven.model.prompts.findLast(({ body }) =>
        body.messages?.at(-1)?.content.includes(PacedModel.ENDLESS),
      );
      await driven.until(() => request?.abortedAt !== undefined && driven.stats.leases === 0, 60_000);
      print(
        `the model was stopped ${Math.round((request?.abortedAt ?? NaN) - left)} ms after the caller left`,
      );
      expect(await driven.stream('And now?')).toEqual(expected('And now?'));
    });

    it(
      `answers ${PARALLEL} callers at once over three accounts, none with another's answer`,
      async () => {
        const before = performance.now();
        const prompts = Array.from({ length: PARALLEL }, (_, index) => `Caller ${index} of many asks this.`);
        const from = driven.model.prompts.length;
        const answers = await Promise.all(prompts.map((prompt) => driven.stream(prompt)));
        expect(answers).toEqual(prompts.map(expected));
        const users = new Set(driven.model.prompts.slice(from).map(driven.model.userOf));
        expect(users).toEqual(new Set(SITE_USERS));
        print(`${PARALLEL} at once after ${since(before)} ms`);
      },
      LONG_LIMIT_MS,
    );

    it('reports a password that the site does not take', async () => {
      const { id } = await driven.commands.add(null, 'mallory', {
        user: driven.loginName('alice'),
        password: 'guessed',
      });
      await driven.until(() => driven.states.at(-1) === 'login_required');
      expect(driven.registry.get(id).loginFailure).toMatchObject({ fault: 'invalid_credentials' });
      await driven.commands.remove(null, id);
    });

    it('rests an account that the site limits, and takes another', async () => {
      const [limited = ''] = SITE_USERS;
      driven.model.limitedUsers.add(limited);
      while (driven.states[0] === 'ready') {
        expect(await driven.stream('Are you free?')).toEqual(expected('Are you free?'));
      }
      expect(driven.states).toEqual(['cooldown', 'ready', 'ready']);
      driven.model.limitedUsers.clear();
      await driven.commands.clearCooldown(null, driven.registry.list()[0]?.id ?? '');
    });

    it(
      'ends an answer whose site stops, and goes on once it is back',
      async () => {
        let ending: Promise<void> | undefined;
        const answer = driven.stream(PacedModel.ENDLESS, () => void (ending ??= driven.site.end('SIGKILL')));
        await expect(answer).rejects.toThrow();
        await ending;
        await driven.site.run();
        expect(await driven.stream('Are you back?')).toEqual(expected('Are you back?'));
      },
      LONG_LIMIT_MS,
    );

    it(
      'logs in anew where the site has forgotten its logins',
      async () => {
        await driven.site.end();
        await under.runWithoutLogins(driven.site);
        expect(await driven.stream('Who am I?')).toEqual(expected('Who am I?'));
        expect(driven.states).toEqual(['ready', 'ready', 'ready']);
      },
      LONG_LIMIT_MS,
    );
  });
}

function since(before: number): number {
  return Math.round(performance.now() - before);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
