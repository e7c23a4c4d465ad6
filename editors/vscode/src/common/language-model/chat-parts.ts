/** A conversation as VS Code gives it to a provider, told apart once at the border: nothing else knows its classes. */

export type ChatPart =
  | { type: "text"; text: string }
  | { type: "call"; id: string; name: string; input: unknown }
  | { type: "result"; id: string; content: readonly ChatPart[] }
  | { type: "data"; mediaType: string; bytes: Uint8Array };

export type ChatTurn = { role: "system" | "user" | "assistant"; parts: readonly ChatPart[] };

export type OfferedTool = { name: string; description: string; schema?: unknown };

/** `mustCall`: an answer without a call is of no use. */
export type ChatAsk = {
  model: string;
  turns: readonly ChatTurn[];
  tools: readonly OfferedTool[];
  mustCall: boolean;
  /** What the client sets itself, like `temperature`. */
  options: Readonly<Record<string, unknown>>;
};
