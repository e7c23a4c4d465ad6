/** Programs that search for files, and for text in files. */

import { joined, literal, unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  edits,
  nothing,
  printsFound,
  readsFiles,
  readsOperands,
  runsByOption,
  runsByOptions,
  writes,
} from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { readOptions } from "../use.ts";
import { find } from "./find.ts";

const grepForm: OptionForm = {
  short: "efmABCdD",
  long: namesIn(`regexp file max-count after-context before-context context directories devices label include
        exclude exclude-from exclude-dir binary-files group-separator`),
  known: namesIn(`recursive ignore-case files-with-matches files-without-match fixed-strings color colour`),
};

const rgForm: OptionForm = {
  short: "efgtTABCmMjEdr",
  long: namesIn(`regexp file glob iglob type type-not type-add type-clear after-context before-context
    context max-count max-columns max-depth maxdepth max-filesize threads encoding replace sort sortr
    engine color colors pre pre-glob hostname-bin hyperlink-format ignore-file path-separator
    context-separator generate field-context-separator field-match-separator dfa-size-limit
    regex-size-limit`),
};

const fdForm: OptionForm = {
  short: "dEtTSoecjC",
  long: namesIn(`max-depth min-depth exact-depth exclude type extension size changed-within
    changed-before newer older owner color threads max-buffer-time batch-size ignore-file search-path
    base-directory path-separator format and max-results gen-completions changed-after`),
};

/**
 * Prints the given names, or those in the current directory. Files in other directories are listed without their path.
 */
function* lists({ operands, has }: Use): Iterable<Effect> {
  if (has("l", "help", "version", "long", "R", "recursive", "T", "tree")) return;
  const names = operands.length === 0 ? [{ ...literal("*"), isPattern: true }] : operands;
  if (operands.every(({ isPattern }) => isPattern))
    yield { type: "prints", text: { ...joined(names, "\n"), isPattern: true } };
}

export const finding: readonly Program[] = [
  find,
  program("fd fdfind", findsByName, { kind: "wrapper", options: fdForm }),
  program("locate plocate mlocate slocate mdfind", nothing),
  program("updatedb", () => [danger("high", "it rebuilds the system's index of files")]),
  program("which whereis where gwhich apropos whatis", nothing),
  program("ls gls dir gdir vdir exa eza lsd ll la l lla colorls", lists, {
    options: { short: "ITw", long: ["ignore", "hide", "width", "tabsize", "sort", "time", "time-style"] },
  }),
  program(
    "tree",
    ({ values }) => [
      ...writes(values("o", "output"), "replaces"),
      ...readsFiles(values("gitfile", "infofile")),
    ],
    {
      options: {
        short: "LPIHToR",
        long: ["charset", "filelimit", "timefmt", "sort", "gitfile", "infofile", "output"],
      },
    },
  ),

  program("grep egrep fgrep ggrep pcregrep pcre2grep rgrep bgrep", searches, { options: grepForm }),
  program("rg ripgrep rga", searchesFast, { options: rgForm }),
  program("ag", searchesPaged, {
    options: {
      short: "ABCmGpW",
      long: namesIn(`after before context max-count file-search-regex ignore ignore-dir path-to-ignore pager depth
        workers width`),
    },
  }),
  program("ack ack-grep", searchesPaged, {
    options: {
      short: "ABCmg",
      long: namesIn(`pager ackrc files-from match type ignore-dir ignore-file output type-set type-add max-count
        context`),
    },
  }),
  program("ugrep ug", searchesPaged, {
    options: {
      short: "ABCDdefgjJKMmNOotT",
      long: namesIn("filter pager view config regexp file glob include exclude file-type context"),
    },
  }),
  program("pt sift fgr sgrep tgrep", (use) => readsFiles(use.operands.slice(1))),
  program("fzf sk peco fzy", picks, {
    options: {
      short: "fqdnem",
      long: namesIn(`preview bind query filter delimiter with-nth nth height header prompt preview-window expect
        history cmd`),
    },
  }),
  program(
    "sd",
    ({ operands, has }) => {
      const paths = operands.slice(2);
      return has("p", "preview") ? readsFiles(paths) : edits(paths);
    },
    { options: { short: "fn", long: ["flags", "max-replacements"] } },
  ),
  program("ast-grep sg-code", rewrites, {
    options: {
      short: "prlcj",
      long: namesIn("pattern rewrite lang config threads globs rule inline-rules selector strictness"),
    },
  }),
  program(
    "comby",
    ({ operands, has }) => {
      const paths = operands.slice(2);
      return has("i", "in-place") ? edits(paths.length > 0 ? paths : [literal(".")]) : readsFiles(paths);
    },
    { options: { oneDash: true, long: ["d", "directory", "f", "matcher", "config", "templates", "rule"] } },
  ),
  program("fdupes jdupes rdfind", ({ operands, has }) =>
    has("d", "delete", "deleteduplicates")
      ? [danger("high", "it deletes files whose content stands elsewhere too"), ...edits(operands)]
      : readsFiles(operands),
  ),
  program(
    "ctags etags universal-ctags gtags",
    ({ operands, value }) => [
      ...readsFiles(operands),
      ...writes([value("f", "o", "output") ?? literal("tags")], "replaces"),
    ],
    { options: { short: "fohILR", long: ["output", "languages", "exclude", "fields", "kinds"] } },
  ),
  program("cscope global", readsOperands, { options: { short: "fiIpsPL0123456789" } }),
];

/** The first operand is the pattern, unless an option supplies it. */
function* searches({ operands, values, has }: Use): Iterable<Effect> {
  yield* readsFiles(values("f", "file", "exclude-from"));
  const searched = has("e", "f", "regexp", "file") ? operands : operands.slice(1);
  yield* readsFiles(searched);
  if (has("l", "L", "files-with-matches", "files-without-match")) yield printsFound(orHere(searched));
}

const orHere = (starts: readonly Word[]): readonly Word[] => (starts.length > 0 ? starts : [literal(".")]);

const withoutPattern = ["e", "f", "regexp", "file", "files", "type-list", "generate"];

function* searchesFast(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, ["pre", "hostname-bin"]);
  yield* readsFiles(use.values("f", "file", "ignore-file"));
  const searched = use.has(...withoutPattern) ? use.operands : use.operands.slice(1);
  yield* readsFiles(searched);
  if (use.has("l", "files", "files-with-matches", "files-without-match")) yield printsFound(orHere(searched));
}

function* searchesPaged(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, ["pager", "filter", "view"]);
  yield* readsFiles(use.values("ackrc", "files-from", "p", "path-to-ignore", "f", "file"));
  yield* readsFiles(use.has("e", "match", "regexp", "f") ? use.operands : use.operands.slice(1));
}

/** `--bind 'enter:execute(rm {})'` and `--preview 'cat {}'` run commands. */
function* picks(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, ["preview", "cmd"]);
  for (const binding of use.values("bind"))
    if (/execute|become|reload|transform|preview\(|start:/u.test(binding.text))
      yield* runsByOption("--bind", binding);
}

function* rewrites({ operands, has }: Use): Iterable<Effect> {
  const verbs = new Set(["run", "scan", "test", "new", "lsp", "completions"]);
  const paths = verbs.has(operands[0]?.text ?? "") ? operands.slice(1) : operands;
  if (has("U", "update-all", "i", "interactive")) yield* edits(paths.length > 0 ? paths : [literal(".")]);
  else yield* readsFiles(paths);
}

/** `fd pattern directory -e ts -x command {}`: everything after `-x` is the command, up to `;`. */
function* findsByName(use: Use): Iterable<Effect> {
  yield* readsFiles(use.values("ignore-file"));
  const at = use.words.findIndex(({ text }) => commandOption.test(text));
  if (at < 0) {
    yield printsFound(
      orHere([...use.values("search-path", "base-directory", "C"), ...use.operands.slice(1)]),
    );
    return;
  }
  const [name, ...places] = readOptions(use.words.slice(0, at), fdForm).operands;
  const starts = [...use.values("search-path", "base-directory", "C"), ...places];
  const found = manyAs(starts.length > 0 ? starts : [literal(".")]).map((start) =>
    foundBelow(start, use, name),
  );
  for (const command of commandsIn(use.words.slice(at)))
    for (const path of found) yield runs(withPath(command, path));
}

/** Unusually many starting points are treated as a single unknown one. */
const manyAs = (starts: readonly Word[]): readonly Word[] => (starts.length > 8 ? [unknownWord()] : starts);

const commandOption = /^(?:-[HILalsgipuq0Fv1]*[xX]|--exec(?:-batch)?(?:=(.*))?)$/su;

function foundBelow(start: Word, use: Use, name: Word | undefined): Word {
  const ending = use.value("e", "extension");
  const isGlob = use.has("g", "glob") || /^[\w-]*$/u.test(name?.text ?? "");
  const last =
    name && isGlob && name.text !== "" ? (use.has("g", "glob") ? name.text : `*${name.text}*`) : "?*";
  const text = ending ? `*.${ending.text}` : last;
  return { ...below(below(start, literal("**")), literal(text)), isPattern: true };
}

function commandsIn(words: readonly Word[]): Word[][] {
  const commands: Word[][] = [];
  let isOpen = false;
  for (const word of words) {
    if (!isOpen && commandOption.test(word.text)) {
      const [, given] = commandOption.exec(word.text) ?? [];
      commands.push(given === undefined ? [] : [withText(word, given)]);
      isOpen = true;
    } else if (word.text === ";") isOpen = false;
    else if (isOpen) commands.at(-1)?.push(word);
  }
  return commands.filter((command) => command.length > 0);
}

const placeholder = /\{(?:|\/|\/\/|\.|\/\.)\}/gu;

function withPath(command: readonly Word[], path: Word): Word[] {
  const takes = command.some(({ text }) => text.search(placeholder) >= 0);
  const filled = command.map((word) =>
    word.text.search(placeholder) < 0
      ? word
      : { ...path, text: word.text.replaceAll(placeholder, path.text) },
  );
  return takes ? filled : [...filled, path];
}
