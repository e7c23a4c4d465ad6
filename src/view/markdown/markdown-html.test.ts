import fc from "fast-check";
import { expect, test } from "vitest";
import { growMarkdown, nothingYet, pieceHtml } from "../../page/markdown/growing.ts";
import { scale } from "../../testing/scale.ts";
import { isHarmless, languageOf } from "./source.ts";

const html = (text: string): string => {
  const { done, open } = growMarkdown(nothingYet, text, true);
  return [...done, ...open].map(pieceHtml).join("").trim();
};

test("HTML tags are shown as text, and Markdown inside them is rendered", () => {
  expect(html("<b>**bold**</b>")).toBe("<p>&lt;b&gt;<strong>bold</strong>&lt;/b&gt;</p>");
  expect(html("<script>alert(1)</script>")).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  expect(html("<!-- hidden -->")).toBe("<p>&lt;!-- hidden --&gt;</p>");
});

test("links lead only to the web and to mail, and open in a new tab", () => {
  expect(html("[a](https://example.org/?a=1&b=2)")).toBe(
    '<p><a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer" title="https://example.org/?a=1&amp;b=2">a</a></p>',
  );
  for (const href of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/here", "#there", "vbscript:x", "blob:x"])
    expect(html(`[a](${href})`)).toBe('<p><span class="no-link">a</span></p>'); // prettier-ignore
  expect(["HTTPS://x.org", "mailto:a@b.c", "http://[::1]/"].map(isHarmless)).toEqual([true, true, true]);
});

test("a table cell with many words gets a minimum width and keeps its alignment", () => {
  const words = "so many words that they would stand in a very narrow column";
  expect(html(`| a | b |\n|--:|---|\n| ${words} | c |`)).toContain(
    `<tr><td align="right" class="long">${words}</td><td>c</td></tr>`,
  );
});

test("an image becomes a link: nothing is loaded from elsewhere", () => {
  expect(html("![a cat](https://example.org/cat.png)")).toContain(">a cat</a>");
  expect(html("![](https://example.org/cat.png)")).toContain(">an image</a>");
  expect(html("![x](data:image/png;base64,AAAA)")).toBe('<p><span class="no-link">x</span></p>');
});

test("the info string of a fence yields a language name or nothing", () => {
  expect(["ts", "TypeScript {1,2}", "c++", 'x" onclick="y', "", undefined].map(languageOf)).toEqual([
    "ts", "typescript", "c++", "x", "", "",
  ]); // prettier-ignore
});

test("task list items have disabled checkboxes", () => {
  expect(html("- [x] done\n- [ ] open")).toBe(
    '<ul>\n<li class="task"><input type="checkbox" disabled="" aria-label="done" checked=""> done</li>\n<li class="task"><input type="checkbox" disabled="" aria-label="to do"> open</li>\n</ul>',
  );
});

test("the page gets only allowed tags, whatever the Markdown", () => {
  const piece = fc.oneof(
    fc.constantFrom("<", ">", '"', "'", "&", "`", "[", "](", ")", "![", "\n", "javascript:", "on", "=", "<img src=x onerror=", "<svg/onload=", "|", "-", "https://"), // prettier-ignore
    fc.string({ maxLength: 6 }),
  );
  const ours = /<\/?(?:p|br|hr|h[1-6]|strong|em|del|code|pre|blockquote|ul|ol|li|a|span|div|button|input|table|thead|tbody|tr|th|td)(?: (?:href|target|rel|title|class|start|align|type|checked|disabled|aria-label|role|tabindex|data-language)="[^"<>]*")*>/gu; // prettier-ignore
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(html(pieces.join("")).replaceAll(ours, "")).not.toMatch(/[<>]/u);
    }),
    { numRuns: 500 * scale },
  );
});
