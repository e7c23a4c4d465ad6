// Preloaded into a measured process: at exit, writes its resource usage to the file named in BENCH_USAGE.
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 }),
  );
});
