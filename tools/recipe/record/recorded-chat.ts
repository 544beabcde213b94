import { type ActionReport } from './page/action-report.js';

/** A step in the form of a recipe file. */
export type DraftStep = Readonly<Record<string, unknown>> & { readonly action: string };

/** A recorded visit, from the login to the sent prompt. */
export interface RecordedChat {
  readonly login:
    { readonly url: string; readonly steps: readonly DraftStep[]; readonly password: string } | undefined;
  readonly dismiss: readonly string[];
  readonly newChat: { readonly url: string; readonly steps: readonly DraftStep[] };
  readonly input: string;
  /** Whether the input is an editor. */
  readonly isRich: boolean;
  readonly send: DraftStep;
  readonly modelSelect: string | undefined;
  /** Text of the prompt. */
  readonly prompt: string;
}

/**
 * Assigns recorded actions to the parts of a recipe. Undefined if no prompt was sent.
 * @param isPrompt whether a text went out as a prompt
 */
export function readActions(
  reports: readonly ActionReport[],
  isPrompt: (text: string) => boolean,
): RecordedChat | undefined {
  const actions = settled(reports);
  const at = actions.findLastIndex(
    ({ kind, field, value = '' }) => kind === 'input' && field !== 'password' && isPrompt(value),
  );
  const input = actions[at];
  if (!input) {
    return undefined;
  }
  const before = actions.slice(0, at);
  const loginEnd = endOfLogin(before);
  const sent = actions.slice(at + 1).find(({ kind }) => kind !== 'input');
  // A click on the send button before the prompt went out was a try that failed.
  const others = before
    .slice(loginEnd)
    .filter(
      ({ kind, selector }) => kind === 'click' && selector !== input.selector && selector !== sent?.selector,
    );
  return {
    login: readLogin(before.slice(0, loginEnd)),
    dismiss: others.filter(({ isInDialog }) => isInDialog).map(({ selector }) => selector),
    newChat: {
      url: input.url,
      steps: others
        .filter(({ isInDialog }) => !isInDialog)
        .map(({ selector }) => ({ action: 'click', selector, optional: true })),
    },
    input: input.selector,
    isRich: input.field === 'rich',
    send:
      sent?.kind === 'click'
        ? { action: 'click', selector: sent.selector }
        : { action: 'press', key: 'Enter', selector: input.selector },
    modelSelect: input.modelSelect,
    prompt: input.value ?? '',
  };
}

/** The actions without intermediate inputs of a field, and without Enter where the browser turned it into a click. */
function settled(reports: readonly ActionReport[]): ActionReport[] {
  return reports.filter((report, i) => {
    const next = reports[i + 1];
    const isTypedOn = report.kind === 'input' && next?.kind === 'input' && next.selector === report.selector;
    const isImplicitClick = report.kind === 'enter' && next?.kind === 'click' && next.url === report.url;
    return !isTypedOn && !isImplicitClick;
  });
}

/** Number of actions up to the one that sends the password; 0 if there is none. */
function endOfLogin(actions: readonly ActionReport[]): number {
  const password = actions.findLastIndex(({ field }) => field === 'password');
  if (password < 0) {
    return 0;
  }
  const rest = actions.slice(password + 1).findIndex(({ kind }) => kind !== 'input');
  return password + 1 + (rest < 0 ? 0 : rest + 1);
}

function readLogin(actions: readonly ActionReport[]): RecordedChat['login'] {
  const password = actions.findLastIndex(({ field }) => field === 'password');
  const user = actions.slice(0, Math.max(0, password)).findLastIndex(({ field }) => field === 'text');
  const first = actions[0];
  if (password < 0 || !first) {
    return undefined;
  }
  const fields = new Set(actions.flatMap(({ kind, selector }) => (kind === 'input' ? selector : [])));
  const steps = actions.flatMap((action, i): DraftStep[] => {
    const { kind, selector, value = '' } = action;
    switch (kind) {
      case 'input': {
        const name = i === password ? '{{account.password}}' : i === user ? '{{account.user}}' : value;
        return [{ action: 'fill', selector, value: name }];
      }
      case 'click':
        // A click into a field only focuses it.
        return fields.has(selector) ? [] : [{ action: 'click', selector }];
      case 'enter':
        return [{ action: 'press', key: 'Enter', selector }];
    }
  });
  return { url: first.url, steps, password: actions[password]?.selector ?? '' };
}
