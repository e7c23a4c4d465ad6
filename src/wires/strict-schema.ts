/** The schema that a provider enforces for a tool's native calls. */

import type { JsonObject } from "../base/json.ts";
import type { Ask, ToolDescription } from "../protocol/messages.ts";

/** Undefined if none is enforced for this tool. */
export const strictSchema = ({ name }: ToolDescription, { constraint }: Ask): JsonObject | undefined =>
  constraint?.type === "strict" && Object.hasOwn(constraint.schemas, name)
    ? constraint.schemas[name]
    : undefined;
