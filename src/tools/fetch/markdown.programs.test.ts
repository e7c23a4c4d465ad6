import { expect, test } from "vitest";
import { bareText } from "./bare-text.ts";
import { markdownOf } from "./markdown.ts";

const limits = { milliseconds: 20_000, bytes: 256 * 2 ** 20 };
const nobody = new AbortController().signal;
const convert = (html: string, own = limits) =>
  markdownOf({ html, base: "https://docs.example.org/a/b" }, own, nobody);

test("a page becomes Markdown with absolute links and without scripts, styles and hidden parts", async () => {
  const page = await convert(`<!doctype html><html><head><title>Names &amp; more</title><style>p{}</style>
    <script>alert("<p>no</p>")</script></head><body>
    <h1>The my_name of *things*</h1>
    <p>Read <a href="../c?d=1#e">this <b>page</b></a>, <a href="#top">up</a>, <a href="javascript:alert(1)">not that</a>.
    <img src="x.png" alt="A picture"><img src="y.png"></p>
    <ol start="3"><li>three<li>four<ul><li>inner</ul></ol>
    <p hidden>hidden</p><p style="display: none">unseen</p><button>Press</button><template>t</template>
    <pre><code class="language-js">let a_b = 1;
  \`\`\`</code></pre>
    <details><summary>More</summary>inside</details>
    <table><thead><tr><th>Name<th>Value</thead><tr><td>a<br>b<td>1</table></body></html>`);
  expect(page).toEqual({
    title: "Names & more",
    isMain: false,
    text: [
      "# The my_name of *things*",
      "",
      "Read [this **page**](https://docs.example.org/c?d=1#e), up, not that. [image: A picture]",
      "",
      "3. three",
      "4. four",
      "   - inner",
      "",
      "````",
      "let a_b = 1;",
      "  ```",
      "````",
      "",
      "More",
      "",
      "inside",
      "",
      "| Name | Value |",
      "| --- | --- |",
      "| a b | 1 |",
    ].join("\n"),
  });
});

test("if a page has exactly one main element, only that is shown", async () => {
  const main = `<p>${"word ".repeat(60)}</p>`;
  const page = await convert(`<nav>Menu</nav><main>${main}</main><footer>Imprint</footer>`);
  expect(page).toMatchObject({ isMain: true, text: "word ".repeat(60).trim() });
  const two = await convert(`<nav>Menu</nav><main>${main}</main><main>${main}</main>`);
  expect(two?.isMain).toBe(false);
  expect(two?.text).toContain("Menu");
});

test("the base element of a page applies to its links", async () => {
  const page = await convert('<head><base href="/root/"></head><a href="x">x</a>');
  expect(page?.text).toBe("[x](https://docs.example.org/root/x)");
});

test("a conversion that takes too long or needs too much memory is abandoned", async () => {
  // No process starts within a millisecond.
  expect(await convert("<p>x", { ...limits, milliseconds: 1 })).toBeUndefined();
  expect(await convert("<p>x")).toMatchObject({ text: "x" });
  expect(await convert("<b>".repeat(100_000))).toBeUndefined();
  expect(await convert("<p>x".repeat(400_000), { ...limits, bytes: 16 * 2 ** 20 })).toBeUndefined();
  // Regression: a worker thread out of memory killed the whole process with this input.
  expect(await convert("<math><mi>".repeat(200_000), { ...limits, bytes: 64 * 2 ** 20 })).toBeUndefined();
});

test("an interruption ends the conversion", async () => {
  const stop = new AbortController();
  const page = markdownOf({ html: "<p>x", base: "https://a.example/" }, limits, stop.signal);
  stop.abort(); // before any process can have answered
  expect(await page).toBeUndefined();
});

test("the plain text of a page is extracted, however broken the page", () => {
  const html = `<html><head><title>T</title><script>if (a < b) "</p>"</script><!-- <p>no</p> --></head>
    <body><p>One &amp; <b>two</b> &#x1F600; &#60; &nope;<p>Three < four</body>`;
  expect(bareText(html)).toBe("T\nOne & two 😀 < &nope;\nThree < four");
  expect(bareText("<".repeat(200_000)).length).toBe(200_000);
  const turkish = "\u0130".repeat(30);
  expect(bareText(`${turkish}<SCRIPT>evil()</Script><b>x</b>`)).toBe(`${turkish}\nx`);
  for (const endless of ["<script>", "<!--", "<p ", "<svg><", "</"])
    expect(bareText(endless.repeat(200_000)).length).toBeLessThan(1000);
});
