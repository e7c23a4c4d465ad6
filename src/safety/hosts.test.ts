/** Calls that reach hosts over the network: approvals, grants and rules are per host. */

import { expect, test } from "vitest";
import { modes } from "../protocol/fact-words.ts";
import type { Grant } from "../protocol/facts.ts";
import { evaluatePolicy, type Policy, type Subject } from "./evaluate-policy.ts";
import { grantInWords } from "./grants.ts";
import { deniedOutright, type Rule } from "./rules.ts";
import { commandOf, judgement, level, part, policy } from "./testing/judgements.ts";

const fetching = (...hosts: string[]): Subject => ({ tool: "fetch", does: "read", paths: [], hosts });
const docs = fetching("docs.example.org");
const verdict = (subject: Subject, over: Partial<Policy> = {}) =>
  evaluatePolicy(subject, policy(over)).verdict;
const ruled = (subject: Subject, ...rules: Rule[]) => verdict(subject, { rules: [level("user", ...rules)] });

test("a call to a host asks even if it only reads, and is denied in deny mode or without a user to ask", () => {
  for (const mode of modes.filter((one) => one !== "trusted")) {
    expect(verdict(docs, { mode }), mode).toBe(mode === "deny" ? "deny" : "ask");
    expect(verdict(docs, { mode, interactive: false }), mode).toBe("deny");
  }
  expect(evaluatePolicy(docs, policy())).toMatchObject({
    because: "what it asks for is sent to docs.example.org",
    risk: "medium",
  });
  expect(verdict({ tool: "web_search", does: "read", paths: [] })).toBe("allow");
});

test("the wider grant covers the host and nothing else", () => {
  const { offer } = evaluatePolicy(docs, policy());
  expect(offer).toEqual({
    scopes: ["once", "turn", "session", "project"],
    covers: { type: "tool", tool: "fetch", hosts: ["docs.example.org"] },
    words: "every fetch from docs.example.org, by curl and wget too",
  });
  const grants: Grant[] = offer?.covers ? [offer.covers] : [];
  expect(verdict(docs, { grants })).toBe("allow");
  expect(verdict(docs, { grants, interactive: false })).toBe("allow");
  for (const other of ["example.org", "a.docs.example.org", "docs.example.org:8080", "evil.example"])
    expect(verdict(fetching(other), { grants }), other).toBe("ask");
  expect(verdict(fetching("docs.example.org", "evil.example"), { grants })).toBe("ask");
  expect(verdict({ ...docs, tool: "post" }, { grants })).toBe("ask");
  expect(verdict({ ...docs, guessed: true }, { grants })).toBe("ask");
});

test("a grant for a tool does not cover its hosts, and one for hosts not its other uses", () => {
  const everyUse: Grant = { type: "tool", tool: "fetch" };
  expect(verdict(docs, { grants: [everyUse] })).toBe("ask");
  const write: Subject = { tool: "fetch", does: "change", paths: ["a.ts"] };
  expect(verdict(write, { grants: [{ type: "tool", tool: "fetch", hosts: ["docs.example.org"] }] })).toBe(
    "ask",
  );
  expect(grantInWords(everyUse)).toBe("every use of fetch");
});

test("a rule may name one host or all its subdomains", () => {
  const allow = (host: string): Rule => ({ tool: "fetch", host, decision: "allow" });
  expect(ruled(docs, allow("docs.example.org"))).toBe("allow");
  expect(ruled(docs, allow("DOCS.example.org:443"))).toBe("allow");
  expect(ruled(docs, allow("*.example.org"))).toBe("allow");
  expect(ruled(fetching("example.org"), allow("*.example.org"))).toBe("ask");
  for (const near of ["evilexample.org", "docs.example.org.evil.example", "docs.example.org:8080"])
    expect(ruled(fetching(near), allow("*.example.org"), allow("docs.example.org")), near).toBe("ask");
  expect(ruled(fetching("localhost:3000"), allow("localhost:3000"))).toBe("allow");
  expect(ruled(fetching("localhost:3000"), allow("localhost"))).toBe("ask");
});

test("an allow must cover every host, a deny applies to any, and the first matching rule wins", () => {
  const two = fetching("docs.example.org", "evil.example");
  expect(ruled(two, { tool: "fetch", host: "docs.example.org", decision: "allow" })).toBe("ask");
  expect(ruled(two, { tool: "*", host: "evil.example", decision: "deny" })).toBe("deny");
  const list: Rule[] = [
    { tool: "fetch", host: "docs.example.org", decision: "allow" },
    { tool: "fetch", decision: "deny" },
  ];
  expect([ruled(docs, ...list), ruled(fetching("evil.example"), ...list)]).toEqual(["allow", "deny"]);
});

test("a rule about hosts does not apply to calls that name none", () => {
  const command = commandOf(judgement([part("curl https://evil.example", { kind: "builds" })]));
  const read: Subject = { tool: "read_file", does: "read", paths: ["a.ts"] };
  const deny: Rule = { tool: "*", host: "evil.example", decision: "deny" };
  expect([ruled(command, deny), ruled(read, deny)]).toEqual([verdict(command), "allow"]);
  const allow: Rule = { tool: "*", host: "*.example", decision: "allow" };
  const change: Subject = { tool: "write_file", does: "change", paths: ["a.ts"] };
  expect(ruled(change, allow)).toBe("ask");
  expect(deniedOutright([level("user", deny)], "fetch")).toBeUndefined();
});

test("a tool that runs commands as another tool is also subject to that tool's rules", () => {
  const tested: Subject = { ...commandOf(judgement([part("npm test")])), tool: "build", as: "run_command" };
  const deny: Rule = { tool: "run_command", command: "npm test*", decision: "deny" };
  expect(ruled(tested, deny)).toBe("deny");
  expect(ruled(tested, { tool: "build", decision: "ask" })).toBe("ask");
  expect(ruled({ ...tested, tool: "build" }, { tool: "write_file", decision: "deny" })).toBe("allow");
});

test("in staged mode a stageable file change needs no approval, another tool's action does", () => {
  const elsewhere: Subject = { tool: "mcp__x__send", does: "execute", paths: [], stages: true };
  expect(verdict(elsewhere, { mode: "staged" })).toBe("ask");
  const change: Subject = { tool: "write_file", does: "change", paths: ["a.ts"], stages: true };
  expect(verdict(change, { mode: "staged" })).toBe("allow");
});
