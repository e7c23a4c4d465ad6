import { expect, test } from "vitest";
import { wires } from "./index.ts";
import type { WireName } from "./wire.ts";

const pdf = "data:application/pdf;base64,JVBERi0=";
const picture = "https://example.com/a.png";
const chat = (part: object) => ({ model: "m", messages: [{ role: "user", content: [part] }] });
const input = (part: object) => ({ model: "m", input: [{ role: "user", content: [part] }] });
const contents = (part: object) => ({ model: "m", contents: [{ role: "user", parts: [part] }] });

test.each<[string, WireName, object, string]>([
  [
    "a PDF",
    "openai-chat",
    chat({ type: "file", file: { filename: "a.pdf", file_data: pdf } }),
    "A document (a.pdf)",
  ],
  [
    "a recording",
    "openai-chat",
    chat({ type: "input_audio", input_audio: { data: "UklG", format: "wav" } }),
    "A recording (wav)",
  ],
  [
    "a picture on the web",
    "openai-chat",
    chat({ type: "image_url", image_url: { url: picture } }),
    `An image (${picture})`,
  ],
  [
    "a PDF",
    "openai-responses",
    input({ type: "input_file", filename: "a.pdf", file_data: pdf }),
    "A document (a.pdf)",
  ],
  [
    "an uploaded picture",
    "openai-responses",
    input({ type: "input_image", file_id: "file-1" }),
    "An image (file-1)",
  ],
  [
    "a picture on the web",
    "openai-responses",
    input({ type: "input_image", image_url: picture }),
    `An image (${picture})`,
  ],
  [
    "a PDF",
    "gemini",
    contents({ inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } }),
    "A file (application/pdf)",
  ],
  [
    "an uploaded film",
    "gemini",
    contents({ fileData: { mimeType: "video/mp4", fileUri: "files/x" } }),
    "A file (video/mp4, files/x)",
  ],
  [
    "a picture on the web",
    "cohere",
    chat({ type: "image_url", image_url: { url: picture } }),
    `An image (${picture})`,
  ],
  [
    "a picture on the web",
    "anthropic",
    chat({ type: "image", source: { type: "url", url: picture } }),
    `An image (${picture})`,
  ],
])("%s over %s is told in words, and the conversation goes on", (_, wire, body, words) => {
  const { ask } = wires[wire].decodeAsk(body);
  const text = `[${words} that cannot be shown to this model.]`;
  expect(ask.messages).toEqual([{ role: "user", content: [{ type: "text", text }] }]);
});
