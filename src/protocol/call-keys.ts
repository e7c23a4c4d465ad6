/** The JSON keys under which models write a call's name (A21) and its arguments (A20), most common first. */

export const nameKeys: readonly string[] = [
  "name",
  "tool",
  "function",
  "tool_name",
  "recipient_name",
  "function_name",
  "action",
];
export const argumentKeys: readonly string[] = [
  "arguments",
  "args",
  "params",
  "parameters",
  "input",
  "tool_input",
  "function_args",
  "action_input",
];

/** Keys of a name that say too little by themselves: the arguments must stand under a key of theirs. */
export const weakNameKeys: readonly string[] = ["action"];
