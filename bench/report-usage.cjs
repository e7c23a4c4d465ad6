// Preloaded into a measured process: writes what it has used to the file named in BENCH_USAGE when it ends.
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 }),
  );
});
