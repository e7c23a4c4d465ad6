import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const severity = (line: string): string => {
  const dangers = effectsOf([], line).flatMap((effect) =>
    effect.type === "danger" ? [effect.severity] : [],
  );
  return ["critical", "high", "medium"].find((name) => dangers.some((danger) => danger === name)) ?? "none";
};

test.each([
  ["terraform plan", "none"],
  ["terraform plan -destroy -out=x", "none"],
  ["terraform -chdir=infra validate", "none"],
  ["tofu fmt -check", "none"],
  ["terraform init -upgrade", "medium"],
  ["terraform apply -auto-approve", "high"],
  ["terraform state rm x", "high"],
  ["terraform apply -destroy", "critical"],
  ["terraform -chdir=infra destroy", "critical"],
  ["terragrunt run-all destroy", "critical"],
  ["terraform ?what", "high"],
  ["pulumi preview", "none"],
  ["pulumi up -y", "high"],
  ["pulumi destroy", "critical"],
  ["ansible all -m ping", "none"],
  ["ansible all -a uptime", "high"],
  ["ansible-playbook site.yml --syntax-check", "none"],
  ["ansible-playbook -i hosts site.yml", "high"],
  ["ansible-galaxy install x", "medium"],
  ["packer validate x", "none"],
  ["packer build x", "high"],
  ["nomad job status", "none"],
  ["nomad job run x", "high"],
  ["salt * test.ping", "none"],
  ["puppet apply x.pp", "high"],
  ["puppet apply --noop x.pp", "none"],
])("%s is %s", (line, expected) => {
  expect(severity(line)).toBe(expected);
});

test("a command for remote hosts is reported as remote code, one for localhost as local code", () => {
  expect(told(effectsOf([], "ansible web -m shell -a id"))).toContain("interprets shell id deep");
  expect(told(effectsOf([], "ansible localhost -m shell -a id"))).toContain("interprets shell id");
  expect(told(effectsOf([], "terraform plan -out=p"))).toContain("writes p replaces");
});
