// The floor: a bare Node loop that sends the request, reads the stream and runs the tools, with nothing else.
// `floor.cjs URL MODEL`; with a third word it offers its tools, as a server that looks at them wants it.
const { execFile } = require("node:child_process");
const http = require("node:http");
const { readFileSync, writeFileSync } = require("node:fs");
const [address, model, offers] = process.argv.slice(2);
const url = new URL(address);
const messages = [{ role: "user", content: "go" }];

const tool = (name, ...fields) => {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  const parameters = { type: "object", properties, required: fields };
  return { type: "function", function: { name, parameters } };
};
const tools = [
  tool("read_file", "path"),
  tool("write_file", "path", "content"),
  tool("run_command", "command"),
];

function ask(done) {
  const request = http.request(
    { host: url.hostname, port: url.port, path: "/v1/chat/completions", method: "POST" },
    (reply) => {
      let held = "";
      const calls = [];
      reply.setEncoding("utf8");
      reply.on("data", (text) => {
        const lines = (held + text).split("\n");
        held = lines.pop();
        for (const line of lines) {
          if (!line.startsWith("data: {")) continue;
          const [choice] = JSON.parse(line.slice(6)).choices;
          for (const piece of choice?.delta.tool_calls ?? []) {
            const call = (calls[piece.index] ??= { id: "", name: "", arguments: "" });
            if (piece.id) call.id = piece.id;
            if (piece.function?.name) call.name = piece.function.name;
            call.arguments += piece.function?.arguments ?? "";
          }
        }
      });
      reply.on("end", () => done(calls));
    },
  );
  request.end(JSON.stringify({ model, stream: true, messages, ...(offers && { tools }) }));
}

function loop() {
  ask(async (calls) => {
    if (calls.length === 0) return;
    const results = await Promise.all(calls.map((call) => run(JSON.parse(call.arguments))));
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: "function", function: call }));
    messages.push({ role: "assistant", tool_calls });
    for (const [at, content] of results.entries())
      messages.push({ role: "tool", tool_call_id: calls[at].id, content });
    loop();
  });
}

function run({ path, content, command }) {
  if (command !== undefined)
    return new Promise((resolve) => execFile("bash", ["-c", command], (_, output) => resolve(output)));
  if (content === undefined) return readFileSync(path, "utf8");
  writeFileSync(path, content);
  return "ok";
}
loop();
