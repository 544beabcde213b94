import { lastUserMessage } from '../model/sandbox-prompt.js';
import { parseMarkers } from '../model/sandbox-script.js';
import { type PromptRecord } from '../state/sandbox-records.js';
import { type SandboxSession } from '../state/sandbox-sessions.js';
import { type SandboxSwitches } from '../state/sandbox-switches.js';
import { type ChatPrompt, type ExchangeParts, SandboxExchange } from './sandbox-exchange.js';

/** Running exchanges: begins each with the switches and markers that apply to it, and ends them from outside. */
export class SandboxExchanges {
  private readonly open = new Set<SandboxExchange>();

  constructor(
    private readonly parts: ExchangeParts,
    private readonly switches: SandboxSwitches,
  ) {}

  accept(
    prompt: ChatPrompt,
    session: SandboxSession,
    transport: PromptRecord['transport'],
    headers: NodeJS.Dict<string | string[]>,
  ): SandboxExchange {
    const { account, id: sessionId } = session;
    const { conversationId, messageId, model, thinking } = prompt;
    const script = { ...this.switches.take(account), ...parseMarkers(lastUserMessage(prompt.prompt)) };
    const record = this.parts.records.begin(
      { account, sessionId, conversationId, messageId, model, thinking, transport },
      prompt.prompt,
      headers,
    );
    const exchange = new SandboxExchange(this.parts, prompt, script, session, record, (ended) =>
      this.open.delete(ended),
    );
    this.open.add(exchange);
    return exchange;
  }

  /**
   * Ends the account's answers to a message or in a conversation. Until its first event has come in, a page knows only
   * the id of the message.
   */
  stop(account: string, ids: { readonly conversation_id?: unknown; readonly message_id?: unknown }): void {
    for (const exchange of this.open) {
      const { record } = exchange;
      const isMeant = record.conversationId === ids.conversation_id || record.messageId === ids.message_id;
      if (record.account === account && isMeant) {
        exchange.cancel('stopped');
      }
    }
  }

  close(): void {
    for (const exchange of this.open) {
      exchange.cancel('shutdown');
    }
  }
}
