import { describe, expect, it, jest } from '@jest/globals';
import { REQUEST } from '../../../../test/support/gateway/accounts-rig.js';
import { outcomesOf, settle, useDispatchRig } from '../../../../test/support/gateway/dispatch-rig.js';
import { LoginRequiredError, UnavailableError } from '../../../upstream/upstream.errors.js';
import { type UpstreamRequest } from '../../../upstream/upstream-driver.js';
import { UpstreamDownError } from '../../accounts.errors.js';

const start = useDispatchRig();

/** What an API says of a key that it does not accept, or of a prompt. */
const FORBIDDEN = new LoginRequiredError('login_wall', 'Forbidden.', { isOfConversation: true });
/** What a site shows to whoever is not logged in. */
const LOGGED_OUT = new LoginRequiredError('login_wall', 'Logged out.');

/** A request of the conversation that begins so, after some turns of it. */
function conversation(beginning: string, turns = 0): UpstreamRequest {
  const later = Array.from({ length: turns }, (_, turn) => [
    { role: 'assistant', content: `answer ${turn}` },
    { role: 'user', content: `question ${turn}` },
  ]);
  const messages = [
    { role: 'system', content: `It is ${turns} o'clock.` },
    { role: 'user', content: beginning },
    ...later.flat(),
  ];
  return { ...REQUEST, prompt: { messages, text: '' } };
}

describe('UpstreamDispatcher, a conversation that the upstream forbids every account', () => {
  it('takes no account out, however often it is tried and goes on', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) => prompt.fail(FORBIDDEN);
    for (let turns = 0; turns < 5; turns++) {
      const call = rig.call(conversation('bad', turns));
      await settle();
      expect(call.outcome).toMatchObject({ reason: 'login_lost' });
    }
    driver.onPrompt = (prompt) => prompt.answer('hi');
    const other = rig.call(conversation('good'));
    await settle();
    expect(outcomesOf(other)).toEqual([expect.stringMatching(/^[ab] ok$/)]);
  });

  it('is one of three that take an account out', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = (prompt) => prompt.fail(FORBIDDEN);
    const states: string[] = [];
    for (const beginning of ['one', 'one', 'another', 'a third']) {
      rig.call(conversation(beginning));
      await settle();
      states.push(rig.account('a').stateAt(rig.clock.monotonic()));
    }
    expect(states).toEqual(['ready', 'ready', 'ready', 'login_required']);
  });

  it('loses a login of a site with each request', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = (prompt) => prompt.fail(LOGGED_OUT);
    for (let turns = 0; turns < 3; turns++) {
      rig.call(conversation('bad', turns));
      await settle();
    }
    expect(rig.account('a').stateAt(rig.clock.monotonic())).toBe('login_required');
  });
});

describe('UpstreamDispatcher, a conversation at which the upstream fails each time', () => {
  it('is refused alone after five failures, until one of others fails as well', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 5, PROVIDER: 'openai' });
    const fails = new Set(['bad']);
    driver.onPrompt = (prompt) => {
      const { content } = prompt.request.prompt.messages[1] as { content: string };
      if (fails.has(content)) {
        prompt.fail(new UnavailableError('upstream_status_500', 'boom'));
      } else {
        prompt.answer('hi');
      }
    };
    const outcomeOf = async (beginning: string): Promise<unknown> => {
      const call = rig.call(conversation(beginning));
      await jest.advanceTimersByTimeAsync(60_000);
      return call.outcome;
    };
    const failing = rig.call(conversation('bad'));
    await jest.advanceTimersByTimeAsync(15_000);
    expect(failing.outcome).toMatchObject({ reason: 'upstream_error' });
    const refused = rig.call(conversation('bad', 1));
    await settle();
    expect(refused.outcome).toBeInstanceOf(UpstreamDownError);
    expect(String(refused.outcome)).toContain('keeps failing at this conversation, so it is refused for');
    expect(await outcomeOf('good')).toBe('completed');
    expect(await outcomeOf('bad')).toMatchObject({ reason: 'upstream_error' });
  });

  it('is told so also while another model fails at everybody', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 1, PROVIDER: 'openai' });
    driver.onPrompt = (prompt) => prompt.fail(new UnavailableError('upstream_status_500', 'boom'));
    const refusal = async (beginning: string, model: string): Promise<string> => {
      const call = rig.call({ ...conversation(beginning), model });
      await settle();
      return String(call.outcome);
    };
    for (let time = 0; time < 5; time++) {
      await refusal(`one of ${time}`, 'm');
      await refusal('bad', 'n');
    }
    expect(await refusal('bad', 'n')).toContain('keeps failing at this conversation, so it is refused for');
    expect(await refusal('good', 'm')).toContain('keeps failing, so requests are refused for');
  });
});
