import { serveCalls } from '../../common/threads/serve-calls.js';
import { type ToolCallText } from './kit/tool-use.js';
import { condense } from './tool-result-compressor.js';

// The thread of large tool results, which would block the event loop for seconds.

serveCalls({
  condense: ({ text, tool }: { readonly text: string; readonly tool: ToolCallText }) => condense(text, tool),
});
