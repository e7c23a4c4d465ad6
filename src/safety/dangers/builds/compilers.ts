/** Compilers, linkers, and tools that inspect binaries. */

import { type Word, withText } from "../../command-line/word.ts";
import { always, byTask } from "../checking.ts";
import { danger, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsInstead, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { tool } from "./building.ts";

export const compilers: readonly Program[] = [
  program(
    `gcc g++ cc c++ c89 c99 clang clang++ clang-cl cpp gfortran gobjc gnat gdc icc icx icpc tcc emcc
      em++ nvcc hipcc mpicc mpicxx musl-gcc x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-none-eabi-gcc
      i686-linux-gnu-gcc x86_64-w64-mingw32-gcc riscv64-linux-gnu-gcc clang-15 clang-16`,
    compiles,
    { checks: always, kind: "builds" },
  ),
  program("ld ld.bfd ld.gold ld.lld lld mold wild collect2", links, { kind: "builds" }),
  tool("rustc rustdoc", {
    checks: always,
    short: "LlAWDF",
    long: "edition crate-type crate-name emit cfg target extern cap-lints test-args color error-format",
    writes: "o out-dir output",
    runs: "runtool test-runtool test-builder",
    more: rust,
  }),
  tool("ghc ghc-pkg happy hsc2hs c2hs", {
    oneDash: true,
    writes: "o odir hidir outputdir stubdir dumpdir",
    long: "package main-is x I L l",
    runs: "pgmF pgmL pgmP pgma pgml pgmc",
    loads: "plugin-package package-db",
    more: ({ operands, has, options }) => [
      ...reads(operands),
      ...(has("e") || options.some(({ name }) => name.startsWith("e "))
        ? [danger("high", "its option -e runs code")]
        : []),
    ],
  }),
  tool("ocamlc ocamlopt ocamlfind ocamlbuild ocamldep ocamllex ocamlyacc menhir dune", {
    oneDash: true,
    writes: "o",
    runs: "pp",
    loads: "ppx root",
    long: "package I",
    verbs: 2,
  }),
  tool(
    `swiftc dmd ldc2 gdmd v odin c3c carbon jai valac vala gcj fpc pascal cobc gnatmake gprbuild mcs csc
      vbc fsharpc fsc mono-csc haxe nasm yasm fasm as gas llc opt llvm-as llvm-link iasm z80asm ca65
      sdcc avr-gcc verilator iverilog ghdl yosys nextpnr glslc glslangvalidator dxc spirv-as wat2wasm
      wasm2wat wasm-ld wasm-objdump`,
    {
      checks: always,
      oneDash: true,
      writes: "o of out output",
      long: "I L l target f module-name D",
      more: ({ operands }) => reads(operands),
    },
  ),
  program("zig", zig, { checks: byTask, kind: "builds", verbs: 2, options: { stopAtOperand: true } }),
  program("crystal", crystal, {
    kind: "builds",
    options: { short: "oDd", long: ["output", "link-flags", "threads"] },
    verbs: 2,
  }),
  tool("nim nimc", { short: "do", writes: "o out outdir nimcache", long: "define path", verbs: 2 }),
  program("buildcache", ({ operands }) => (operands.length > 0 ? [runs(operands)] : []), {
    kind: "wrapper",
    options: { stopAtOperand: true, short: "oMFx" },
  }),
  tool("objcopy install_name_tool strip llvm-strip llvm-objcopy patchelf chrpath dsymutil", {
    oneDash: true,
    writes: "o output",
    long: "set-rpath set-interpreter add-needed remove-needed replace-needed O I j R K N s sign",
    more: ({ operands, values }) =>
      values("o", "output").length > 0
        ? reads(operands)
        : operands.slice(-1).map((path): Effect => ({ type: "writes", path, how: "edits" })),
  }),
  tool(
    `nm objdump readelf size addr2line c++filt otool dwarfdump llvm-nm llvm-objdump llvm-readelf
      llvm-size llvm-cov llvm-profdata gcov gcovr lcov genhtml gprof elfedit pahole bloaty checksec
      eu-readelf dumpbin sizes`,
    {
      short: "jneMCts",
      writes: "o output output-file output-directory html xml",
      more: ({ operands }) => reads(operands),
    },
  ),
  program("ldd", ({ operands }) => operands.map((path) => loads(path)), { kind: "builds" }),
  tool(
    `pkg-config pkgconf llvm-config python-config python3-config ncurses6-config curl-config sdl2-config
      xml2-config config.guess cmakelint`,
  ),
  tool(
    `bison yacc byacc flex lex re2c ragel lemon peg antlr antlr4 swig gperf gengetopt m4sugar rpcgen
      wayland-scanner moc uic rcc qmake qmake6 lupdate lrelease glib-compile-resources
      glib-compile-schemas gdbus-codegen msgfmt xgettext msgmerge msginit`,
    { writes: "o output output-file header defines d outdir", short: "pLSP" },
  ),
];

/** Compiler options are words with one dash; these take their value from the next word. */
const valued = new Set(
  namesIn(`-o -x -I -L -D -U -include -imacros -isystem -iquote -idirafter -isysroot -MF -MT -MQ
    -Xlinker -Xassembler -Xpreprocessor -T -u -arch -framework -target --param -aux-info -B -specs -load
    -wrapper -z -l -std`),
);

function* compiles({ words: given }: Use): Iterable<Effect> {
  const words = given.filter(({ text }) => text !== "-Xclang"); // passes the next word on unchanged
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) break;
    const next = words[at + 1];
    if (!word.text.startsWith("-")) {
      yield* readsSource(word);
      continue;
    }
    const takesNext = valued.has(word.text);
    yield* optionOf(word, takesNext ? next : undefined);
    if (takesNext) at += 1;
  }
  if (words.some(({ text }) => text === "-run"))
    yield* scriptOrInput(
      words.filter(({ text }) => !text.startsWith("-")),
      "other",
    );
}

function* readsSource(word: Word): Iterable<Effect> {
  if (word.text.startsWith("@")) yield { type: "reads", path: withText(word, word.text.slice(1)) };
  else if (word.text !== "-") yield { type: "reads", path: word };
}

/** The effects of one option, whose value is attached or in the next word. */
function* optionOf(word: Word, next: Word | undefined): Iterable<Effect> {
  const { text } = word;
  const inside = (length: number): Word | undefined =>
    next ?? (text.length > length ? withText(word, text.slice(length)) : undefined);
  const value = /^-(?:o|MF)/u.test(text) ? inside(text.startsWith("-MF") ? 3 : 2) : undefined;
  if (value && value.text !== "-" && !/^-o(?:penmp|bjc)/u.test(text)) yield* replaces([value]);
  if (text.startsWith("-B") && !text.startsWith("-Bs") && !text.startsWith("-Bd")) yield* loaded(inside(2));
  for (const front of ["-fplugin=", "-specs=", "--specs=", "-fpass-plugin=", "--config=", "-fuse-ld=/"])
    if (text.startsWith(front))
      yield* loaded(withText(word, text.slice(front.endsWith("/") ? front.length - 1 : front.length)));
  if (text === "-specs" || text === "-load") yield* loaded(next);
  if (text === "-wrapper" && next)
    yield* runsInstead("-wrapper", withText(next, next.text.replaceAll(",", " ")));
  if ((text === "-include" || text === "-imacros") && next) yield* reads([next]);
  for (const front of ["--output=", "-fdump-file=", "-save-temps="])
    if (text.startsWith(front) && text.includes("/"))
      yield* replaces([withText(word, text.slice(front.length))]);
}

const loaded = (path: Word | undefined): Effect[] => (path ? [loads(path)] : []);

function* links({ words }: Use): Iterable<Effect> {
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (word.text === "-o" && next) yield* replaces([next]);
    else if (/^-o./u.test(word.text)) yield* replaces([withText(word, word.text.slice(2))]);
    if (/^--?output=/u.test(word.text)) yield* replaces([withText(word, word.text.replace(/^[^=]*=/u, ""))]);
    if (word.text.startsWith("-Map=")) yield* replaces([withText(word, word.text.slice(5))]);
    if (/^--?plugin$/u.test(word.text)) yield* loaded(next);
  }
}

/** `-C linker=x` and similar options name programs to run. */
function* rust({ words, operands }: Use): Iterable<Effect> {
  yield* reads(operands.filter(({ text }) => text !== "-"));
  for (const [at, word] of words.entries()) {
    const setting =
      word.text === "-C" || word.text === "--codegen"
        ? words[at + 1]
        : withText(word, word.text.replace(/^-C/u, ""));
    const linker = /^linker=(.*)$/su.exec(setting?.text ?? "")?.[1];
    if (linker !== undefined && !/^(?:(?:rust-)?lld|clang|gcc|cc|mold|ld|[\w-]+-gcc)$/u.test(linker))
      yield* runsInstead("-C linker", withText(word, linker));
  }
}

function* crystal({ operands: [verb, ...rest], values }: Use): Iterable<Effect> {
  yield* replaces(values("o", "output"));
  if (verb?.text === "eval") yield* rest.map((code) => interprets("other", code));
  else yield* rest.filter(({ text }) => text.endsWith(".cr")).map((path) => loads(path));
}

function* zig({ operands, ...use }: Use): Iterable<Effect> {
  const [verb, ...rest] = operands;
  if (verb?.text === "cc" || verb?.text === "c++") yield* compiles({ ...use, operands: rest, words: rest });
  if (verb?.text === "run")
    yield* rest.filter(({ text }) => text.endsWith(".zig")).map((path) => loads(path));
  for (const word of rest)
    if (word.text.startsWith("-femit-bin=")) yield* replaces([withText(word, word.text.slice(11))]);
}
