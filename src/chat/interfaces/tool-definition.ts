/** Element of the request's `tools`. `parameters` may hold any keyword of JSON Schema. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | null;
    readonly parameters?: Readonly<Record<string, unknown>> | null;
    readonly strict?: boolean | null;
  };
}

/** `tool_choice` of the request. */
export type ToolChoice =
  'auto' | 'none' | 'required' | { readonly type: 'function'; readonly function: { readonly name: string } };
