import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";
import { permissions } from "./permissions.ts";

test.each<[string, string[]]>([
  ["chmod 777 a b", ["permits a 777", "permits b 777"]],
  ["chmod -R u+x bin", ["permits bin u+x deep"]],
  ["chmod -x a", ["permits a -x"]],
  ["chmod -w,u+r a", ["permits a -w,u+r"]],
  ["chmod -R -w a", ["permits a -w deep"]],
  ["chmod --reference=a b", ["reads a", "permits b …"]],
  ["chmod ?mode a", ["permits a …"]],
  ["chown -R dev:dev a", ["permits a deep"]],
  ["chgrp staff a", ["permits a"]],
  ["chown --reference=a b", ["reads a", "permits b"]],
  ["setfacl -m u:bob:rwx a", ["permits a"]],
  ["setfacl -R -m o::rwX a", ["permits a o+rwX deep"]],
  [
    "setfacl --restore=acls",
    ["reads acls", "danger high it changes who may use the files that a list names"],
  ],
  ["chattr +i a", ["permits a", "danger high it changes what protects files even from their owner"]],
  ["chattr -R -a a", ["permits a deep", "danger high it changes what protects files even from their owner"]],
  ["chcon -R -t httpd_t a", ["permits a deep"]],
  [
    "setcap cap+ep tool",
    ["danger critical it gives a program rights that only the administrator has", "writes tool edits"],
  ],
  ["setcap -v cap+ep tool", []],
  ["umask 022", []],
  ["umask 0", ["danger high it lets everybody change the files that are made from now on"]],
  ["umask u=rwx,g=rx,o=", []],
  ["umask a=rwx", ["danger high it lets everybody change the files that are made from now on"]],
  [
    "xattr -d com.apple.quarantine tool",
    [
      "writes tool edits",
      "danger high it takes away the mark by which the system checks what was downloaded",
    ],
  ],
  ["xattr -l a", ["reads a"]],
  ["setfattr -n user.a -v 1 a", ["writes a edits"]],
  ["getfacl a", ["reads a"]],
])("changes of permissions are reported: %s", (line, effects) => {
  expect(told(effectsOf(permissions, line))).toEqual(effects);
});
