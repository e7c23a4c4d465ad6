import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const severity = (line: string): string => {
  const dangers = effectsOf([], line).flatMap((effect) =>
    effect.type === "danger" ? [effect.severity] : [],
  );
  return ["critical", "high", "medium"].find((name) => dangers.some((danger) => danger === name)) ?? "none";
};

test.each([
  "aws s3 ls",
  "aws ec2 describe-instances --region us-east-1",
  "aws --profile delete-me sts get-caller-identity",
  "aws secretsmanager list-secrets",
  "aws ssm get-parameter --name x",
  "aws ec2 terminate-instances help",
  "aws --endpoint-url http://localhost:4566 s3 rb s3://b --force",
  "gcloud compute instances list",
  "gcloud compute instances describe delete-me",
  "gcloud run services list",
  "gcloud beta run services list",
  "az vm list -g x",
  "az account show",
  "doctl compute droplet list",
  "heroku logs --tail",
  "heroku apps",
  "fly status",
  "vercel dev",
  "netlify build",
  "wrangler dev",
  "firebase emulators:start",
  "sam build",
  "cdk diff",
  "supabase start",
  "op item list",
  "pass ls",
  "vault status",
])("reading and working locally are none: %s", (line) => {
  expect(severity(line)).toBe("none");
});

test.each([
  "aws lambda update-function-code --function-name x",
  "aws iam put-user-policy",
  "aws ssm start-session --target i",
  "aws secretsmanager get-secret-value --secret-id x",
  "aws ssm get-parameter --name x --with-decryption",
  "aws ec2 ?operation",
  "aws configure set a b",
  "aws something new-thing",
  "gcloud auth print-access-token",
  "gcloud secrets versions access latest --secret x",
  "gcloud run deploy x",
  "gcloud app deploy",
  "gcloud ?what",
  "az login",
  "az keyvault secret show --name x",
  "az storage account keys list -n x",
  "heroku config",
  "heroku run bash",
  "fly deploy",
  "vercel",
  "vercel --prod",
  "netlify deploy",
  "wrangler publish",
  "firebase deploy --only hosting",
  "surge dist",
  "gh-pages -d dist",
  "sls deploy",
  "cdk deploy",
  "op read op://a/b",
  "pass show x",
  "bw get password x",
  "doppler run -- npm start",
  "doppler run --command=npm_start",
])("changing, publishing and showing passwords are high: %s", (line) => {
  expect(severity(line)).toBe("high");
});

test.each([
  "aws ec2 terminate-instances --instance-ids i-1",
  "aws cloudformation delete-stack --stack-name x",
  "aws s3 rb s3://b --force",
  "aws s3 rm s3://b --recursive",
  "gcloud projects delete x",
  "az group delete -n x",
  "doctl compute droplet delete x",
  "heroku apps:destroy -a x",
  "fly apps destroy x",
  "firebase projects:delete",
  "sls remove",
  "cdk destroy",
])("destroying a whole resource is critical: %s", (line) => {
  expect(severity(line)).toBe("critical");
});

test("bucket copies are reported as uploads or downloads", () => {
  expect(told(effectsOf([], "aws s3 cp a s3://b/c"))).toEqual(["reads a", "sends s3://b/c a"]);
  expect(told(effectsOf([], "aws s3 cp s3://b/c a"))).toEqual(["fetches s3://b/c", "writes a replaces …"]);
  expect(told(effectsOf([], "aws s3 cp s3://b/c -"))).toEqual(["fetches s3://b/c", "prints network"]);
  expect(told(effectsOf([], "aws s3 mv a s3://b"))).toContain("deletes a deep");
});

test("a fileb:// argument is reported as read, and the command behind op run as run", () => {
  expect(told(effectsOf([], "aws lambda create-function --zip-file fileb://x.zip"))).toContain("reads x.zip");
  expect(told(effectsOf([], "op run -- npm start"))).toContain("runs npm start");
});
