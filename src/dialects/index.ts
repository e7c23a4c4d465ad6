/** The list of dialects, by name. */

import { anthropicXml } from "./anthropic-xml.ts";
import { apertus } from "./apertus.ts";
import { bareJson } from "./bare-json.ts";
import { clineXml } from "./cline-xml.ts";
import { cohere2, cohereCommand } from "./cohere-command.ts";
import { commandR } from "./command-r.ts";
import { continueTool } from "./continue-tool.ts";
import { deepseekDsml, deepseekV4, deepseekV41 } from "./deepseek-dsml.ts";
import { deepseekV3, deepseekV31 } from "./deepseek-v3.ts";
import type { Dialect } from "./dialect.ts";
import { dots } from "./dots.ts";
import { fencedJson } from "./fenced-json.ts";
import { functionaryV32 } from "./functionary-v3.2.ts";
import { functionGemma, gemma4 } from "./gemma-4.ts";
import { gemmaToolCode, toolCode } from "./gemma-tool-code.ts";
import { gigachat35 } from "./gigachat-3.5.ts";
import { gigachat } from "./gigachat.ts";
import { granite } from "./granite.ts";
import { harmony } from "./harmony.ts";
import { bielik, hermes } from "./hermes.ts";
import { hunyuan } from "./hunyuan.ts";
import { inkling } from "./inkling.ts";
import { internlm2 } from "./internlm2.ts";
import { jsonAnswer } from "./json-answer.ts";
import { jsonFence } from "./json-fence.ts";
import {
  apriel,
  ernie,
  graniteFunction,
  jamba,
  lmstudio,
  longcat,
  minimaxM1,
  mistralList,
  nemotron,
} from "./json-in-marks.ts";
import { kimiK2 } from "./kimi-k2.ts";
import { kimiK3 } from "./kimi-k3.ts";
import { llama3, llama3Builtin, llamaFunctionTag } from "./llama-3.ts";
import { minicpm } from "./minicpm.ts";
import { minimaxM2 } from "./minimax-m2.ts";
import { minimaxM3 } from "./minimax-m3.ts";
import { mistral } from "./mistral.ts";
import { muse } from "./muse.ts";
import { glm, hunyuan3, k2Horizon, longcatXml } from "./pairs-in-tags.ts";
import { phi4 } from "./phi-4.ts";
import { lfm2, llama4, olmo } from "./python-in-marks.ts";
import { pythonic } from "./pythonic.ts";
import { qwenFn } from "./qwen-fn.ts";
import { qwenXml } from "./qwen-xml.ts";
import { react } from "./react.ts";
import { seedOss } from "./seed-oss.ts";
import { solar2 } from "./solar-2.ts";
import { solar } from "./solar.ts";
import { step3 } from "./step-3.ts";
import { yipsAgent, yipsTools } from "./yips.ts";

/** If several share an opener, the first whose `begins` matches reads the call. */
export const allDialects: readonly Dialect[] = [
  hermes,
  bielik,
  qwenXml,
  glm,
  seedOss,
  hunyuan3,
  k2Horizon,
  deepseekDsml,
  deepseekV4,
  deepseekV41,
  anthropicXml,
  minimaxM2,
  minimaxM3,
  dots,
  minicpm,
  step3,
  muse,
  kimiK3,
  clineXml,
  mistral,
  mistralList,
  deepseekV3,
  deepseekV31,
  kimiK2,
  ernie,
  longcat,
  longcatXml,
  granite,
  graniteFunction,
  nemotron,
  jamba,
  hunyuan,
  minimaxM1,
  apriel,
  phi4,
  lmstudio,
  cohereCommand,
  cohere2,
  commandR,
  apertus,
  internlm2,
  gigachat,
  gigachat35,
  inkling,
  solar,
  solar2,
  gemma4,
  functionGemma,
  gemmaToolCode,
  toolCode,
  lfm2,
  llama4,
  olmo,
  pythonic,
  qwenFn,
  bareJson,
  fencedJson,
  harmony,
  jsonFence,
  jsonAnswer,
  react,
  llama3,
  llama3Builtin,
  llamaFunctionTag,
  functionaryV32,
  yipsAgent,
  yipsTools,
  continueTool,
];

/** The built-in dialects, by name. @experimental */
export const dialects: Readonly<Record<string, Dialect>> = Object.fromEntries(
  allDialects.map((dialect) => [dialect.name, dialect]),
);

/** Taught to models without native tools, unless the user chose another. */
export const defaultDialect: Dialect = hermes;

/** Tried if a model's own format fails: the one most models can learn, then the simplest. */
export const fallbackDialects: readonly Dialect[] = [defaultDialect, jsonFence];
