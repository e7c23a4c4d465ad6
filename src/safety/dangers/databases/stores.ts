/** Clients of non-SQL stores: redis, mongo, etcd and similar. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { wordsIn } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { sqlEffects } from "./sql-effects.ts";

export const stores: readonly Program[] = [
  program("redis-cli valkey-cli keydb-cli iredis", redis, {
    options: {
      short: "hpsanuirdDX",
      stopAtOperand: true,
      long: namesIn(`user pass askpass-file rdb functions-rdb eval pattern cacert cert key tls-ciphers
        sni cluster show-pushes memkeys-samples lru-test count quoted-pattern`),
    },
  }),
  program("mongosh mongo", mongo, {
    options: {
      short: "upfh",
      long: namesIn(`eval file host port username password authenticationDatabase apiVersion tlsCAFile
        tlsCertificateKeyFile`),
    },
  }),
  program("influx", influx, {
    options: {
      oneDash: true,
      long: namesIn("execute database host port username password format org token bucket file f o t"),
    },
  }),
  program("etcdctl", (use) => tellByVerb(use, etcd), {
    options: { long: namesIn("endpoints cacert cert key user password") },
  }),
  program("zkCli.sh kafkacat kcat rabbitmqctl rabbitmqadmin nats memcached-tool", queues, {
    options: { short: "bCtpsofX", long: ["server", "context"] },
  }),
  program(
    `kafka-topics kafka-topics.sh kafka-console-producer kafka-console-consumer kafka-configs
      kafka-consumer-groups`,
    kafka,
  ),
  program(
    "cypher-shell neo4j-admin",
    ({ operands }) =>
      operands.flatMap(({ text }) =>
        /\b(?:delete|remove|drop|detach)\b/iu.test(text)
          ? always("it deletes data in a database")
          : /\b(?:create|merge|set|load)\b/iu.test(text)
            ? always("it changes data in a database", "medium")
            : [],
      ),
    {
      options: { short: "uapdf", long: ["username", "password", "address", "database", "file"] },
    },
  ),
];

const drastic =
  /^(?:flushall|flushdb|shutdown|config|debug|eval|evalsha|eval_ro|fcall|function|script|module|replicaof|slaveof|migrate|restore|acl|cluster|client|failover|swapdb|bgrewriteaof|sync|psync|pfdebug|latency|replconf)$/u;
const gentle =
  /^(?:config (?:get|help)|client (?:list|info|id|getname|help|no-evict|getredir)|acl (?:list|whoami|cat|users|help|log)|cluster (?:info|nodes|slots|shards|keyslot|myid|help|countkeysinslot)|debug object|script exists|function (?:list|stats|dump)|module list|latency (?:latest|history|doctor|graph|histogram)|migrate help)$/u;
const asking =
  /^(?:get|mget|getrange|substr|strlen|exists|type|ttl|pttl|keys|scan|randomkey|dbsize|info|ping|echo|time|hget|hmget|hgetall|hkeys|hvals|hlen|hexists|hscan|hstrlen|hrandfield|llen|lrange|lindex|lpos|smembers|scard|sismember|smismember|sscan|srandmember|sinter|sunion|sdiff|sintercard|zrange|zrevrange|zrangebyscore|zrevrangebyscore|zrangebylex|zcard|zscore|zmscore|zrank|zrevrank|zcount|zlexcount|zscan|xlen|xrange|xrevrange|xread|xinfo|xpending|memory|object|slowlog|lastsave|role|command|hello|auth|select|monitor|subscribe|psubscribe|pubsub|wait|geopos|geodist|geosearch|geohash|bitcount|bitpos|getbit|pfcount|touch|dump|help|quit|exit|readonly|readwrite|expiretime|pexpiretime|lolwut|sort_ro|ft\.search|ft\.info|json\.get|json\.type|ts\.range|ts\.get|asking|watch|unwatch|multi|exec|discard)$/u;

function* redis(use: Use): Iterable<Effect> {
  if (use.has("help", "version", "v")) return;
  const host = use.value("h", "u");
  if (host) yield { type: "fetches", from: host };
  if (host && use.has("x", "X")) yield { type: "sends", to: host, words: use.operands, input: true };
  for (const path of use.values("eval"))
    yield* [loads(path), danger("high", "it runs a script in the database")];
  yield* replaces(use.values("rdb", "functions-rdb").filter(({ text }) => text !== "-"));
  if (use.has("pipe")) yield danger("medium", "it changes data in a database");
  if (use.has("cluster")) yield danger("high", "it changes servers of the database");
  if (use.operands.length > 0) yield* redisCommand(use.operands);
  else if (use.input.isGiven && !use.has("pipe")) yield* redisInput(use.input.text);
}

function redisCommand(words: readonly Word[]): readonly Effect[] {
  const [first, second] = words;
  if (!first || isUnknown(first)) return always("what it does is only known when it runs");
  const verb = first.text.toLowerCase();
  if (gentle.test(`${verb} ${second?.text.toLowerCase() ?? ""}`)) return [];
  if (drastic.test(verb)) return always("it empties the database, stops it, or changes how it works");
  return asking.test(verb) ? [] : always("it changes data in a database", "medium");
}

const redisInput = (text: Word | undefined): readonly Effect[] =>
  text
    ? text.text
        .split("\n")
        .flatMap((line) => (line.trim() === "" ? [] : redisCommand(wordsIn(withText(text, line)))))
    : always("it runs the commands of its input", "medium");

const removingCalls =
  /\.(?:drop\w*|remove|delete\w*|findOneAndDelete|renameCollection|shutdownServer|fsyncLock|killOp|createUser|grantRolesToUser|updateUser)\s*\(/u;
const changingCalls =
  /\.(?:insert\w*|update\w*|replaceOne|save|bulkWrite|findOneAnd\w+|findAndModify|createIndex\w*|createCollection|initiate|reconfig|aggregate\s*\([^]*\$(?:out|merge))/u;
const codeCalls =
  /\b(?:load|run|runProgram|rawMongoProgramOutput|require|process|eval|Function|child_process|cat|removeFile|writeFile)\b|\$where|\.(?:adminCommand|runCommand|mapReduce)\s*\(/u;

function* mongo(use: Use): Iterable<Effect> {
  if (use.has("help", "version")) return;
  const address = use.value("host") ?? use.operands.find(({ text }) => text.includes("://"));
  if (address) yield { type: "fetches", from: address };
  for (const path of [
    ...use.values("f", "file"),
    ...use.operands.filter(({ text }) => /\.m?js$/u.test(text)),
  ])
    yield* [loads(path, "javascript"), danger("medium", "it runs a script in a database's client")];
  const codes = use.values("eval");
  for (const code of codes) yield* mongoCode(code);
  if (codes.length === 0 && use.input.isGiven)
    yield* use.input.text ? mongoCode(use.input.text) : always("it runs the commands of its input", "medium");
}

function* mongoCode(code: Word): Iterable<Effect> {
  if (isUnknown(code)) yield danger("high", "a part of its commands is only known when it runs");
  if (removingCalls.test(code.text)) yield danger("high", "it deletes data in a database");
  else if (changingCalls.test(code.text)) yield danger("medium", "it changes data in a database");
  if (codeCalls.test(code.text))
    yield* [danger("high", "it runs code in a database's client"), interprets("javascript", code)];
}

function* influx(use: Use): Iterable<Effect> {
  for (const code of use.values("execute")) yield* sqlEffects(code, "other");
  yield* tellByVerb(use, influxVerbs);
}

const influxVerbs = verbTable(
  [
    [
      `query, ping, version, bucket list, org list, user list, auth list, config, config list,
        task list, export, inspect, v1, completion, server-config`,
      asks,
    ],
    [
      "delete, bucket delete, org delete, user delete, task delete, auth delete",
      always("it deletes data in a database"),
    ],
  ],
  { otherwise: always("it changes a database", "medium") },
);

const etcd = verbTable(
  [
    [
      `get, member list, endpoint, endpoint health, endpoint status, watch, version, user list,
        role list, lease list, alarm list, check`,
      asks,
    ],
    ["put, txn, lease grant, compaction, defrag", always("it changes what servers agree on", "medium")],
    ["snapshot save", ({ operands }) => replaces(operands)],
  ],
  { otherwise: always("it removes or changes what servers agree on") },
);

function* queues(use: Use): Iterable<Effect> {
  const from = use.value("b", "server", "s");
  if (from) yield { type: "fetches", from };
  const [verb = ""] = use.operands.map(({ text }) => text);
  if (
    /^(?:delete|rm|purge|stop|reset|deleteall|stop_app|force_reset|flush_all|delete_\w+|purge_queue)$/u.test(
      verb,
    )
  )
    yield danger("high", "it removes what waits or is stored there");
  else if (/^(?:pub|publish|set|create|add_\w+|set_\w+|declare|request)$/u.test(verb) || use.has("P"))
    yield { type: "sends", to: from, words: use.operands.slice(1), input: use.input.isGiven };
}

function* kafka(use: Use): Iterable<Effect> {
  if (use.has("delete", "delete-offsets", "reset-offsets")) yield danger("high", "it deletes what is queued");
  else if (use.has("create", "alter")) yield danger("medium", "it changes what waits there");
  else if (use.name.includes("producer"))
    yield { type: "sends", to: use.value("bootstrap-server"), input: true };
  else yield* asks;
}
