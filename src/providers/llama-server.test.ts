import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../base/json.ts";
import { ModelError } from "../protocol/model-events.ts";
import { catalog } from "./catalog.ts";
import { serverOf } from "./discover.ts";
import { describeLlamaServer } from "./llama-server.ts";

const template = "{% for m in messages %}<|im_start|>{{ m.role }}";

test("chat template, context window, tools and images are read from /props, outside the version prefix", async () => {
  const told = await describe({
    default_generation_settings: { n_ctx: 8192 },
    chat_template: template,
    chat_template_caps: { supports_tools: true, supports_tool_calls: true },
    modalities: { vision: true },
  });
  expect(told).toEqual({ asked: "/props", tools: true, images: true, contextTokens: 8192, template });
});

test("a template without tool support means no native tools, and chat_template_tool_use takes precedence", async () => {
  expect(
    await describe({ chat_template: template, chat_template_caps: { supports_tools: false } }),
  ).toMatchObject({
    tools: false,
    template,
  });
  expect(
    await describe({ chat_template: template, chat_template_caps: { supports_tool_calls: false } }),
  ).toMatchObject({
    tools: false,
  });
  expect(await describe({ chat_template: "plain", chat_template_tool_use: template })).toMatchObject({
    tools: true,
    template,
  });
});

test.each([
  ["an older server's empty reply", {}],
  [
    "nonsense",
    { default_generation_settings: [], chat_template: 3, chat_template_caps: "x", modalities: null },
  ],
])("%s is read as native tools, no images and no template", async (_, props) => {
  expect(await describe(props)).toMatchObject({ tools: true, images: false });
  expect(await describe(props)).not.toHaveProperty("template", expect.anything());
});

test.each([404, 401, 500, 503])(
  "a server that answers /props with %i is assumed to have native tools",
  async (status) => {
    expect(await describe({ error: { message: "busy" } }, status)).toEqual({
      asked: "/props",
      tools: true,
    });
  },
);

test("a reply that is not JSON is ignored, and an unreachable server is an error", async () => {
  expect(await describe("<html>Hello</html>")).toEqual({ asked: "/props", tools: true });
  await expect(describeLlamaServer(at("http://127.0.0.1:1/v1"), "m")).rejects.toThrow(ModelError);
});

const at = (url: string) => {
  const provider = catalog.find(({ describe: told }) => told === describeLlamaServer);
  if (!provider) throw new Error("No provider is described by /props.");
  return serverOf(provider, {}, url);
};

async function describe(props: unknown, status = 200) {
  let asked: string | undefined;
  const server = createServer((request, response) => {
    asked = request.url;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof props === "string" ? props : JSON.stringify(props));
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = isObject(address) ? String(address["port"]) : "";
  const told = await describeLlamaServer(at(`http://127.0.0.1:${port}/v1`), "m");
  return { asked, ...told };
}
