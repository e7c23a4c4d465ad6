/** Parses a definition that is a TOML file: fields, one of which holds its text. */

import { errorMessage } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import type { Head } from "./front-matter.ts";

/** A text says why it cannot be read, for people. */
export async function readTomlHead(text: string): Promise<Head | string> {
  try {
    const { parse } = await import("smol-toml");
    const read: unknown = parse(text);
    return isObject(read) ? read : {};
  } catch (error) {
    const [why = ""] = errorMessage(error).split("\n");
    const line = isObject(error) && typeof error["line"] === "number" ? ` in line ${error["line"]}` : "";
    return `it is no well-formed TOML${line} (${why})`;
  }
}
