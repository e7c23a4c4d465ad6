/** The JSON keys under which models write a call's name (A21) and its arguments (A20), most common first. */

export const nameKeys: readonly string[] = ["name", "tool", "function", "tool_name", "recipient_name"];
export const argumentKeys: readonly string[] = ["arguments", "args", "params", "parameters", "input"];
