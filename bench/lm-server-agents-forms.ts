/** How a model without tools writes its calls, in eight dialects, clean and damaged: by hand, not with the readers' own writers. */

/** A call of one of the agent's tools. */
export type Move = { tool: string; values: Readonly<Record<string, unknown>> };

/** `cut`: the end is missing at the first try; `open`: always. */
export const damages = ["clean", "prose", "cut", "open", "names", "extra", "raw", "repeated"] as const;
export type Damage = (typeof damages)[number];

type Form = { write: (move: Move, json: (values: Move["values"]) => string) => string; end: string };

const objectOf =
  (before: string, key: string, after: string): Form["write"] =>
  ({ tool, values }, json) =>
    `${before}{"name": "${tool}", "${key}": ${json(values)}}${after}`;

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const lines = ({ values }: Move, line: (name: string, value: string) => string): string =>
  Object.entries(values)
    .map(([name, value]) => line(name, textOf(value)))
    .join("\n");

const forms: Readonly<Record<string, Form>> = {
  hermes: { write: objectOf("<tool_call>\n", "arguments", "\n</tool_call>"), end: "}\n</tool_call>" },
  "llama-3": { write: objectOf("", "parameters", ""), end: "}" },
  mistral: { write: objectOf("[TOOL_CALLS][", "arguments", "]"), end: "}]" },
  "qwen-xml": {
    write: (move) =>
      `<tool_call>\n<function=${move.tool}>\n${lines(move, (name, value) => `<parameter=${name}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
    end: "\n</function>\n</tool_call>",
  },
  glm: {
    write: (move) =>
      `<tool_call>${move.tool}\n${lines(move, (name, value) => `<arg_key>${name}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
    end: "\n</tool_call>",
  },
  "kimi-k2": {
    write: ({ tool, values }, json) =>
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.${tool}:0<|tool_call_argument_begin|>${json(values)}<|tool_call_end|><|tool_calls_section_end|>`,
    end: "<|tool_call_end|><|tool_calls_section_end|>",
  },
  "deepseek-v3.1": {
    write: ({ tool, values }, json) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${tool}<｜tool▁sep｜>${json(values)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    end: "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
  },
  pythonic: {
    write: ({ tool, values }, json) =>
      `[${tool}(${Object.entries(values)
        .map(([name, value]) => `${name}=${json({ value }).slice('{"value":'.length, -1)}`)
        .join(", ")})]`,
    end: "]",
  },
};

export const formNames = Object.keys(forms);

const groups = [
  ["path", "file_path", "filePath"],
  ["command", "cmd"],
  ["old_string", "oldText", "old_str", "oldString", "old_text"],
  ["new_string", "newText", "new_str", "newString", "new_text"],
];

/** Another name for the same argument, as some other agent has it. */
function otherName(name: string): string {
  const group = groups.find((names) => names.includes(name));
  return group?.find((other) => other !== name) ?? name;
}

const renamed = (values: Move["values"]): Move["values"] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [otherName(name), value]));

const broken = (json: string): string => json.replace(/(?<!\\)\\n/g, "\n").replace(/(?<!\\)\\t/g, "\t");

/** `nth`: which try of this step it is, from 1. */
export function writtenMove({ tool, values }: Move, form: string, damage: Damage, nth: number): string {
  const { write, end } = forms[form] ?? forms["hermes"] ?? { write: () => "", end: "" };
  const named = damage === "names" ? renamed(values) : values;
  const told = damage === "extra" ? { ...named, description: "run it" } : named;
  const json = (given: Move["values"]): string =>
    damage === "raw" ? broken(JSON.stringify(given)) : JSON.stringify(given);
  const text = write({ tool, values: told }, json);
  if (damage === "open" || (damage === "cut" && nth === 1)) return text.slice(0, -end.length);
  if (damage !== "prose") return text;
  return `I do the next step.\n\n${text.replace(/\}(?=[^}]*$)/, ",}")}\n\nThat does it.`;
}
