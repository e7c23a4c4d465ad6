import { describe, expect, test } from "vitest";
import { askTemplate } from "./ask-template.ts";
import { isGoTemplate, renderGo } from "./go-template.ts";

const call = { id: "c1", function: { name: "look_up", arguments: { word: "x", count: 7 } } };
const messages = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "", tool_calls: [call] },
  { role: "tool", content: "found", name: "look_up" },
];
const tools = [
  { type: "function", function: { name: "look_up", description: "d", parameters: { type: "object" } } },
];
const render = (source: string): string => renderGo(source, messages, tools);

test.each([
  ["{{ range .Messages }}[{{ .Role }}]{{ end }}", "[user][assistant][tool]"],
  ["{{ range $i, $m := .Messages }}{{ $i }}{{ $m.Role }} {{ end }}", "0user 1assistant 2tool "],
  ["a {{- /* no */ -}}  b", "ab"],
  ["{{ if .System }}s{{ else if eq (len .Messages) 3 }}three{{ else }}n{{ end }}", "three"],
  ["{{ with .Nothing }}w{{ else }}none{{ end }}", "none"],
  [
    "{{ $last := false }}{{ range $i, $_ := .Messages }}{{ $last = eq (len (slice $.Messages $i)) 1 }}{{ $last }} {{ end }}",
    "false false true ",
  ],
  ["{{ (index .Messages 1).Role }} {{ index .Messages 1 | len | print }}", "assistant 5"],
  [
    "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Name }} {{ .Function.Arguments }} {{ json .Function.Name }}{{ end }}{{ end }}",
    'look_up {"word":"x","count":7} "look_up"',
  ],
  [
    "{{ range .Tools }}{{ .Function }}{{ end }}",
    '{"name":"look_up","description":"d","parameters":{"type":"object"}}',
  ],
  [
    '{{ range .Messages }}{{ if eq .Role "assistant" "tool" }}{{ break }}{{ end }}{{ .Content }}{{ end }}',
    "Hi",
  ],
  ["{{ range .Messages }}{{ if ne .Role `tool` }}{{ continue }}{{ end }}{{ .Content }}{{ end }}", "found"],
  ['{{ and .Messages (not .System) | printf "%v %s" "}}" }}', "}} true"],
  [
    '{{ define "m" }}<{{ .Role }}>{{ end }}{{ range .Messages }}{{ template "m" . }}{{ end }}',
    "<user><assistant><tool>",
  ],
])("%s", (source, text) => {
  expect(render(source)).toBe(text);
});

test.each([
  "{{ if .A }}x",
  "{{ .A",
  "{{ nowhere .A }}",
  "{{ (len .Messages }}",
  '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
])("%s cannot be rendered", (source) => {
  expect(() => render(source)).toThrow(Error);
});

test("Go's templates are told from Jinja's", () => {
  expect(isGoTemplate("{{- if .Messages }}{{ range .Messages }}")).toBe(true);
  expect(isGoTemplate("{{ .Prompt }}")).toBe(true);
  expect(isGoTemplate("{% for m in messages %}{{ m.content }}{% endfor %}")).toBe(false);
  expect(isGoTemplate("{{ messages[0].content }}")).toBe(false);
});

describe("a template of Ollama is asked like any other", () => {
  const template = (calls: string, result: string): string => `{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<s>user
{{ .Content }}<e>
{{ else if eq .Role "assistant" }}<s>assistant
{{ if .Content }}{{ .Content }}
{{- else if .ToolCalls }}${calls}{{- end }}{{ if not $last }}<e>
{{ end }}
{{- else if eq .Role "tool" }}<s>user
${result}<e>
{{ end }}
{{- end }}`;

  test("a form that is known", async () => {
    const form =
      '{{ range .ToolCalls }}{{ print "<tool" "_call>" }}\n{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}\n{{ print "</tool" "_call>" }}{{ end }}';
    expect((await askTemplate(template(form, "{{ .Content }}")))?.dialect?.name).toBe("hermes");
  });

  test("a simple form of its own", async () => {
    const form =
      '{{ range .ToolCalls }}<act>{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}</act>\n{{ end }}';
    const own = (await askTemplate(template(form, "<got>{{ .Content }}</got>")))?.dialect;
    expect(own?.writeCalls([{ id: "1", name: "ping", input: { a: 1 } }])).toBe(
      '<act>{"name": "ping", "parameters": {"a": 1}}</act>',
    );
    const content = [{ type: "text" as const, text: "pong" }];
    expect(own?.writeResults([{ id: "1", name: "ping", content, isError: false }])).toBe("<got>pong</got>");
  });
});
