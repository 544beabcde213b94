import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { exampleCalls } from './tool-example.js';
import { mayCall, type ToolOffer } from './tool-offer.js';

/** Around the definitions. Not the `tools` of many models' templates, with which agents mark lists of their own. */
const DEFINITIONS = 'tool_definitions';

/** The form of one call. */
export const CALL_FORM = `<tool_call>
<function=NAME>
<parameter=KEY>value</parameter>
</function>
</tool_call>`;

/**
 * The contract: the tools and how to call them; undefined if no tool can be called. It depends on the tools and not on
 * the choice among them, so that the beginning of a prompt stays the same from turn to turn and upstream caches hit.
 */
export function toolContract(offer: ToolOffer): string | undefined {
  if (!mayCall(offer)) {
    return undefined;
  }
  const { definitions, parallel } = offer;
  return `# Tools

You can call these tools. Each line describes one; "parameters" is the JSON Schema of its arguments.

<${DEFINITIONS}>
${definitions.map(describeTool).join('\n')}
</${DEFINITIONS}>

A call is written like this, with NAME being the tool and one parameter tag for each argument:

${CALL_FORM}

- Give every required parameter, and optional ones only where they say something.
- Write values raw. Text stands between the tags exactly as it is meant, character by character, over as many lines as it has: no quotes around it, nothing escaped, no code fence. If a value begins on a line of its own, the line break before its closing tag does not belong to it. Numbers, true, false, null, lists and objects are written as JSON.
- You may write text before a call. ${parallel ? 'Calls that do not need the results of one another may follow directly one after the other.' : 'Make at most one call in a message.'}
- Stop after the ${parallel ? 'last call' : 'call'}: the next message brings the result as <tool_response>. Never write a <tool_response> yourself, and never claim a result that you have not been given.
- A call inside a code fence or inline code is shown to the user and not carried out.

${exampleCalls(definitions, parallel)}`;
}

/**
 * The reminder at the very end of a prompt: how to call, and which call this message must hold, if any; undefined if
 * there is nothing to say.
 * @param hasCalls whether the conversation holds calls, which the model might imitate
 */
export function toolReminder(offer: ToolOffer, hasCalls: boolean): string | undefined {
  const { choice, parallel } = offer;
  if (!mayCall(offer)) {
    return hasCalls
      ? 'No tool can be called in this message: answer in plain text, without <tool_call>.'
      : undefined;
  }
  const form = 'exactly in the form given above, from <tool_call> to </tool_call>';
  const bound = parallel ? '' : ' Make one call only.';
  if (choice === 'auto') {
    return `To call a tool, end the message with the call ${form}.${bound}`;
  }
  const demand = typeof choice === 'object' ? `call the tool ${choice.function.name}` : 'call a tool';
  return `This message must ${demand}: end it with the call ${form}.${bound}`;
}

function describeTool({ function: { name, description, parameters } }: ToolDefinition): string {
  return JSON.stringify({
    name,
    description: description ?? undefined,
    parameters: parameters ?? { type: 'object', properties: {} },
  });
}
