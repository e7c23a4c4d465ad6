/** The sample project of the demo: a small shop whose totals are wrong, with a test that fails because of it. */

export const demoProject: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "corner-shop",
  "private": true,
  "scripts": {
    "test": "node --test"
  }
}
`,
  "README.md": `# Corner shop

Adds up an order. Orders of 100 and more get ten per cent off.

Run the tests with \`node --test\`.
`,
  "total.js": `/** The price of an order in cents: ten per cent off from 100.00 on. */
exports.total = function total(lines) {
  const sum = lines.reduce((soFar, line) => soFar + line.price * line.count, 0);
  return sum > 10000 ? Math.round(sum * 0.9) : sum;
};
`,
  "total.test.js": `const { test } = require("node:test");
const assert = require("node:assert/strict");
const { total } = require("./total.js");

test("a small order costs what its lines cost", () => {
  assert.equal(total([{ price: 250, count: 3 }]), 750);
});

test("an order of exactly 100.00 gets ten per cent off", () => {
  assert.equal(total([{ price: 5000, count: 2 }]), 9000);
});
`,
};

/** The request that the demo sends for the person. */
export const demoRequest =
  "A test of this shop fails. Find out why, fix the program and run the tests again.";
