/** Programs that run, load, fill or move by an option: each with its siblings, and with what stays harmless. */

import { expect, test } from "vitest";
import type { Risk } from "../protocol/facts.ts";
import { judgeCommand } from "./judge.ts";
import { around } from "./testing-around.ts";

const tier = (line: string): Risk => judgeCommand(line, around).severity;

test.each([
  ["rush -i list.txt 'rm -rf {}'", "high"],
  ["ls | rush 'rm -rf ~'", "critical"],
  ["echo / | rush -j 4 'rm -rf {}'", "critical"],
  ["ls | rush 'wc -l {}'", "none"],
  ["rush build", "none"],
  ["rush install", "medium"],
])("a runner of lines runs them, and a manager of the same name manages: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});

test.each([
  [`lein run -m clojure.main -e '(clojure.java.shell/sh "rm" "-rf" "/home/dev")'`, "critical"],
  [`boot -e '(sh "rm -rf ~")'`, "critical"],
  ["lein -e '(println 1)'", "none"],
  ["lein run -m app.core", "none"],
  ["dotnet fsi --exec /tmp/x.fsx", "high"],
  ["dotnet fsi --use:/tmp/x.fsx", "high"],
  ["dotnet fsi --load:/tmp/x.fsx x.fsx", "high"],
  ["dotnet fsi -r:/tmp/x.dll x.fsx", "high"],
  ["dotnet fsi --exec x.fsx", "none"],
  ["valgrind --tool=./evil ls", "high"],
  ["VALGRIND_LIB=/tmp/x valgrind ls", "high"],
  ["VALGRIND_OPTS=--tool=/tmp/x valgrind ls", "high"],
  ["valgrind --tool=massif ./build/app", "none"],
  ["protoc --plugin=protoc-gen-x=/tmp/x --x_out=gen a.proto", "high"],
  ["protoc --plugin=protoc-gen-x=./node_modules/.bin/x --x_out=gen a.proto", "none"],
  ["ansible all -m ping -i /tmp/inventory.py", "high"],
  ["CMAKE_TOOLCHAIN_FILE=cmake/arm.cmake cmake -B build", "none"],
])("an option or a variable that takes code runs it: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});

test.each([
  ["echo 'exec rm -rf ~' | tclsh", "critical"],
  ["tclsh <<< 'file delete -force ~'", "critical"],
  ["tclsh <<< 'set f [open ~/.bashrc a]; puts $f x'", "critical"],
  [`tclsh <<< 'set p [open "|rm -rf /home/dev" r]'`, "critical"],
  ["expect <<< 'spawn rm -rf /home/dev'", "critical"],
  ["echo 'puts hi' | tclsh", "none"],
  ["tclsh build.tcl", "none"],
])("commands of Tcl are read: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});

test.each([
  ["fallocate -l 900G f", "high"],
  ["truncate -s 10T f", "high"],
  ["truncate -s +2TB f", "high"],
  ["dd if=/dev/zero of=f bs=1M count=900000", "high"],
  ["dd if=/dev/zero of=f bs=1 count=0 seek=10T", "high"],
  ["head -c 900G /dev/zero > f", "high"],
  ["dd if=/dev/zero bs=1G count=900G > f", "high"],
  ["qemu-img create -f raw -o preallocation=full f 2T", "high"],
  ["fallocate -l 10M f", "none"],
  ["truncate -s -100G f", "none"],
  ["dd if=/dev/zero of=f bs=1M count=100", "none"],
  ["dd if=/dev/zero of=/dev/null bs=1G count=900", "none"],
  ["head -c 10M /dev/urandom > f", "none"],
  ["qemu-img create -f qcow2 f 200G", "none"],
])("a size that fills the disk is seen wherever it stands: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});

test.each([
  ["podman --connection prod rm web", "high"],
  ["podman --connection prod run alpine", "high"],
  ["docker --context prod exec web ls", "high"],
  ["docker -H tcp://prod ps", "high"],
  ["docker-compose -H tcp://prod up -d", "high"],
  ["docker-compose --context prod up -d", "high"],
  ["docker --context prod ps", "none"],
  ["docker --context default rm web", "high"],
  ["docker compose -f - up <<< 'services: {}'", "high"],
  ["docker compose -f - config <<< 'services: {}'", "none"],
])("the engine of another machine is another machine: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});

test.each([
  ["find . -name '*.md' -exec mv {} /tmp \\;", "high"],
  ["find . -name '*.ts' -exec sh -c 'mv \"$1\" /tmp' _ {} \\;", "high"],
  ["fd -e ts -x mv {} /tmp", "high"],
  ["git ls-files '*.ts' | xargs -I{} mv {} /tmp", "high"],
  ["mv src/*.ts /var/tmp", "high"],
  ["find .git -type f -exec chmod 000 {} +", "high"],
  ["find . -name '*.log' -exec mv {} /tmp \\;", "medium"],
  ["find . -name '*.md' -exec mv {} docs/ \\;", "none"],
  ["mv *.md docs/", "none"],
  ["mv notes.md /tmp", "none"],
])("many files that leave the workspace are as good as deleted: %s", (line, risk) => {
  expect(tier(line)).toBe(risk);
});
