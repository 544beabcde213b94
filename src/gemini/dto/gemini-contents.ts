import { OpenCalls } from '../../chat/dto/calls/open-calls.js';
import { assistantMessage, UserTurn } from '../../chat/dto/calls/turns.js';
import { carriedText } from '../../chat/dto/carried-text.js';
import { type MediaPlace, type TakesMedia, TEXT_ONLY, toContent } from '../../chat/dto/media/media-parts.js';
import { withMediaBehindResults } from '../../chat/dto/media/shown-media.js';
import { requireLength } from '../../chat/dto/messages.validator.js';
import { failedContent, requireName } from '../../chat/dto/tool-parts.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import {
  type ChatMessage,
  contentParts,
  type MediaPart,
  type MessageContent,
  type ToolCall,
} from '../../chat/interfaces/chat-message.js';
import { mediaRefusedAt, type UserMessages } from '../../chat/interfaces/own-message.js';
import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { inlinePiece } from './inline-data.js';
import { elementsOf, membersOf } from './wire-objects.js';

interface Part {
  readonly members: JsonObject;
  readonly param: string;
}

/** What one side said. */
interface Turn {
  readonly isModel: boolean;
  readonly parts: Part[];
  /** Name of the parts. */
  readonly param: string;
}

/** Members that say something of what a part holds. */
const ASIDES = new Set(['thought', 'thoughtSignature', 'partMetadata', 'videoMetadata', 'mediaResolution']);

/**
 * Checks `systemInstruction` and `contents` and turns them into the messages of the internal request. The results of
 * functions become messages of their own; clients need not send ids of calls. Of pictures and files see `toConversation`.
 * @throws InvalidRequestError whose `param` names the field, e.g. `contents[3].parts[0].functionCall.name`
 */
export function fromContents(
  system: unknown,
  contents: unknown,
  takes: TakesMedia = TEXT_ONLY,
): readonly ChatMessage[] {
  const given = elementsOf(contents);
  requireLength(given, 'contents');
  const turns = readTurns(given);
  const refusedAt = mediaRefusedAt(turns, USER_TURNS);
  const calls = new OpenCalls<string>();
  const messages = turns.flatMap((turn, index) =>
    turn.isModel
      ? [saidByModel(turn, calls)]
      : saidByUser(turn, calls, { takes, refusesMedia: index === refusedAt }),
  );
  return withMediaBehindResults([...systemMessages(system), ...messages]);
}

/** Here results are parts of a content of the user. */
const USER_TURNS: UserMessages<Turn> = {
  isOfUser: ({ isModel }) => !isModel,
  hasResults: (turns, index) =>
    turns[index]?.parts.some(({ members }) => !isAbsent(members.functionResponse)) ?? false,
};

/** The library gives each chunk of a streamed answer back as a content of its own: together they are what the model said. */
function readTurns(contents: readonly unknown[]): readonly Turn[] {
  const turns: Turn[] = [];
  contents.forEach((content, index) => {
    const turn = readTurn(content, `contents[${index}]`);
    const last = turns.at(-1);
    if (turn.isModel && last?.isModel) {
      turn.parts.forEach((part) => last.parts.push(part));
    } else {
      turns.push(turn);
    }
  });
  return turns;
}

/** The last two have the results of functions. */
const ROLES = new Set<unknown>(['user', 'model', 'function', 'tool']);

function readTurn(content: unknown, param: string): Turn {
  const { role, parts } = membersOf(content, param);
  if (!isAbsent(role) && !ROLES.has(role)) {
    throw invalidField(`${param}.role`, 'must be user or model');
  }
  return { isModel: role === 'model', parts: readParts(parts, `${param}.parts`), param: `${param}.parts` };
}

function readParts(parts: unknown, param: string): Part[] {
  return elementsOf(parts).map((part, at) => {
    const path = `${param}[${at}]`;
    return { members: membersOf(part, path), param: path };
  });
}

function systemMessages(system: unknown): readonly ChatMessage[] {
  const param = 'systemInstruction';
  const given = typeof system === 'string' ? { parts: { text: system } } : membersOf(system, param);
  const place = { takes: TEXT_ONLY, refusesMedia: true };
  // Some send a part alone.
  const pieces = readParts(given.parts ?? system, `${param}.parts`).flatMap((part) => pieceOf(part, place));
  const content = toContent(pieces);
  return content === '' ? [] : [{ role: 'system', content }];
}

function saidByModel({ parts }: Turn, calls: OpenCalls<string>): ChatMessage {
  let text = '';
  let reasoning = '';
  let carried = '';
  const made: ToolCall[] = [];
  for (const part of parts) {
    const { functionCall, thought, thoughtSignature } = part.members;
    carried += carriedText(thoughtSignature);
    if (!isAbsent(functionCall)) {
      made.push(toToolCall(functionCall, `${part.param}.functionCall`, calls));
      continue;
    }
    const [piece = ''] = pieceOf(part, { takes: TEXT_ONLY, refusesMedia: false });
    const said = typeof piece === 'string' ? piece : '';
    if (thought === true) {
      reasoning += said;
    } else {
      text += said;
    }
  }
  // Thoughts that were not shown, or that the client leaves out, are in the signature of a call.
  return assistantMessage(text, reasoning || carried, made);
}

function saidByUser(
  { parts, param }: Turn,
  calls: OpenCalls<string>,
  place: Omit<MediaPlace, 'param'>,
): readonly ChatMessage[] {
  const turn = new UserTurn();
  for (const part of parts) {
    const { functionResponse: response } = part.members;
    if (isAbsent(response)) {
      turn.say(pieceOf(part, place));
    } else {
      turn.addResult(toToolMessage(response, `${part.param}.functionResponse`, calls, place.takes));
    }
  }
  const messages = turn.messages();
  if (messages.length === 0) {
    throw invalidField(param, 'must hold at least one part');
  }
  return joinedResults(messages);
}

/** The AI SDK sends each text of a result as a response of its own, under one id. */
function joinedResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const found = new Map<ChatMessage | string, { first: ChatMessage; contents: MessageContent[] }>();
  for (const message of messages) {
    const key = message.tool_call_id ?? message;
    getOrInsert(found, key, () => ({ first: message, contents: [] })).contents.push(message.content);
  }
  return Array.from(found.values(), ({ first, contents }) =>
    contents.length === 1 ? first : { ...first, content: joined(contents) },
  );
}

function joined(contents: readonly MessageContent[]): MessageContent {
  return contents.every((content) => typeof content === 'string')
    ? contents.join('\n\n')
    : contents.flatMap(contentParts);
}

/** The text or the data of a part; none if it holds neither. */
function pieceOf(
  { members, param }: Part,
  place: Omit<MediaPlace, 'param'>,
): readonly [] | readonly [string | MediaPart] {
  const { text, inlineData } = members;
  if (!isAbsent(text)) {
    if (typeof text !== 'string') {
      throw invalidField(`${param}.text`, 'must be a string');
    }
    return [text];
  }
  if (!isAbsent(inlineData)) {
    return [inlinePiece(inlineData, { ...place, param })];
  }
  const kind = Object.keys(members).find((name) => !ASIDES.has(name) && !isAbsent(members[name]));
  if (kind === undefined) {
    return [];
  }
  throw invalidField(
    param,
    kind === 'fileData'
      ? 'must have its data in inlineData: files of a provider are not known here'
      : 'must hold text, inlineData, the functionCall of a model, or a functionResponse to it',
  );
}

function toToolCall(value: unknown, param: string, calls: OpenCalls<string>): ToolCall {
  const { id, name, args } = membersOf(value, param);
  requireName(name, `${param}.name`);
  if (!isAbsent(args) && !isJsonObject(args)) {
    throw invalidField(`${param}.args`, 'must be an object');
  }
  const callId = calls.open(name, ownId(id, param));
  return { id: callId, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } };
}

function toToolMessage(
  value: unknown,
  param: string,
  calls: OpenCalls<string>,
  takes: TakesMedia,
): ChatMessage {
  const { id, name, response, parts } = membersOf(value, param);
  requireName(name, `${param}.name`);
  const shown = readParts(parts, `${param}.parts`).flatMap((part) =>
    pieceOf(part, { takes, refusesMedia: false }),
  );
  const { content, isError } = resultOf(name, response ?? {});
  const whole = toContent([content, ...shown]);
  const callId = calls.answer(name, ownId(id, param));
  return { role: 'tool', tool_call_id: callId, content: isError ? failedContent(whole) : whole };
}

/** Names under which a result stands alone: the API's own, and those of libraries, since it has to be an object. */
const OF_RESULTS = new Set(['output', 'result', 'content', 'return_value', 'error']);

/**
 * A result alone, be it beside the name of its function; any other response is the result as a whole. Some clients send
 * lists, too.
 */
function resultOf(name: string, response: unknown): { readonly content: string; readonly isError: boolean } {
  const members = isJsonObject(response) ? Object.entries(response) : [];
  const [[key, value] = ['', undefined], ...others] = members.filter(
    ([member, text]) => member !== 'name' || text !== name,
  );
  const isAlone = others.length === 0 && OF_RESULTS.has(key);
  const result = isAlone ? value : response;
  return {
    content: typeof result === 'string' ? result : JSON.stringify(result),
    isError: isAlone && key === 'error',
  };
}

/** The id that a client gave; an empty one is none. */
function ownId(id: unknown, param: string): string | undefined {
  if (!isAbsent(id) && typeof id !== 'string') {
    throw invalidField(`${param}.id`, 'must be a string');
  }
  return id || undefined;
}
