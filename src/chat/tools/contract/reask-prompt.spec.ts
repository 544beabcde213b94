import { describe, expect, it } from '@jest/globals';
import { nativeReaskCorrection, reaskCorrection } from './reask-prompt.js';
import { type ToolOffer } from './tool-offer.js';

const offer: ToolOffer = { definitions: [], choice: 'auto', parallel: true };
const named: ToolOffer = {
  ...offer,
  choice: { type: 'function', function: { name: 'read' } },
  parallel: false,
};
const detail = 'The JSON has "x" where a value should stand.';

describe('reaskCorrection', () => {
  it('says what is wrong with a call and how a call is written', () => {
    expect(reaskCorrection({ kind: 'malformed', detail, raw: '<tool_call>{x' }, offer)).toEqual({
      instruction: `Your last message was not used, because its tool call cannot be read. ${detail}

Write the whole message again, with every call complete and exactly in this form, values raw and nothing escaped, and stop behind it:

<tool_call>
<function=NAME>
<parameter=KEY>value</parameter>
</function>
</tool_call>

Do not mention this correction.`,
      rejected: '<tool_call>{x',
    });
  });

  it('names the required tool', () => {
    const problem = { kind: 'missing', detail: 'The answer calls no tool, but it has to.', raw: '' } as const;
    const { instruction, rejected } = reaskCorrection(problem, named);
    expect(instruction).toMatch(
      /^Your last message was not used, because it does not call the tool read, which it must\.\n/,
    );
    expect(instruction).toContain('with one call complete');
    expect(rejected).toBeUndefined();
    expect(reaskCorrection(problem, { ...offer, choice: 'required' }).instruction).toContain(
      'does not call a tool, which',
    );
  });

  it('names a tool that there is not', () => {
    const unknown = { kind: 'unknown', detail: 'There is no tool named "x".', raw: '<tool_call>' } as const;
    expect(reaskCorrection(unknown, offer)).toMatchObject({
      instruction: expect.stringMatching(
        /^Your last message was not used\. There is no tool named "x"\.\n\nWrite the whole message again, with every call /,
      ),
      rejected: '<tool_call>',
    });
  });

  it('asks for a message in place of an empty one', () => {
    const empty = { kind: 'empty', detail: 'The answer has neither text nor a call.', raw: '' } as const;
    const { instruction, rejected } = reaskCorrection(empty, offer);
    expect(instruction).toMatch(
      /^Your last message was empty\.\n\nWrite it now: your answer in plain text, or else every call complete /,
    );
    expect(rejected).toBeUndefined();
    expect(nativeReaskCorrection(empty, offer)).toEqual({
      instruction:
        'Your last message was empty. Write it now, in text or as a call. Do not mention this correction.',
    });
  });

  it('shows the beginning and the end of a long answer', () => {
    const { rejected } = reaskCorrection({ kind: 'cut', detail, raw: `<${'x'.repeat(9998)}>` }, offer);
    expect(rejected).toMatch(/^<x{1999}\n\[… 7000 characters left out …\]\nx{999}>$/);
  });
});

describe('nativeReaskCorrection', () => {
  const missing = {
    kind: 'missing',
    detail: 'The answer calls no tool, but it has to.',
    raw: 'No.',
  } as const;

  it('asks for the demanded call and tells of no form', () => {
    expect(nativeReaskCorrection(missing, named)).toEqual({
      instruction: `Your last message was not used, because it does not call the tool read, which it must.

Write the whole message again, with one call of the tool read. Do not mention this correction.`,
      rejected: 'No.',
    });
    expect(nativeReaskCorrection(missing, { ...offer, choice: 'required' }).instruction).toContain(
      'with a call of one of your tools',
    );
  });

  it('asks for text where no call is allowed', () => {
    const forbidden = {
      kind: 'forbidden',
      detail: 'The answer calls a tool, but it must not.',
      raw: '',
    } as const;
    expect(nativeReaskCorrection(forbidden, { ...offer, choice: 'none' })).toEqual({
      instruction: `Your last message was not used, because it calls a tool, which it must not.

Write the whole message again, in plain text without any call. Do not mention this correction.`,
      rejected: undefined,
    });
  });
});
