import { afterEach, describe, expect, it } from '@jest/globals';
import { chatPage, OddSite } from '../../support/upstream/odd-site.js';
import { ask } from '../../support/upstream/web-site.js';

describe('WebDriver, logins that a site keeps in the tab', () => {
  let site: OddSite;
  afterEach(() => site.close());

  const logins = (): number => site.paths.filter((path) => path === '/enter').length;

  const recipe = {
    login: { steps: [{ action: 'click', selector: 'form button' }], success: { selector: '#prompt' } },
    signs: { loginWall: { page: [{ selector: 'form' }] } },
  };

  /** @param inChat what the page of the chat does besides */
  async function start(inChat = ''): Promise<void> {
    const chat = chatPage('send.onclick = () => post(take());');
    site = await OddSite.start({
      routes: {
        '/': `<script>
          if (sessionStorage.getItem('token')) {
            document.write(${JSON.stringify(chat).replaceAll('</', '<\\/')});
            ${inChat}
          } else {
            document.write('<form action="/enter"><button>Log in</button></form>');
          }
        </script>`,
        '/enter': `<script>sessionStorage.setItem('token', 'secret'); location.replace('/');</script>`,
      },
      recipe,
    });
  }

  it('are made once for all pages, and for another browser', async () => {
    await start();
    const sessions = await Promise.all([site.open(), site.open(), site.open()]);
    for (const session of sessions) {
      expect(await ask(session, 'Hi')).toMatchObject({ text: 'Hello.', error: undefined });
      expect(await ask(session, 'Hi')).toMatchObject({ text: 'Hello.', error: undefined });
    }
    expect(sessions.map(({ isUsable }) => isUsable)).toEqual([true, true, true]);
    await Promise.all(sessions.map((session) => session.close()));
    await (await site.open(site.startDriver())).close();
    expect(logins()).toBe(1);
  });

  it('are kept as they were right after the login, not as a page leaves them', async () => {
    await start(`sessionStorage.setItem('loads', Number(sessionStorage.getItem('loads')) + 1);`);
    await (await site.open()).close();
    const { state } = site;
    await (await site.open()).close();
    await site.driver.forget('alice');
    expect(state).toMatch(/"token":"secret"/);
    expect(site.state).toBe(state);
    expect(logins()).toBe(1);
  });

  it('fail at once where the site keeps them nowhere', async () => {
    site = await OddSite.start({
      routes: {
        '/': `<form><button>Log in</button></form><script>
          document.querySelector('form').onsubmit = (event) => {
            event.preventDefault();
            document.body.innerHTML = '<textarea id="prompt"></textarea>';
            fetch('/enter');
          };
        </script>`,
        '/enter': '',
      },
      recipe,
    });
    await expect(site.open()).rejects.toMatchObject({ fault: 'login_failed' });
    expect(logins()).toBe(1);
  });
});
