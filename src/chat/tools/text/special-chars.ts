/**
 * Characters where text may turn into something else: markup, code, markers and lists, objects that begin a line, `>>>`
 * that begins a line or follows a call, the bracket in front of the tags of MiniMax M3, the flower of Qwen-Agent, and
 * `Action:` or `Tool:` that begins a line.
 */
const SPECIAL =
  /[<`~[✿]|\](?=<\]|<?$)|(?<![^\n])\{|(?<![^\s}])>(?=>>|>?$)|A(?=ction:|(?:c(?:t(?:i(?:on?)?)?)?)?$)(?<![^\n]A)|T(?=ool(?: [Nn]ame)?:|(?:o(?:ol?(?: [Nname]{0,4})?)?)?$)(?<![^\n]T)/g;

/** The same in answers of Functionary, where `>>>` may follow any text. */
const SPECIAL_OR_PROMPT = /[<`~[✿{]|>(?=>>|>?$)/g;

/** Offset of the next such character; the length of the text if there is none. */
export function nextSpecialChar(text: string, at: number, isPrompted: boolean): number {
  const special = isPrompted ? SPECIAL_OR_PROMPT : SPECIAL;
  special.lastIndex = at;
  return special.test(text) ? special.lastIndex - 1 : text.length;
}
