import { expect, test } from "vitest";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";

const judged = (line: string): string => {
  const { severity, onlyInstalls, usesNetwork } = judgeCommand(line, around);
  return [severity, ...(onlyInstalls ? ["from registries"] : usesNetwork ? ["from elsewhere"] : [])].join(
    " ",
  );
};

test.each(
  `npm ci; npm i -D vitest; npm uninstall x; npm audit fix; npm create vite; npx cowsay hi; npx -y tsc; yarn; yarn add x;
  yarn dlx x; pnpm i; bun add x; bunx x; pip install -r requirements.txt; pip install -e .; pipx run x; uv sync;
  uv pip install x; uvx ruff; poetry add x; conda install -n e x; cargo install x; cargo +nightly add x;
  go get example.org/x; go install example.org/x@latest; go mod tidy; gem install x; bundle install;
  composer require a/b; mix deps.get; brew install fd; apt-get install -y curl; dpkg -i x.deb; rpm -i x.rpm;
  pacman -Syu; apk add x; rustup update; nvm install 20; cpanm X; nix run nixpkgs#hello; dotnet add package x`.split(
    /;\s+/u,
  ),
)("%s asks only registries, and may be tried", (line) => {
  expect(judged(line)).toBe("medium from registries");
});

test.each(
  `npm publish; npm unpublish x; npm login; npm owner add a b; npm dist-tag add x@1 y; yarn npm publish; poetry publish;
  twine upload dist/x.whl; cargo publish; cargo yank x; gem push x.gem; mix hex.publish; gradle publish; mvn deploy;
  gleam publish; dotnet nuget push x.nupkg; npm install git+https://x.example/y.git; npm i user/repository;
  npm install https://x.example/y.tgz; npm i x --registry http://x.example; npx github:x/y;
  pip install -i http://x.example/simple y; pip install --extra-index-url=https://x.example y;
  pip install --trusted-host x.example y; cargo install --git https://x.example/y; apk add --allow-untrusted x.apk`.split(
    /;\s+/u,
  ),
)("%s publishes or takes code from elsewhere, and asks before", (line) => {
  expect(judged(line)).toBe("high from elsewhere");
});

test.each(
  `npm test; npm run build; npm start; npm ls; npm pkg get version; npm init -y; npx tsc --noEmit; npx tsx src/a.ts;
  npx prisma generate; npx --no-install my-tool; yarn test; pnpm -r test; pnpm --filter web build; bun test; pip list;
  pip show x; uv run pytest; poetry run pytest; conda list; cargo test; cargo +nightly clippy; cargo publish --dry-run;
  go test ./...; go build -o bin/x ./...; go env -w GOOS=linux; bundle exec rspec; mix test; brew list; apt list;
  apt-cache search x; dpkg -l; rpm -qa; pacman -Ss x; nvm use 20; dotnet publish -c Release`.split(/;\s+/u),
)("%s builds, tests or only looks", (line) => {
  expect(judged(line)).toBe("none");
});

test.each(
  `npx -c 'rm -rf ~'; npx rimraf ~; pnpm exec rm -rf /; poetry run rm -rf ~; nvm exec 20 rm -rf ~; npm exec -c 'rm -rf ~';
  yarn node -e 'require("fs").rmSync("/home/dev",{recursive:true})'; uv run python -c 'import os; os.system("rm -rf ~")';
  go test -exec 'rm -rf ~' ./...; rustup run stable rm -rf ~; ls | rush 'rm -rf ~'`.split(
    /;\s+(?=\w+ )(?!os)/u,
  ),
)("%s is judged by what it runs", (line) => {
  expect(judged(line)).toMatch(/^critical/u);
});
