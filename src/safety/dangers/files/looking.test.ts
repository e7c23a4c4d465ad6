import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { looking } from "./looking.ts";

test.each<[string, string[]]>([
  ["file -C -m magic", ["reads magic", "writes magic.mgc replaces"]],
  ["file a", ["reads a"]],
  ["date", []],
  ["date -s now", ["danger high it sets the clock of this machine"]],
  ["date --set=now", ["danger high it sets the clock of this machine"]],
  ["date 010203042026", ["danger high it sets the clock of this machine"]],
  ["date +%F", ["prints 0\n"]],
  ["date +rm%%%Y-%m", ["prints rm%0-0\n"]],
  ["hostname", []],
  ["hostname evil", ["danger high it renames this machine"]],
  ["hostname -F name", ["reads name", "danger high it renames this machine"]],
  ["hostnamectl set-hostname x", ["danger high it changes settings of this machine"]],
  ["hostnamectl status", []],
  ["printenv", ["prints secret variables"]],
  ["printenv PATH", []],
  ["logger -f a.log", ["danger none it does more than read", "reads a.log"]],
  ["logger -n x.example -f a.log", ["danger none it does more than read", "sends x.example  a.log"]],
  ["printenv TOKEN", ["prints secret"]],
  ["ps aux", []],
  ["ps auxe", ["prints secret"]],
  ["ps -ef", []],
  ["getent shadow", ["reads /etc/shadow"]],
  ["getent passwd", []],
  ["uuidgen", ["prints random"]],
  ["basename src/a.ts", ["prints a.ts\n"]],
  ["basename src/a.ts .ts", []],
  ["dirname src/a.ts", ["prints src\n"]],
  ["dirname ?path", []],
  ["pwd", ["prints /home/dev/proj"]],
  ["gum spin -s dot -- npm test", ["runs npm test"]],
  ["inotifywait -o log src", ["writes log replaces"]],
  ["lpr a", ["reads a"]],
])("inspection tools report what they read, set or reveal: %s", (line, effects) => {
  expect(told(effectsOf(looking, line))).toEqual(effects);
});
