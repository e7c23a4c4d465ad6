/** Readers for the fields of a client's request; each names the field that it could not read. */

import { isObject, type JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";
import { ModelError } from "../protocol/model-events.ts";
import { copyOf } from "./fields.ts";

/** The error for a wrong field of a request, in one line. */
export const badField = (field: string, expected: string): ModelError =>
  new ModelError("bad-request", `The request's "${field}" must be ${expected}.`, { status: 400 });

/** The request body as an object. */
export function bodyOf(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new ModelError("bad-request", "The request body must be a JSON object.", { status: 400 });
}

export function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw badField(field, "a text");
}

export function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw badField(field, "a text");
}

export function optionalNumber(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw badField(field, "a number");
}

export function optionalBoolean(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  throw badField(field, "true or false");
}

/** A positive whole number; 0 and -1, which clients send for "no limit", count as absent. */
export function optionalLimit(value: unknown, field: string): number | undefined {
  const limit = optionalNumber(value, field);
  return limit !== undefined && limit >= 1 ? Math.floor(limit) : undefined;
}

/** Whether the request says nothing at all; instructions alone are answered. */
export const isEmpty = ({ messages, system }: Ask): boolean => messages.length === 0 && system === "";

/** Returns the request if it says anything; otherwise fails and names `field`. */
export function withMessages(ask: Ask, field: string): Ask {
  if (!isEmpty(ask)) return ask;
  throw badField(field, "a list with one message at least");
}

/** A list; an absent field is an empty list. */
export function listOf(value: unknown, field: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw badField(field, "a list");
}

export function textList(value: unknown, field: string): string[] {
  return listOf(value, field).map((item, at) => {
    if (typeof item === "string") return item;
    throw badField(`${field}[${at}]`, "a text");
  });
}

export function requiredObject(value: unknown, field: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw badField(field, "an object");
}

/** One block of a message's content, and where it stands. */
export type RequestBlock = { block: Record<string, unknown>; field: string };

/** Normalises content, which is a text or a list of blocks. */
export function blocksOf(content: unknown, field: string): RequestBlock[] {
  if (typeof content === "string") return [{ block: { type: "text", text: content }, field }];
  if (!Array.isArray(content)) throw badField(field, "a text or a list of blocks");
  return content.map((block, at) => ({
    block: requiredObject(block, `${field}[${at}]`),
    field: `${field}[${at}]`,
  }));
}

export function textOfBlock({ block, field }: RequestBlock): string {
  const text = block["text"];
  if (block["type"] === "text" && typeof text === "string") return text;
  throw badField(field, "a text block");
}

/** A tool's schema: any object; an absent schema means no arguments. */
export function schemaOf(value: unknown, field: string): JsonObject {
  return value === undefined || value === null
    ? { type: "object", properties: {} }
    : copyOf(requiredObject(value, field));
}
