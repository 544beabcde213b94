import { quoted } from './curl.js';

/**
 * Set-ups of clients for this gateway, ready to be copied; each repeats what its tool's documentation asks for.
 *
 * @param {{ origin: string, model: string, contextWindow?: number, needsKey: boolean }} gateway
 *   `origin`: e.g. `http://127.0.0.1:26405`; `model`: may be any text, since an upstream names its models; `contextWindow`:
 *   of the model, in tokens, if it is known
 * @returns {readonly { name: string, text: string }[]} the key is never in them: it stays in the variable API_KEY
 */
export function snippets({ origin, model, contextWindow, needsKey }) {
  const base = `${origin}/v1`;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }], stream: false });
  // Python, JavaScript and TOML read the strings of JSON.
  const modelString = JSON.stringify(model);
  const key = needsKey ? '"$API_KEY"' : 'unused';
  return [
    {
      name: 'curl',
      text: [
        `curl ${base}/chat/completions \\`,
        ...(needsKey ? [`  -H "Authorization: Bearer $API_KEY" \\`] : []),
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${quoted(body)}`,
      ].join('\n'),
    },
    {
      name: 'Python',
      text: `import os
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key=${needsKey ? 'os.environ["API_KEY"]' : '"unused"'})
stream = client.chat.completions.create(
    model=${modelString},
    messages=[{"role": "user", "content": "Hello!"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()`,
    },
    {
      name: 'JavaScript',
      text: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${base}', apiKey: ${needsKey ? 'process.env.API_KEY' : "'unused'"} });
const stream = await client.chat.completions.create({
  model: ${modelString},
  messages: [{ role: 'user', content: 'Hello!' }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`,
    },
    {
      name: 'Qwen Code',
      text: `OPENAI_BASE_URL=${base} OPENAI_API_KEY=${key} OPENAI_MODEL=${quoted(model)} qwen`,
    },
    { name: 'Claude Code', text: `ANTHROPIC_BASE_URL=${origin} ANTHROPIC_API_KEY=${key} claude` },
    {
      name: 'Gemini CLI',
      text: `GOOGLE_GEMINI_BASE_URL=${origin} GEMINI_API_KEY=${key} gemini --model ${quoted(model)}`,
    },
    {
      name: 'Codex',
      text: `# in ~/.codex/config.toml
model = ${modelString}
model_provider = "gateway"
${codexWindow(contextWindow)}
[model_providers.gateway]
name = "Gateway"
base_url = "${base}"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"

# then, in a shell: GATEWAY_API_KEY=${key} codex`,
    },
  ];
}

function codexWindow(tokens) {
  return tokens === undefined
    ? ''
    : `model_context_window = ${tokens} # Codex knows only its own models; it compacts its history by this\n`;
}
