import { assistantMessage, UserTurn } from '../../chat/dto/calls/turns.js';
import { carriedText } from '../../chat/dto/carried-text.js';
import { type TakesMedia, TEXT_ONLY, toContent } from '../../chat/dto/media/media-parts.js';
import { withMediaBehindResults } from '../../chat/dto/media/shown-media.js';
import { requireLength } from '../../chat/dto/messages.validator.js';
import { BEFORE_SUMMARY } from '../../chat/dto/summary.js';
import { failedContent, toCall } from '../../chat/dto/tool-parts.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type ChatMessage, type ToolCall } from '../../chat/interfaces/chat-message.js';
import { mediaRefusedAt, type UserMessages } from '../../chat/interfaces/own-message.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { blockPieces, blocksText, type ContentBlock, contentBlocks, textField } from './content-blocks.js';
import { setsEffort } from './effort-changes.js';
import { isSummary, isToolChange } from './tool-changes.js';

/**
 * First words of a block in which one agent tells the provider of itself. It is no text for a model, and differs with
 * each request, so that no prompt cache would hit.
 */
const BILLING_BLOCK = 'x-anthropic-billing-header:';

/** State while a conversation is read. */
interface Reading {
  readonly found: ChatMessage[];
  /** How many of them are the system prompt. */
  readonly promptLength: number;
  readonly takes: TakesMedia;
}

/**
 * Checks `system` and `messages` and turns them into the messages of the internal request, in one pass. The results of
 * tools become messages of their own. Images go on to an upstream that takes them, those of results behind these. For
 * any other one, an image in an older message, in a tool's result or beside it is replaced by a note, since a session that
 * has one must be able to go on; in the newest message of the user it is refused.
 * @throws InvalidRequestError whose `param` names the field, e.g. `messages[3].content[0].tool_use_id`
 */
export function toConversation(
  system: unknown,
  messages: unknown,
  takes: TakesMedia = TEXT_ONLY,
): readonly ChatMessage[] {
  if (!Array.isArray(messages)) {
    throw invalidField('messages', isAbsent(messages) ? 'is required' : 'must be an array');
  }
  requireLength(messages, 'messages');
  const found: ChatMessage[] = [];
  addSystem(found, system, 'system');
  const reading: Reading = { found, promptLength: found.length, takes };
  const refusedAt = mediaRefusedAt(messages, USER_MESSAGES);
  const lastOfUser = messages.findLastIndex(USER_MESSAGES.isOfUser);
  messages.forEach((message: unknown, index) => {
    const param = `messages[${index}]`;
    if (!isJsonObject(message)) {
      throw invalidField(param, 'must be an object');
    }
    if (isAbsent(message.content) && !setsEffort(message)) {
      throw invalidField(`${param}.content`, 'is required');
    }
    if (index < lastOfUser && isForOneTurn(message)) {
      return;
    }
    addMessage(reading, message, `${param}.content`, index === refusedAt);
  });
  if (found.length === reading.promptLength) {
    throw invalidField('messages', 'must hold more than changes of tools');
  }
  return withMediaBehindResults(found);
}

/** Here results are blocks of a message of the user. */
const USER_MESSAGES: UserMessages<unknown> = {
  isOfUser: (message) => isJsonObject(message) && message.role === 'user',
  hasResults: (messages, index) => {
    const { content } = messages[index] as JsonObject;
    return (
      Array.isArray(content) &&
      content.some((block: unknown) => isJsonObject(block) && block.type === 'tool_result')
    );
  },
};

/** Whether the model sees a message of the system only until the user's next one. */
function isForOneTurn({ role, clear_at: clearAt }: JsonObject): boolean {
  return role === 'system' && clearAt === 'next_user_message';
}

function addMessage(reading: Reading, message: JsonObject, param: string, refusesMedia: boolean): void {
  switch (message.role) {
    case 'user':
      addUser(reading, contentBlocks(message.content, param), param, refusesMedia);
      break;
    case 'assistant':
      addAssistant(reading, contentBlocks(message.content, param), param);
      break;
    case 'system':
      addSystem(reading.found, message.content, param);
      break;
    default:
      throw invalidField(param.replace(/content$/, 'role'), 'must be one of user, assistant, system');
  }
}

function addSystem(found: ChatMessage[], content: unknown, param: string): void {
  const blocks = contentBlocks(content, param).filter(
    (block) =>
      !isToolChange(block) && !(typeof block.text === 'string' && block.text.startsWith(BILLING_BLOCK)),
  );
  const text = blocksText(blocks, param, true);
  if (text !== '') {
    found.push({ role: 'system', content: text });
  }
}

function addUser(
  { found, takes }: Reading,
  blocks: readonly ContentBlock[],
  param: string,
  refusesMedia: boolean,
): void {
  if (blocks.length === 0) {
    throw invalidField(param, 'must hold at least one block');
  }
  const turn = new UserTurn();
  blocks.forEach((block, at) => {
    const path = `${param}[${at}]`;
    if (block.type === 'tool_result') {
      turn.addResult(toToolMessage(block, path, takes));
    } else if (!isToolChange(block)) {
      turn.say(blockPieces(block, { param: path, refusesMedia, takes }));
    }
  });
  turn.messages().forEach((message) => found.push(message));
}

function toToolMessage(block: ContentBlock, param: string, takes: TakesMedia): ChatMessage {
  const id = textField(block, 'tool_use_id', param);
  if (id === '') {
    throw invalidField(`${param}.tool_use_id`, 'must not be empty');
  }
  if (!isAbsent(block.is_error) && typeof block.is_error !== 'boolean') {
    throw invalidField(`${param}.is_error`, 'must be a boolean value');
  }
  const path = `${param}.content`;
  const pieces = contentBlocks(block.content, path).flatMap((inner, at) =>
    blockPieces(inner, { param: `${path}[${at}]`, refusesMedia: false, takes }),
  );
  const content = toContent(pieces.filter((piece) => piece !== ''));
  return { role: 'tool', tool_call_id: id, content: block.is_error ? failedContent(content) : content };
}

/** Blocks that a provider made for itself, such as those of tools that it ran, mean nothing to another model. */
function addAssistant(reading: Reading, blocks: readonly ContentBlock[], param: string): void {
  const { found } = reading;
  const summary = blocks.findLastIndex(isSummary);
  if (summary >= 0) {
    startFromSummary(reading, blocks[summary]!.content as string);
    if (summary === blocks.length - 1) {
      return;
    }
  }
  let text = '';
  let reasoning = '';
  const calls: ToolCall[] = [];
  blocks.forEach((block, at) => {
    if (at < summary) {
      return;
    }
    const path = `${param}[${at}]`;
    switch (block.type) {
      case 'text':
        text += textField(block, 'text', path);
        break;
      case 'thinking':
        // One that was not shown is in its signature.
        reasoning += textField(block, 'thinking', path) || carriedText(block.signature);
        break;
      case 'tool_use':
        calls.push(toCall(block, path));
        break;
    }
  });
  found.push(assistantMessage(text, reasoning, calls));
}

/**
 * A summary takes the place of all before it but the system prompt, whether or not that was sent along. It is said by the
 * user, with whom conversations begin.
 */
function startFromSummary({ found, promptLength }: Reading, summary: string): void {
  found.length = promptLength;
  found.push({ role: 'user', content: `${BEFORE_SUMMARY}${summary}` });
}
