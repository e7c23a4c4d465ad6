/** A model that nobody knows is asked by its chat template when it is opened, as its server shows it. */

import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { catalog } from "./catalog.ts";
import { serverOf } from "./discover.ts";
import { prepareModel } from "./open-model.ts";

const jinja = (call: string): string =>
  `{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<e>\n{% endfor %}`;
const name = "{{ c.function.name }}";
const input = "{{ c.function.arguments | tojson }}";

test("llama-server's template: a form of its own is taught, then the ones that most models can learn", async () => {
  const ways = await waysFor("llamacpp", {
    chat_template: jinja(`<act>{"name": "${name}", "arguments": ${input}}</act>`),
    chat_template_caps: { supports_tools: false },
  });
  expect(ways.names).toEqual(["template", "hermes", "json-fence"]);
  expect(ways.because).toContain("a form of its own");
});

test("Ollama's template: a known form is found by rendering it", async () => {
  const template =
    '{{ range .Messages }}<s>{{ .Role }}\n{{ .Content }}{{ range .ToolCalls }}{{ print "[TOOL_" "CALLS]" }}{{ .Function.Name }}{{ print "[AR" "GS]" }}{{ .Function.Arguments }}{{ end }}<e>\n{{ end }}';
  const { names, because } = await waysFor("ollama", { template, capabilities: ["completion"] });
  expect(names).toEqual(["mistral", "hermes", "json-fence"]);
  expect(because).toContain("rendered");
});

test("a form that cannot be derived is told, and the default is taught", async () => {
  const { names, because } = await waysFor("llamacpp", {
    chat_template: jinja(`I call ${name} with ${input}`),
    chat_template_caps: { supports_tools: false },
  });
  expect(names).toEqual(["hermes", "json-fence"]);
  expect(because).toContain("could not be derived");
});

test("a name that is known counts where the template shows no form", async () => {
  const odd = { chat_template: jinja(`I call ${name}`), chat_template_caps: { supports_tools: false } };
  expect((await waysFor("llamacpp", odd, "qwen3-coder")).names[0]).toBe("qwen-xml");
});

async function waysFor(provider: "llamacpp" | "ollama", shown: object, model = "unknown") {
  const server = createServer((_, reply) => void reply.end(JSON.stringify(shown)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const found = catalog.find((one) => one.name === provider);
  if (!found) throw new Error(`There is no provider ${provider}.`);
  const baseUrl = `http://127.0.0.1:${port}${provider === "llamacpp" ? "/v1" : ""}`;
  const choice = {
    provider: found,
    server: serverOf(found, {}, baseUrl),
    model,
    because: "the test names it",
  };
  const { usual } = await prepareModel(choice, { constraint: "off" });
  return { names: usual.ways.map((way) => way.name), because: usual.because };
}
