/** The type of the MCP server's own tools, which act on sessions. Each tool is one value. */

import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { compactSchema, problemOf } from "../tools/arguments/shape.ts";
import type { McpServerContext } from "./mcp-server-context.ts";
import { problem } from "./outcome.ts";

export type SessionToolContext = {
  surface: McpServerContext;
  context: ServerContext;
  /** Whether the client can ask a person. */
  canAsk: boolean;
  /** The client's name in the log. */
  by: string;
};

export type ToolReply = CallToolResult | InputRequiredResult;

export type SessionTool = {
  name: string;
  title: string;
  description: string;
  schema: JsonObject;
  annotations: ToolAnnotations;
  run(input: JsonObject, given: SessionToolContext): Promise<ToolReply>;
};

type Definition<Shape extends z.core.$ZodLooseShape> = Omit<SessionTool, "schema" | "run"> & {
  input: Shape;
  run: (
    input: z.infer<z.ZodMiniObject<Shape, z.core.$strict>>,
    given: SessionToolContext,
  ) => Promise<ToolReply>;
};

export function sessionTool<Shape extends z.core.$ZodLooseShape>({
  input: shape,
  run,
  ...rest
}: Definition<Shape>): SessionTool {
  const reader = z.strictObject(shape);
  const schema = compactSchema(reader);
  return {
    ...rest,
    schema,
    async run(input, given) {
      const read = z.safeParse(reader, input, { reportInput: true });
      if (read.success) return run(read.data, given);
      return problem(`The arguments of ${rest.name} do not fit: ${problemOf(read.error, schema).words}.`);
    },
  };
}
