import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { commandHelp } from "./command-help.ts";
import { commands } from "./commands.ts";
import { widthFor } from "./help-words.ts";
import { everythingText, helpText } from "./help.ts";
import { optionGroups, options } from "./options.ts";

const parse = (argv: string[], env: NodeJS.ProcessEnv = {}) => parseArguments(argv, env);
const problem = (argv: string[], env: NodeJS.ProcessEnv = {}) => {
  const parsed = parse(argv, env);
  return parsed.ok ? undefined : parsed.problem;
};

test("without arguments a conversation starts, with no message yet", () => {
  expect(parse([])).toEqual({ ok: true, value: { command: "chat", words: [], flags: {}, environment: {} } });
});

test("words that are no command become the first message", () => {
  expect(parse(["fix", "the test", "--model", "a/b"])).toEqual({
    ok: true,
    value: { command: "chat", words: ["fix", "the test"], flags: { model: "a/b" }, environment: {} },
  });
});

test("-p and -m take what follows them, numbers become numbers, switches true", () => {
  const argv = [
    "-p",
    "do it",
    "-m",
    "a/b",
    "--max-rounds=7",
    "--offline-model",
    "--output",
    "stream-json",
    "-c",
  ];
  expect(parse(argv)).toEqual({
    ok: true,
    value: {
      command: "chat",
      words: [],
      flags: {
        prompt: "do it",
        model: "a/b",
        maxRounds: 7,
        offlineModel: true,
        output: "stream-json",
        continue: true,
      },
      environment: {},
    },
  });
});

test("an option given twice with different values is refused, unless it repeats or is a setting, whose last value wins", () => {
  const problem = (...argv: string[]) => {
    const read = parseArguments(argv, {});
    return read.ok ? undefined : read.problem;
  };
  for (const { flag, repeats, inConfig, type } of options) {
    if (type.kind !== "text") continue;
    const twice = problem(`--${flag}`, "one", `--${flag}`, "two");
    if (repeats || inConfig) expect(twice ?? "").not.toContain("twice");
    else expect(twice).toContain("twice");
  }
  expect(parseArguments(["--model", "a/b", "--model", "c/d"], {})).toMatchObject({
    value: { flags: { model: "c/d" } },
  });
  expect(problem("-p", "hi", "-p", "ho")).toBe("-p is given twice, with different values: give it once");
  expect(problem("-p", "hi", "--mode", "ask", "--mode=ask", "--verbose", "--verbose")).toBeUndefined();
});

test("each command is known by its name, and keeps the words after it", () => {
  for (const { name } of commands)
    expect(parse([name, "x"])).toMatchObject({ ok: true, value: { command: name, words: ["x"] } });
});

test.each(["models", "sessions", "doctor", "probe"])("%s accepts --output json", (name) => {
  expect(parse([name, "--output", "json"])).toMatchObject({
    ok: true,
    value: { command: name, flags: { output: "json" } },
  });
});

test("everything after -- goes to the model, even a command's name", () => {
  expect(parse(["--", "models"])).toMatchObject({ ok: true, value: { command: "chat", words: ["models"] } });
  expect(parse(["--", "--mode"])).toMatchObject({ ok: true, value: { command: "chat", words: ["--mode"] } });
});

test("environment variables form a layer of their own", () => {
  const env = { TOOLWRIGHT_MODEL: "a/b", TOOLWRIGHT_MAX_ROUNDS: "9", TOOLWRIGHT_MODE: "", OTHER: "x" };
  expect(parse(["--model", "c/d"], env)).toMatchObject({
    ok: true,
    value: { flags: { model: "c/d" }, environment: { model: "a/b", maxRounds: 9 } },
  });
});

test("several words are a message, even if the first resembles a command", () => {
  for (const said of ["model the database", "server crashes on start", "prove that it works", "test 1"])
    expect(parse(said.split(" "))).toMatchObject({
      ok: true,
      value: { command: "chat", words: said.split(" ") },
    });
});

test("an empty -p is refused, a single dash is a value", () => {
  expect(problem(["-p", ""])).toBe('-p must be a non-empty text, not ""');
  expect(parse(["-p", "-"])).toMatchObject({ ok: true, value: { flags: { prompt: "-" } } });
});

test.each([
  [["--outptu", "json"], 'There is no option --outptu (did you mean "--output"?)'],
  [["-x"], "There is no option -x: see toolwright --help"],
  [["--__proto__"], "There is no option --__proto__: see toolwright --help"],
  [["-p"], "-p needs a value: -p, --prompt TEXT|-"],
  [["-p", "--model", "a/b"], "-p needs a value: -p, --prompt TEXT|-"],
  [["--resume", "-c"], "--resume needs a value: -r, --resume SESSION"],
  [["--verbose=3"], "--verbose takes no value"],
  [
    ["--mode", "aks"],
    '--mode must be one of ask, accept-edits, plan, auto, deny, staged, trusted, not "aks" (did you mean "ask"?)',
  ],
  [
    ["modles"],
    'There is no command "modles" (did you mean "models"?); to say it to the model: toolwright -- modles',
  ],
  [
    ["version"],
    'There is no command "version": toolwright --version shows it; to say it to the model: toolwright -- version',
  ],
  [
    ["session", "list"],
    'There is no command "session" (did you mean "sessions"?); to say it to the model: toolwright -- session list',
  ],
  [["--json"], 'There is no option --json (did you mean "--output json"?)'],
  [["--plan", "-p", "x"], 'There is no option --plan (did you mean "--mode plan"?)'],
  [
    ["hello"],
    'There is no command "hello": toolwright --help lists them; to say it to the model: toolwright -- hello',
  ],
  [
    ["exec"],
    'There is no command "exec": toolwright -p "…" does one request, and toolwright "…" begins a conversation; to say it to the model: toolwright -- exec',
  ],
  [
    ["--timeout", "fast", "-p", "x"],
    '--timeout must be a time such as 90s, 15m or 2h, of 24h at most, not "fast"',
  ],
  [
    ["--session-id", "mine", "-c", "-p", "x"],
    "--continue and --session-id exclude each other: give one of them",
  ],
  [["demo", "--output", "json"], "toolwright demo prints no json"],
  [["models", "--output", "stream-json"], "toolwright models prints no stream-json: use --output json"],
  [
    ["-p", "list", "models"],
    '-p has its prompt already, and "models" follows it: put the whole prompt in quotes',
  ],
  [["-c", "-r", "s1"], "--continue and --resume exclude each other: give one of them"],
])("%j is refused in one clear line", (argv, expected) => {
  expect(problem(argv)).toBe(expected);
});

test.each(["100001", "0", "-3", "7.5", "1e2", "many", " 7", "٧"])(
  "A11: --max-rounds=%s is outside of 1 to 100000",
  (text) => {
    expect(problem([`--max-rounds=${text}`])).toBe(
      `--max-rounds must be a whole number from 1 to 100000, not "${text}"`,
    );
  },
);

test.each([
  ["0", 0],
  ["90s", 90_000],
  ["15m", 900_000],
  ["24h", 86_400_000],
])("--retry-for %s is %i milliseconds", (text, retryFor) => {
  expect(parse(["--retry-for", text])).toMatchObject({ ok: true, value: { flags: { retryFor } } });
});

test.each(["90", "-1s", "25h", "ten minutes", "s", ".5h"])("--retry-for=%s is no duration", (text) => {
  expect(problem([`--retry-for=${text}`])).toBe(
    `--retry-for must be a time such as 90s, 15m or 2h, of 24h at most, or 0, not "${text}"`,
  );
});

test("A11: 1 to 100,000 rounds are allowed", () => {
  expect(parse(["--max-rounds", "1"])).toMatchObject({ ok: true, value: { flags: { maxRounds: 1 } } });
  expect(parse(["--max-rounds", "100000"])).toMatchObject({
    ok: true,
    value: { flags: { maxRounds: 100_000 } },
  });
});

test("an invalid variable is named, and hides no help", () => {
  const environmentProblem =
    'The environment variable TOOLWRIGHT_MODE must be one of ask, accept-edits, plan, auto, deny, staged, trusted, not "yolo"';
  const parsed = parse(["--help"], { TOOLWRIGHT_MODE: "yolo" });
  expect(parsed).toMatchObject({ ok: true, value: { help: "overview", environmentProblem } });
});

test("any arguments yield a value or a one-line problem", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("--", "-", "--=", "-p", "--mode"))),
      (argv) => {
        const parsed = parse(argv);
        if (!parsed.ok) expect(parsed.problem.split("\n")).toHaveLength(1);
      },
    ),
  );
});

test("names, flags, letters and variables are each used once", () => {
  for (const key of ["name", "flag", "short", "variable"] as const) {
    const used = options.map((option) => option[key]).filter((value) => value !== undefined);
    expect(new Set(used).size).toBe(used.length);
  }
});

test("--help fits a screen of 24 rows and 80 columns, with every command and the options that are used most", () => {
  const rows = helpText(80).split("\n");
  expect(rows.length).toBeLessThanOrEqual(24);
  for (const { name } of commands) expect(helpText(80)).toMatch(new RegExp(`[ ,]${name}(?:,|\n)`, "u"));
  for (const { flag, brief } of options.filter(({ only }) => only === undefined))
    expect([flag, helpText(80).includes(`  --${flag} `) || helpText(80).includes(`, --${flag} `)]).toEqual([
      flag,
      brief !== undefined,
    ]);
});

test("--help all explains every shared option once, under its heading, and every command", () => {
  const text = everythingText(80);
  const shared = options.filter(({ only }) => only === undefined).map(({ flag }) => flag);
  const explained = [...text.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gmu)].map(([, flag]) => flag);
  expect(explained).toHaveLength(shared.length);
  expect(new Set(explained)).toEqual(new Set(shared));
  for (const title of Object.values(optionGroups)) expect(text).toContain(`\n\n${title}:\n`);
  for (const { name, help } of commands)
    expect(text).toMatch(new RegExp(`^  ${name}\\b.*${help.slice(0, 12)}`, "mu"));
});

test("no line of the help is wider than the terminal, which is used up to 120 columns", () => {
  for (const columns of [40, 57, 80, 200]) {
    const width = widthFor(columns);
    expect(width).toBe(Math.min(columns, 120));
    const tables = [
      helpText(width),
      everythingText(width),
      ...commands.map(({ name }) => commandHelp(name, width)),
    ];
    const longWord = width - 10;
    for (const line of tables.join("\n").split("\n"))
      if (
        line
          .trim()
          .split(" ")
          .every((word) => word.length < longWord)
      )
        expect(line.length).toBeLessThanOrEqual(width);
  }
  expect(widthFor(1)).toBe(40);
});

test("explain takes its command line only in quotes or after --", () => {
  const words = (argv: string[]) => {
    const parsed = parse(argv);
    return parsed.ok ? [parsed.value.command, ...parsed.value.words] : parsed.problem;
  };
  expect(words(["explain", "rm -rf /"])).toEqual(["explain", "rm -rf /"]);
  expect(words(["explain", "--", "rm", "-rf", "/"])).toEqual(["explain", "rm", "-rf", "/"]);
  expect(words(["--mode", "auto", "explain", "--", "-x"])).toEqual(["explain", "-x"]);
  const quotes = "Put the whole command in quotes, or behind --: toolwright explain -- ";
  expect(words(["explain", "rm", "-rf", "/"])).toBe(`${quotes}rm /`);
  expect(words(["explain", "rm", "-rf"])).toBe(`${quotes}rm`);
  expect(words(["explain", "git", "status"])).toBe(`${quotes}git status`);
  expect(words(["mcp", "add", "x", "--", "npx", "-y"])).toEqual(["mcp", "add", "x", "npx", "-y"]);
  expect(words(["explain", "a", "--", "b"])).toBe(`${quotes}a b`);
});
