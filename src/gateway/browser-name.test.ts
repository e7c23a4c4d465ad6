import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

test("the usual browsers are named with their version and system", () => {
  const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  for (const [agent, name] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, "Chrome 141 on Linux"],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`,
      "Chrome 141 on Linux",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
      "Edge 141 on Windows",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox 144 on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      "Safari 26 on iPhone",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
      "Chrome 141 on Android",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari 26 on macOS",
    ],
  ] as const)
    expect(browserName(agent)).toBe(name);
});

test("nothing of an odd header gets into a name", () => {
  for (const odd of [
    "",
    "curl/8.5.0",
    "\u001b[31mred",
    "<b>x</b>",
    "x".repeat(100_000),
    "Chrome/",
    "__proto__",
  ])
    expect(browserName(odd)).toBe("Another program");
  expect(browserName(`Firefox/${"9".repeat(50)} \u001b Linux`)).toBe("Firefox 9999 on Linux");
});
