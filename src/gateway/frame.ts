/** Parses and validates one frame from a client. */

import { checkedValue } from "../base/checked-value.ts";
import type { Expected } from "../base/expected.ts";
import { isDeeperThan, isObject, parseJson } from "../base/json.ts";
import { type ClientFrame, clientFrame } from "../remote/frames.ts";
import { gatewayBounds } from "./bounds.ts";

const { depth } = gatewayBounds;

export function readFrame(text: string): Expected<ClientFrame> {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problem: `The frame is not JSON: ${parsed.problem}.` };
  if (isDeeperThan(depth.most, parsed.value))
    return { ok: false, problem: `The frame is nested more than ${depth.most} deep.` };
  return checkedValue(clientFrame, parsed.value, "The frame");
}

/** The id of what was meant to be a command, by which its sender waits for an outcome. */
export function commandIdIn(text: string): string | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { type, id } = parsed.value;
  return type === "command" && typeof id === "string" ? id : undefined;
}
