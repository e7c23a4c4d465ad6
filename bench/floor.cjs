// The floor: a bare Node loop that sends the request, reads the stream and runs the tool, with nothing else.
const http = require("node:http");
const { readFileSync, writeFileSync } = require("node:fs");
const url = new URL(process.argv[2]);
const messages = [{ role: "user", content: "go" }];

function ask(done) {
  const request = http.request(
    { host: url.hostname, port: url.port, path: "/v1/chat/completions", method: "POST" },
    (reply) => {
      let held = "";
      let id = "";
      let finish = "";
      let json = "";
      reply.setEncoding("utf8");
      reply.on("data", (text) => {
        const lines = (held + text).split("\n");
        held = lines.pop();
        for (const line of lines) {
          if (!line.startsWith("data: {")) continue;
          const [choice] = JSON.parse(line.slice(6)).choices;
          if (!choice) continue;
          const call = choice.delta.tool_calls?.[0];
          if (call?.id) id = call.id;
          if (call?.function?.arguments) json += call.function.arguments;
          if (choice.finish_reason) finish = choice.finish_reason;
        }
      });
      reply.on("end", () => done(finish, id, json));
    },
  );
  request.end(JSON.stringify({ model: process.argv[3], stream: true, messages }));
}

function loop() {
  ask((finish, id, json) => {
    if (finish !== "tool_calls") return;
    const content = run(JSON.parse(json));
    messages.push({
      role: "assistant",
      tool_calls: [{ id, type: "function", function: { name: "read_file", arguments: json } }],
    });
    messages.push({ role: "tool", tool_call_id: id, content });
    loop();
  });
}

function run({ path, content }) {
  if (content === undefined) return readFileSync(path, "utf8");
  writeFileSync(path, content);
  return "ok";
}
loop();
