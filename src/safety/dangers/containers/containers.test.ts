import { expect, test } from "vitest";
import { effectsOf, effectLines } from "../../testing/effects.ts";

const severity = (line: string): string => {
  const dangers = effectsOf([], line).flatMap((effect) =>
    effect.type === "danger" ? [effect.severity] : [],
  );
  return ["critical", "high", "medium"].find((name) => dangers.some((danger) => danger === name)) ?? "none";
};

test.each([
  "docker ps -a",
  "docker logs -f web",
  "docker compose -f a.yml logs --tail 10 api",
  "docker compose config",
  "docker run --help",
  "docker --version",
  "docker network create x",
  "kubectl get pods -o wide",
  "kubectl -n prod logs -f x",
  "kubectl get secrets",
  "kubectl config current-context",
  "kubectl apply -f x.yaml --dry-run=client",
  "kubectl delete pod x --help",
  "helm template ./c",
  "helm install x ./c --dry-run",
  "minikube status",
  "vagrant status",
  "skopeo inspect docker://x",
  "docker pull redis:7",
  "podman pull x",
  "docker exec web ls",
  "docker compose exec db psql -c 'select 1'",
])("reading about containers is none: %s", (line) => {
  expect(severity(line)).toBe("none");
});

test.each([
  "docker run --rm alpine echo hi",
  "docker run -v /home/dev/proj:/app -w /app node npm test",
  "docker run -v data:/data alpine",
  "docker run -v /etc/localtime:/etc/localtime:ro alpine",
  "docker run --mount type=volume,source=x,target=/y alpine",
  "docker run alpine --privileged",
  "docker build -t a .",
  "docker run --net=host alpine",
  "docker compose down --volumes",
  "docker exec -it web bash",
  "minikube start",
  "vagrant up",
  "docker compose up -d",
  "docker-compose -f a.yml up",
  "docker compose down",
])("a container without access to the host is medium: %s", (line) => {
  expect(severity(line)).toBe("medium");
});

test.each([
  "docker rm -f web",
  "docker system prune -af",
  "docker push a/b",
  "docker login",
  "docker run -v ?where:/x alpine",
  "docker -H tcp://h:2375 ps",
  "docker ?what",
  "kubectl apply -f x.yaml",
  "kubectl exec -it pod -- sh",
  "kubectl port-forward svc/x 80:80",
  "kubectl delete pod x",
  "kubectl get secret x -o yaml",
  "helm upgrade --install x ./c",
  "helm uninstall x",
  "docker run --volumes-from db alpine",
  "podman create --volumes-from=db:ro alpine",
  "helm install x ./c --post-renderer ./p",
])("removing, publishing and using a cluster are high: %s", (line) => {
  expect(severity(line)).toBe("high");
});

test.each([
  "docker run -v /:/h alpine",
  "docker run -v/:/h:ro alpine",
  "docker run --volume=/:/h alpine",
  "docker run --mount type=bind,src=/,dst=/h alpine",
  'docker run --mount type=bind,"src=/",dst=/h alpine',
  "docker run --mount type=volume,src=data,dst=/h,volume-opt=type=none,volume-opt=o=bind,volume-opt=device=/ alpine",
  "docker volume create -d local -o type=none -o o=bind -o device=/ data",
  "docker volume create --opt=device=/etc data",
  "docker run --use-api-socket alpine",
  "docker run -v //etc/..:/h alpine",
  "docker run -v ~:/h alpine",
  "docker run -v ..:/h alpine",
  "docker run -v /home:/h alpine",
  "docker run -v /etc:/h alpine",
  "docker run -v /var/run/docker.sock:/s alpine",
  "docker run --privileged=true alpine",
  "docker run -it --pid host alpine",
  "docker run --cap-add=ALL alpine",
  "docker run --device /dev/sda alpine",
  "docker run --security-opt seccomp=unconfined alpine",
  "docker container create -v /:/h alpine",
  "docker compose run -v /:/h api sh",
  "nerdctl run --privileged alpine",
  "kubectl delete ns prod",
  "kubectl delete all --all -A",
  "lxc launch x -c security.privileged=true",
])("exposing the host or deleting a whole namespace is critical: %s", (line) => {
  expect(severity(line)).toBe("critical");
});

test.each<[string, boolean]>([
  ["docker exec x rm -rf /", true],
  ["docker compose exec db rm -r /var/lib/db", true],
  ["podman exec x /bin/rm --recursive /data", true],
  ["docker exec x rm -rf /tmp/a", false],
  ["docker exec x rm -rf /app/dist", false],
  ["docker exec x rm /data", false],
])("deleting a running container's data is recognised: %s", (line, isDeleted) => {
  const lost = "danger high it deletes what a running container keeps";
  expect(effectLines(effectsOf([], line)).includes(lost)).toBe(isDeleted);
});

test("the command in a container is reported as running elsewhere", () => {
  expect(effectLines(effectsOf([], "docker run -e A=b --rm alpine rm -rf /x"))).toContain(
    "runs rm -rf /x deep",
  );
  expect(effectLines(effectsOf([], "docker run --entrypoint sh alpine -c id"))).toContain(
    "runs sh -c id deep",
  );
  expect(effectLines(effectsOf([], "docker exec -u 0 web sh -c id"))).toContain("runs sh -c id deep");
  expect(effectLines(effectsOf([], "docker compose exec -T db psql -l"))).toContain("runs psql -l deep");
  expect(effectLines(effectsOf([], "kubectl exec pod -c a -- rm x"))).toContain("runs rm x deep");
});

test.each([
  ["docker service create --mount type=bind,source=/,target=/h alpine", "critical"],
  ["ctr run --privileged docker.io/library/alpine:latest z sh", "critical"],
  ["ctr run --mount type=bind,src=/,dst=/host alpine z sh", "critical"],
  ["buildah run --volume /:/host c -- sh", "critical"],
  ["apptainer exec --bind /home x.sif ls", "critical"],
  ["apptainer exec x.sif ls", "medium"],
])("low-level container tools are rated by what they expose: %s is %s", (line, expected) => {
  expect(severity(line)).toBe(expected);
});

test("a container's mounts and working directory are reported with its command", () => {
  const effect = effectsOf(
    [],
    "docker run -v ./a:/b:ro -v data:/d --mount type=bind,src=/x,dst=/y -w /b alpine ls",
  ).find(({ type }) => type === "runs");
  const mounts = effect?.type === "runs" ? (effect.mounts ?? []) : [];
  expect(mounts.map(({ source, at, isReadOnly }) => [source.text, at, isReadOnly])).toEqual([
    ["./a", "/b", true],
    ["/x", "/y", false],
  ]);
  expect(effect?.type === "runs" && effect.directory?.text).toBe("/b");
});

test("copies out of a container are reported as writes on the host", () => {
  expect(effectLines(effectsOf([], "docker cp web:/a b"))).toEqual(["writes b replaces"]);
  expect(effectLines(effectsOf([], "docker save -o a.tar x"))).toEqual(["writes a.tar replaces"]);
});
