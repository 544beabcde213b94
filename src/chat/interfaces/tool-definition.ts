/** Element of the request's `tools`; any JSON Schema keyword may stand in `parameters`. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | null;
    readonly parameters?: Readonly<Record<string, unknown>> | null;
    readonly strict?: boolean | null;
  };
}

export type ToolChoice =
  'auto' | 'none' | 'required' | { readonly type: 'function'; readonly function: { readonly name: string } };
