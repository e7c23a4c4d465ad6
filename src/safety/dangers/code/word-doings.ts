/** The words by which code starts, deletes, writes or loads something, and what they do with the texts beside them. */

import { isUnknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, interprets, loads } from "../effect-makers.ts";
import { hiddenDeletion, type Notes, isTold, noteReading, unclear } from "./notes.ts";
import { runsShell } from "./running.ts";
import { isScript, type WordLanguage } from "./word-texts.ts";

export type WordCode = {
  readonly language: WordLanguage;
  readonly text: string;
  /** All texts in it. */
  readonly texts: readonly Word[];
  readonly notes: Notes;
};

/** `isOpen`: a name stands for some of what it is given, which then may be any text of the code. */
type WordCall = WordCode & {
  readonly words: readonly Word[];
  /** The code that gives them. */
  readonly behind: string;
  readonly isOpen: boolean;
};

type Doing = (call: WordCall) => void;

const onMachine = danger("high", "its code acts on processes or on machine code");

export const signs: readonly (readonly [RegExp, (code: WordCode) => unknown])[] = [
  [/\b(?:pcntl_)?fork\b/u, ({ notes }) => notes.facts.add("forks")],
  [
    /\b(?:socket\w*|p?fsockopen|stream_socket_\w+|(?:TCP|UDP|UNIX|SSL)(?:Socket|Server)|IO::Socket\b.*|gen_tcp|TcpStream)\b/u,
    ({ notes }) => notes.facts.add("socket"),
  ],
  [
    /base64_?d|decode_?base64|decode64|rawToChar|intToUtf8|string\.(?:char|reverse)|\.(?:reverse|tr|hex|chr)\b|\bpack\b|unpack|gz(?:inflate|uncompress|decode)|Inflate|gunzip|uncompress|rot13|strrev|hex2bin|unserialize|urldecode|html_entity_decode|convert_uu|\bchr\b|\breverse\b/iu,
    ({ notes }) => notes.facts.add("decodes"),
  ],
  [
    /\b(?:LWP|HTTP::Tiny|Net::(?:HTTP|FTP|SMTP)|URI\.open|open_uri|HTTParty|Faraday|curl_\w+|ftp_\w+|getstore)\b|\bmail\s*\(/u,
    ({ language, notes: { facts, effects } }) => {
      if (!isScript(language)) return;
      facts.add("fetches").add("posts");
      effects.push({ type: "fetches", from: undefined });
    },
  ],
  [/\b(?:sys\.process|sh-exec)\b/u, ({ notes }) => notes.facts.add("starts")],
  [/\bremoveItem\b/u, ({ notes }) => notes.effects.push(hiddenDeletion)],
  [
    /\b(?:package\.loadlib|ffi\.\w+|ccall|dyn\.load|Fiddle|FFI|syscall|chroot|(?:posix_)?set(?:e|re)?[ug]id|(?:posix_|Process\.)kill)\b|(?<![.\w>$@%-])(?:kill|dl)[\s(]/u,
    ({ notes }) => notes.effects.push(onMachine),
  ],
  [
    /\b(?:install\.packages|install_github|Pkg\.add|Mix\.install)\b/u,
    ({ notes }) =>
      notes.effects.push(
        { type: "fetches", from: undefined, registry: true },
        danger("medium", "it installs packages, which run code of their own"),
      ),
  ],
  [
    // What is called has a name that only the run tells, unless a text or a symbol gives it.
    /\b(?:__send__|(?:public_)?send|method|instance_method|define_method|call_user_func\w*|forward_static_call\w*)\b[\s(]+(?![\s(=.,)|]|:\w|["']\w+["']\s*[,)])|\bconst_get\b/u,
    ({ language, notes }) => isScript(language) && notes.effects.push(unclear),
  ],
  [
    /(?:^|[;{}(=,])\s*&\s*[${]|\*\{/u,
    ({ language, notes }) => language === "perl" && notes.effects.push(unclear),
  ],
  [
    /\$\$\w|\$\{|->\s*[${]|::\s*\$\w+\s*\(|\bnew\s+\$|["'\])]\s*\(/u,
    ({ language, notes }) => language === "php" && notes.effects.push(unclear),
  ],
];

const starts: Doing = ({ words, isOpen, texts, notes }) => {
  const text = words.map((word) => word.text.replace(/^\|/u, "")).join(" ");
  const [first = unknownWord()] = words;
  const all = texts.map((word) => word.text);
  runsShell(notes, text === "" ? unknownWord() : withText(first, text));
  if (!isOpen && text !== "") return;
  notes.facts.add("evaluates");
  const possible = text === "" ? all.map((_, at) => all.slice(at)) : [[text, ...all]];
  for (const command of possible) notes.effects.push(interprets("shell", withText(first, command.join(" "))));
};

const deeply = /recursive|rm_rf|\brm -\w*r|_all\b|dir|tree|force/iu;

export const isPath = ({ text }: Word): boolean =>
  /^(?:[~/.]|[\w-]+(?:\/|\.\w{1,5}$))/u.test(text) && !/[\s;]/u.test(text);

const possiblePaths = ({ words, isOpen, texts }: WordCall): readonly Word[] =>
  isOpen ? [...words, ...texts.filter(isPath)] : words;

const deletes: Doing = (call) => {
  const { language, text, words, isOpen, notes } = call;
  const deep = deeply.test(text);
  if (isScript(language) && (isOpen || words.length === 0)) notes.effects.push(hiddenDeletion);
  for (const path of possiblePaths(call))
    notes.effects.push({ type: "deletes", path: { ...path, isPattern: path.text.includes("*") }, deep });
};

const writes: Doing = (call) => {
  call.notes.effects.push(doesMore);
  for (const path of possiblePaths(call).filter(isPath))
    call.notes.effects.push({ type: "writes", path, how: "edits" });
};

const moves: Doing = (call) => {
  const [from] = possiblePaths(call);
  if (from) call.notes.effects.push({ type: "deletes", path: from, deep: true, moved: true });
  writes(call);
};

const permits: Doing = (call) => {
  const [mode] = /\b0?o?[0-7]{3,5}\b/u.exec(call.behind) ?? [];
  call.notes.effects.push(doesMore);
  for (const path of possiblePaths(call))
    call.notes.effects.push({
      type: "permits",
      path,
      mode: mode === undefined ? undefined : withText(path, mode.replace(/^0?o?/u, "")),
      deep: false,
    });
};

const reads: Doing = ({ words, notes }) => noteReading(words.filter(isPath), notes);

/** `open "|command"`; a mode is a text of its own. */
const opens: Doing = (call) => {
  const { language, words, behind } = call;
  const startsWithText = /^[\s(]*["']/u.test(behind);
  const modes = words.slice(startsWithText && language !== "perl" ? 1 : 0);
  const written =
    language === "perl" ? /^\s*(?:\+<|\+?>)/u : /^(?:[wax][bt+]*(?::.*)?$|r[bt]*\+|:?output|:?append)/u;
  const isWritten =
    modes.some(({ text }) => written.test(text)) ||
    /\b(?:O_)?(?:WRONLY|RDWR|CREAT|APPEND|TRUNC)/u.test(behind);
  const isCommand = words.some(({ text }) => /^\s*\||\|\s*$|^\|?-\|?$/u.test(text));
  const isHidden = words.length === 0 && isScript(language) && behind.includes(",");
  const plain = words.map((word) =>
    withText(word, word.text.replace(/^\s*(?:-?\|-?|[+<>]+)\s*|\s*\|\s*$/gu, "")),
  );
  const given = { ...call, words: plain.filter(({ text }) => text !== ""), isOpen: plain.length < 2 };
  if (isCommand) starts(given);
  else if (isWritten || isHidden) writes(given);
  else reads(given);
};

const evaluates: Doing = ({ language, words: [code, ...more], isOpen, text, notes }) => {
  const isPlain = code !== undefined && !isUnknown(code) && !/^https?:/u.test(code.text);
  if (isPlain && !(isOpen || more.length > 0)) notes.effects.push(interprets(language, code));
  else notes.facts.add("evaluates");
  if (isScript(language) && /STDIN|\bgets\b|ARGF|<>|\$_\b|\$<|\bstdin\b|php:\/\/input|^\W*$/u.test(text))
    notes.effects.push({ type: "interprets-input", language });
};

const loadsFiles: Doing = (call) => {
  const { language, words, notes } = call;
  const all = possiblePaths(call);
  if (isScript(language) && (call.isOpen || words.length === 0)) notes.facts.add("evaluates");
  for (const path of all)
    if (/^https?:/u.test(path.text))
      notes.effects.push(danger("critical", "its code runs text from the network"));
    else if (language !== "ruby" || /^[~./]/u.test(path.text)) notes.effects.push(loads(path, language));
    else if (!isTold(language, path.text)) notes.effects.push(doesMore);
};

type Doings = readonly { readonly words: RegExp; readonly does: Doing }[];

export const doingsOf = (language: WordLanguage): Doings => (isScript(language) ? ofScripts : ofOthers);

/** In scripts it may be named by a text or a symbol, but is no variable and no key. */
const word = (names: string): RegExp =>
  new RegExp(
    `(?<![\\w$@%-]|\\[:|[$@%]\\w{1,30}\\{|->\\{)(?:${names})(?![\\w?!]|["']?\\s*(?:=>|:(?!:)|=(?![=~])))`,
    "giu",
  );

const ofScripts: Doings = [
  { words: /`(?<text>[^`]+)`/gu, does: starts },
  {
    words: word(
      "system|exec|spawn|p?open[23]e?|popen|readpipe|pipeline|capture[23]e?|getpty|shell_exec|passthru|proc_open|" +
        "pcntl_exec|expect_popen",
    ),
    does: starts,
  },
  {
    words: word(
      "unlink|rmdir|rmtree|remove_tree|rm_rf?|rm_f|(?:File|Dir|FileUtils)\\W{1,2}(?:delete|rm|remove\\w*|safe_unlink)",
    ),
    does: deletes,
  },
  {
    words: word(
      "(?<![.>])(?:(?:sym)?link|copy|cp|mkdir|mkpath|make_path|touch|truncate|utime|write_file|" +
        "getstore|mirror|tempnam|error_log)(?=['\"]?\\s*[(,]|\\s+[\"'$@\\w])|file_put_contents|sysopen|dbmopen|" +
        "(?:File|IO|Dir)\\W{1,2}(?:(?:bin)?write|(?:sym)?link|truncate|mkfifo|utime|mkdir|mktmpdir|copy_stream|" +
        "sysopen|for_fd)|FileUtils|Tempfile|Pathname|GzipWriter|reopen|IO::File|SplFileObject|asXML|putenv|ini_set",
    ),
    does: writes,
  },
  { words: /\$\^I/gu, does: writes },
  {
    words: word(
      "(?<![.>])(?:rename|move|mv|move_uploaded_file)(?=['\"]?\\s*[(,]|\\s+[\"'$@\\w])|(?:File|FileUtils)\\W{1,2}(?:rename|move|mv)",
    ),
    does: moves,
  },
  { words: word("l?chmod(?:_R)?|l?chown(?:_R)?|chgrp"), does: permits },
  {
    words: word("(?:IO|File|Kernel)\\W{1,2}(?:open|new|read\\w*|foreach|binread)|f?open|(?:gz|bz)open"),
    does: opens,
  },
  {
    words: word(
      "eval(?!\\s*\\{)|(?:instance|class|module)_eval(?!\\s*[{&]|\\s+do\\b)|assert|create_function|RubyVM|ERB|Marshal",
    ),
    does: evaluates,
  },
  {
    words:
      /\bs([/|,#!])(?:\\.|(?!\1)[^\\\n]){0,300}\1(?:\\.|(?!\1)[^\\\n]){0,300}\1[gimsxr]{0,5}e[gimsxr]{0,5}e|\}[gimsxr]{0,5}e[gimsxr]{0,5}e\b/gu,
    does: evaluates,
  },
  {
    words: word(
      "(?:(?<![.>])|Kernel\\W{1,2})(?:load|require(?:_relative|_once)?|include(?:_once)?|autoload)(?=\\s*\\(?\\s*(?:[\"'$@]|(?-i:[a-z_])))|" +
        "do(?=\\s*\\(?\\s*[\"'$])",
    ),
    does: loadsFiles,
  },
];

/** As a whole name, perhaps with its module in front: `uiop:run-program`, `System.cmd`. */
const verb = (names: string): RegExp => new RegExp(`(?<![\\w"'-])(?:${names})(?=[\\s("'\`{!]|$)`, "giu");

const texted = `"(?<text>(?:[^"\\\\\\n]|\\\\.){1,500})"\\)?\\s?`;

const ofOthers: Doings = [
  {
    words: verb(
      "execute|popen|system2?\\*?|spawn|exec|shell(?:_cmd|-command(?:-to-string)?)?|sh|cmd|dos|unix|run|pipeline|" +
        "readchomp|Process(?:Builder)?|Command(?:\\.new)?|Process\\.run|Port\\.open|(?:run|launch)-(?:shell-)?(?:program|command)|" +
        "process\\*?(?:-(?:run|execute|create|spawn))?(?:/ports)?|call-process(?:-region)?|(?:make|start)-process|" +
        "open-(?:input-|output-)?pipe\\*?|sys-system|do shell script|execShellCmd|e?syscmd|exec\\.Command",
    ),
    does: starts,
  },
  { words: new RegExp(`${texted}\\.?(?:execute\\(|!{1,2}(?!=))`, "gu"), does: starts },
  {
    words: verb(
      "rm|rm_rf|unlink|rmdir|remove(?:_all|_file|_dir_all)?|(?:file +)?delete(?:IfExists)?|" +
        "delete-(?:file\\*?|file-recursively|directory|directory-tree|directory/files)|file-delete",
    ),
    does: deletes,
  },
  { words: new RegExp(`${texted}\\.delete\\w*`, "gu"), does: deletes },
  {
    words: verb(
      "write(?:Lines|String|\\.csv)?|spit|sink|saveRDS|dput|(?:file[ .])?(?:rename|copy)|mv|cp|cp_r|move|mkdir(?:_p)?|mkpath|" +
        "(?:dir\\.)?create|symlink|download(?:\\.file)?|urlwrite|output|chmod",
    ),
    does: writes,
  },
  { words: verb("f?open|with-open-file"), does: opens },
  { words: verb("read(?:Lines|RDS|lines|String|\\.csv)?|slurp|lines"), does: reads },
  { words: verb("loadstring|eval|evalin|eval_string|eval_quoted|include_string|evaluate"), does: evaluates },
  { words: verb("dofile|loadfile|source|include|load|require_file|compile_file"), does: loadsFiles },
];
