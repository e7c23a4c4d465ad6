import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import { FramingError, messagesIn } from "./framing.ts";

const framed = (body: string, more = ""): Buffer =>
  Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`);

async function* cut(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const to of [...at.toSorted((one, other) => one - other), bytes.length]) {
    yield bytes.subarray(from, Math.min(to, bytes.length));
    from = Math.min(to, bytes.length);
  }
}

test("messages do not depend on how their bytes are chunked", async () => {
  const json = fc.record({
    jsonrpc: fc.constant("2.0"),
    method: fc.string({ unit: "grapheme" }),
    params: fc.jsonValue(),
  });
  const header = fc.constantFrom("", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(json, header), { maxLength: 6 }),
      fc.array(fc.nat(2000)),
      async (messages, at) => {
        const bytes = Buffer.concat(messages.map(([message, more]) => framed(JSON.stringify(message), more)));
        const plain = messages.map(([message]) => JSON.parse(JSON.stringify(message)));
        expect(await collect(messagesIn(cut(bytes, at)))).toEqual(plain);
      },
    ),
  );
});

const wrong: readonly (readonly [what: string, bytes: string])[] = [
  ["what programs print", "Server listening\n\n"],
  ["what programs print before a message", "Error: no module\nContent-Length: 2\r\n\r\n{}"],
  ["a header without a length", "Content-Type: x\r\n\r\n{}"],
  ["a header without an end", `X: ${"x".repeat(300)}`],
  ["a length that is none", "Content-Length: -5\r\n\r\n{}"],
  ["a length with too many digits", `Content-Length: ${"9".repeat(40)}\r\n\r\n{}`],
  ["too long a message", "Content-Length: 1001\r\n\r\n"],
  ["no JSON", "Content-Length: 2\r\n\r\n{,"],
  ["a list", "Content-Length: 2\r\n\r\n[]"],
];

for (const [what, bytes] of wrong) {
  test(`${what} ends the reading, however it is cut`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(400)), async (at) => {
        const reading = collect(messagesIn(cut(Buffer.from(bytes), at), { header: 200, message: 1000 }));
        await expect(reading).rejects.toBeInstanceOf(FramingError);
      }),
      { numRuns: 30 },
    );
  });
}

test("text printed instead of a header is reported without the following message, however it is chunked", async () => {
  const bytes = Buffer.concat([Buffer.from("Error: no module\n"), framed("{}")]);
  for (let at = 17; at <= bytes.length; at += 1)
    await expect(collect(messagesIn(cut(bytes, [at])))).rejects.toThrow(
      'it sent something that is no header: "Error: no module"',
    );
});

test("arbitrary bytes yield messages or a framing error, never another error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(500)), async (bytes, at) => {
      const reading = collect(messagesIn(cut(bytes, at), { header: 64, message: 100 }));
      const outcome = await reading
        .then(() => "read")
        .catch((error: unknown) => error instanceof FramingError && "framing");
      expect(["read", "framing"]).toContain(outcome);
    }),
  );
});
