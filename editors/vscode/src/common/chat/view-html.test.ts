/** The document of the chat view. */

import { expect, test } from "vitest";
import { viewHtml } from "./view-html.ts";

const html = viewHtml({
  source: "https://view.example",
  script: "https://view.example/main.js",
  style: "https://view.example/main.css",
  nonce: "n0nce",
  workspace: `/home/a "quoted" & <odd> folder`,
});

test("nothing runs but the script with the nonce, and nothing is loaded from elsewhere", () => {
  expect(html.match(/<script/gu)).toHaveLength(1);
  expect(html).toContain(`<script type="module" nonce="n0nce" src="https://view.example/main.js">`);
  expect(html).toContain("script-src 'nonce-n0nce'; style-src https://view.example;");
  expect(html).toContain("default-src 'none'");
  expect(html).not.toContain("unsafe");
  expect(html).not.toContain("connect-src");
});

test("the name of a folder cannot leave its attribute", () => {
  expect(html).toContain(`data-workspace="/home/a &quot;quoted&quot; &amp; &lt;odd> folder"`);
});
