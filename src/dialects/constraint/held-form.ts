/** What of a dialect's form a server can hold a model to: how a call of a tool begins, what its arguments are, how it ends. */

/** A form of calls to which a server can hold a model. @experimental */
export type HeldForm = {
  /** With this a call begins, however it goes on; the text before it is free. */
  readonly trigger: string;
  /** The beginning of a call of this tool, up to its arguments; it starts with the trigger. */
  readonly begin: (tool: string) => string;
  readonly end: string;
  readonly input: "json" | TaggedInput;
};

/** Arguments one after the other, each between marks; texts as they are, everything else as JSON. @experimental */
export type TaggedInput = {
  readonly open: (name: string) => string;
  /** The first mark after a value; a text cannot contain it. */
  readonly close: string;
  /** White space around a value, and after the closing mark. */
  readonly around: string;
  readonly after: string;
};

/** One JSON object with the name and the arguments, between two marks. */
export const heldJson = (open: string, close: string, [name, input] = ["name", "arguments"]): HeldForm => ({
  trigger: open.trimEnd(),
  begin: (tool) => `${open}{"${name}": ${JSON.stringify(tool)}, "${input}": `,
  end: `}${close}`,
  input: "json",
});
