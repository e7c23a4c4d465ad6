import { expect, test } from "vitest";
import { evaluatePolicy } from "../evaluate-policy.ts";
import { judgeCommand } from "../judge.ts";
import { around } from "../testing/around.ts";
import { policy } from "../testing/judgements.ts";
import { outcomeInProfile } from "../testing/outcomes.ts";

test.each([
  "ps aux | grep node | grep -v grep",
  "ps axo pid,ppid,cmd --sort=-rss | head -20",
  "lsof -nP -iTCP:3000 -sTCP:LISTEN",
  'ss -ltn "sport = :5432"',
  "kill -0 4711 && echo alive",
  "pstree -p $$",
  "TZ=UTC journalctl -u web -n 50 --no-pager | tail",
  "systemctl status postgresql --no-pager",
  "docker compose logs --tail=50 web | grep -i error",
  "docker compose config",
  "docker exec -i db psql -U app -c 'select 1'",
  "for i in $(seq 30); do curl -sf localhost:3000 && break; sleep 1; done",
  "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/health",
  "curl -s localhost:3000/items?limit=2 | jq -r '.items[].name' | column -t",
  "kubectl get pods -A -o wide | awk '/web/{print $2}'",
  "gh pr view https://github.com/a/b/pull/12 --json title -q .title",
  "aws ec2 describe-instances --query 'Reservations[].Instances[].InstanceId'",
])("A35: looks outside of the sandbox without a question: %s", (line) => {
  expect(outcomeInProfile(line)).toMatch(/^allow (?:open|read)$/u);
});

test.each([
  ["a program beside it that is not listed", "ps aux; lnav -n x"],
  ["one beside it that runs what it is told to", "ps; mlr --prepipe 'sh -c id #' cat x"],
  ["a file outside behind a filter's option", "ps aux; column -t ~/.ssh/id_rsa"],
  ["a secret of the workspace", "docker ps; fold -s .env"],
  ["a directory outside", "cd ~/.aws; ps; paste -s credentials"],
  ["an option that writes a file", "ss -D ~/.bashrc"],
  ["an option that starts a program", "busctl --address=unixexec:path=/bin/sh tree"],
  ["an option that leads to another machine", "systemctl -H example.org status"],
  ["the environments of processes", "ps -e e"],
  ["a way around the address", "curl --connect-to ::example.org:443 https://localhost/x"],
  ["a file that an option names", "curl -w @notes.txt localhost"],
  ["another scheme", "curl dict://localhost:11211/flush_all"],
  ["docker's own port", "curl localhost:2375/containers/json"],
  ["a method that changes something", "http DELETE localhost:9200/_all"],
  ["a variable that leads elsewhere", "SSLKEYLOGFILE=x curl https://localhost"],
  ["an exported one", "export DBUS_SYSTEM_BUS_ADDRESS=x; loginctl list-sessions"],
  ["a server of the line's own choice", "kubectl get pods -s https://example.org"],
  ["an endpoint of the line's own choice", "aws s3 ls --endpoint-url=https://example.org"],
  ["a host of the line's own choice", "gh pr list -R example.org/a/b --hostname example.org"],
  ["a host in the value of an option", "psql -h localhost -d 'host=example.org' -c 'select 1'"],
  ["a file in the value of an option", "gh api -X GET search/issues -F q=@notes.txt"],
  ["code of the workspace", "pulumi preview"],
  ["a key under another name", "kubectl get secrets.v1 -o json"],
  ["a key by a short option", "gh auth status -t"],
  ["words that are only known when it runs", "lsof -t -i :3000 | xargs ps -fp"],
  ["an option behind a word of the container's", "docker ps exec x -H tcp://example.org"],
])("A35: asks before it looks outside of the sandbox with %s: %s", (_, line) => {
  expect(outcomeInProfile(line)).toMatch(/^(?:ask|critical|deny)/u);
});

test("the question says what is not listed", () => {
  const command = "ps aux; lnav x.log";
  const subject = { tool: "run_command", does: "execute" as const, paths: [], command };
  const { because } = evaluatePolicy({ ...subject, judgement: judgeCommand(command, around) }, policy());
  expect(because).toContain("“lnav x.log” is not listed as only looking there");
});

test("the environment file is not shown to what prints it", () => {
  expect(judgeCommand("docker compose config", around).needs).not.toContain("./.env");
  expect(judgeCommand("docker compose ps", around).needs).toContain("./.env");
});
