const assert = require("node:assert");
const test = require("node:test");

const { slug } = require("./slug.js");

test("two words", () => {
  assert.strictEqual(slug("Hello World"), "hello-world");
});

test("three words", () => {
  assert.strictEqual(slug("One Two Three"), "one-two-three");
});
