/** Around what some agents tell the model in messages of the user, without a word of the user. */
const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';

/**
 * Index of the newest message that the user wrote, -1 without one. One right behind the results of tools counts as a part
 * of these: agents show there what a tool has shown them, and remind the model of something. Where there is no other, the
 * newest such message is the user's.
 * @param messages maybe not checked yet
 */
export function newestOwnMessage(messages: readonly unknown[]): number {
  const own = messages.findLastIndex(
    (message, index) => isOfUser(message) && !isShownWithResults(messages, index),
  );
  return own < 0 ? messages.findLastIndex(isOfUser) : own;
}

/** Whether that is such a message right behind results. */
export function isShownWithResults(messages: readonly unknown[], index: number): boolean {
  return isOfUser(messages[index]) && roleOf(messages[index - 1]) === 'tool';
}

/** A text of the user without what the agent says in it. */
export function withoutReminders(text: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(REMINDER, at);
    const end = start < 0 ? -1 : text.indexOf(REMINDER_END, start);
    if (end < 0) {
      return rest + text.slice(at);
    }
    rest += text.slice(at, start);
    at = end + REMINDER_END.length;
  }
}

/** How a format tells the messages of the user, and those among them that come with the results of tools. */
export interface UserMessages<T> {
  readonly isOfUser: (message: T) => boolean;
  readonly hasResults: (messages: readonly T[], index: number) => boolean;
}

const OF_CHAT: UserMessages<unknown> = { isOfUser, hasResults: isShownWithResults };

/**
 * Index of the message whose pictures and files are refused where the upstream cannot take them, since its answer would be
 * about nothing: the newest of the user. In all others a note takes their place. Undefined where the newest comes with the
 * results of tools, whether or not the user wrote it: an interrupted session must go on.
 */
export function mediaRefusedAt<T>(
  messages: readonly T[],
  { isOfUser, hasResults }: UserMessages<T> = OF_CHAT,
): number | undefined {
  const newest = messages.findLastIndex(isOfUser);
  return newest < 0 || hasResults(messages, newest) ? undefined : newest;
}

function isOfUser(message: unknown): boolean {
  return roleOf(message) === 'user';
}

function roleOf(message: unknown): unknown {
  return (message as { readonly role?: unknown } | null | undefined)?.role;
}
