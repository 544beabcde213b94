import { describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { findings, keepPicture } from '../support/browser/appearance.js';
import { inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const dashboard = useDashboard();

/** A caller that sends its whole history with each question, as agents do. */
class Caller {
  private readonly history: object[] = [];

  /** @returns the id of the request */
  async ask(content: string, said: string): Promise<string> {
    this.history.push({ role: 'user', content });
    dashboard.stub.answerNextWith(answer({ pieces: [said] }));
    const { headers } = await dashboard.gateway.complete({ model: 'svc-max', messages: this.history });
    this.history.push({ role: 'assistant', content: said });
    return headers.get('x-request-id') ?? '';
  }

  /** Asks what the upstream refuses. @returns the id of the request */
  async fail(content: string): Promise<string> {
    dashboard.stub.answerNextWith(failed(400));
    const messages = [...this.history, { role: 'user', content }];
    const { headers } = await dashboard.gateway.complete({ model: 'svc-max', messages });
    return headers.get('x-request-id') ?? '';
  }
}

const entry = (id: string): string => `[data-entry="${id}"]`;

function heightOf(page: Page, id: string): Promise<number> {
  return inPage(page, `document.querySelector('${entry(id)}').offsetHeight`);
}

/** Ids of the rows in sight, from the top. */
async function seeRows(page: Page, ids: readonly string[]): Promise<void> {
  await eventually(PATIENCE_MS, async () =>
    expect(
      await inPage(
        page,
        `[...document.querySelectorAll('#list li:not([hidden]) .entry')].map(({ dataset }) => dataset.entry)`,
      ),
    ).toEqual(ids),
  );
}

describe('turns of one conversation', () => {
  it('stand below the newest, folded, and take new ones in', async () => {
    const [one, other] = [new Caller(), new Caller()];
    const first = await one.ask('Hi', 'Hello.');
    const alone = await other.ask('Hi', 'Good day.');
    const second = await one.ask('And?', 'So.');
    const page = await dashboard.open('/logs', { width: 1440 });
    await seeRows(page, [second, alone]);
    await seeText(page, '#summary', '2 requests shown, 1 earlier turn folded');
    // Its button says so.
    expect(await textOf(page, `${entry(second)} .flags`)).toBe('');

    const third = await one.ask('Is that all?', 'Yes.');
    await seeRows(page, [third, alone]);
    await press(page, '#list', '2 earlier turns');
    await seeRows(page, [third, second, first, alone]);
    await seeText(page, '#summary', '4 requests shown');
    expect(await textOf(page, `${entry(second)} .flags`)).toContain('turn 2');
    // Flags take no line of their own.
    expect(await heightOf(page, second)).toBeLessThan((await heightOf(page, first)) + 10);
    await keepPicture(page, 'logs-turns-light');
    expect(await findings(page)).toEqual([]);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await keepPicture(page, 'logs-turns-dark');
    await page.setViewport({ width: 390, height: 844 });
    await keepPicture(page, 'logs-turns-narrow');
    expect(await inPage(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await press(page, '#list', '2 earlier turns');
    await seeRows(page, [third, alone]);
  });

  it('show failures that are folded, and hide none that are looked for', async () => {
    const caller = new Caller();
    await caller.ask('Hi', 'Hello.');
    const refused = await caller.fail('And?');
    const third = await caller.ask('And?', 'So.');
    const page = await dashboard.open('/logs', { width: 1440 });
    await seeText(page, `li:has(${entry(third)}) .turns`, '2 earlier turns, 1 failed');
    await keepPicture(page, 'logs-turns-failed');
    expect(await findings(page)).toEqual([]);
    const found = await dashboard.open('/logs?status=failed', { width: 1440 });
    await seeRows(found, [refused]);
  });

  it('are named in each of them, and lead to one another', async () => {
    const caller = new Caller();
    const first = await caller.ask('Where is it?', 'There.');
    const second = await caller.ask('Where exactly?', 'Here.');
    const page = await dashboard.open(`/logs?id=${second}`, { width: 1440 });
    await seeText(page, '.other-turns', 'TURN 2 OF THIS CONVERSATION');
    await seeText(page, '.other-turns', 'turn 1 Where is it?');
    await keepPicture(page, 'entry-turns-light');
    const third = await caller.ask('And now?', 'Gone.');
    await seeText(page, '.other-turns', 'turn 3 And now?');
    await Promise.all([page.waitForNavigation(), press(page, '.other-turns', 'turn 1')]);
    await seeText(page, '#pinned .other-turns', 'TURN 1 OF THIS CONVERSATION');
    await seeText(page, '#pinned .other-turns', 'turn 2 Where exactly?');
    await seeText(page, '#pinned .other-turns', 'turn 1, this one');
    await Promise.all([page.waitForNavigation(), press(page, '.other-turns', 'Show all turns')]);
    await seeRows(page, [third, second, first]);
    expect(await page.$('#more-filters[open] [name="conversation"]')).not.toBeNull();
    await press(page, '#filters', 'Reset');
    await seeText(page, '#list', 'earlier turn');
  });
});

describe('results of tools', () => {
  it('are one line each, which unfolds', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };
    const { headers } = await dashboard.gateway.complete({
      model: 'svc-max',
      messages: [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'First line\n' + 'and more\n'.repeat(30) },
      ],
    });
    const page = await dashboard.open(`/logs?id=${headers.get('x-request-id')}`);
    await seeText(page, '#pinned .role-tool', 'tool answers call_1 · 281 characters · First line');
    expect(await textOf(page, '#pinned .role-tool')).not.toMatch(/and more.*and more.*and more.*and more/);
    expect(await inPage(page, `document.querySelector('#pinned .role-tool').offsetHeight`)).toBeLessThan(50);
    await press(page, '#pinned .role-tool', 'tool');
    await seeText(page, '#pinned .role-tool pre', 'and more and more and more and more');
  });
});
