#!/usr/bin/env node
// The part of solc's command line that py-solc-x and ape-solidity call, around the npm package's
// WebAssembly build: --help, --standard-json, --combined-json. (--version is answered by the
// wrapper in bin/, because Node takes half a second to start.)
"use strict";
const fs = require("fs");
const path = require("path");
try { require("module").enableCompileCache?.(); } catch { /* an older Node compiles each time */ }

const OUTPUTS = {
  abi: "abi",
  asm: "evm.legacyAssembly",
  ast: "ast",
  bin: "evm.bytecode.object",
  "bin-runtime": "evm.deployedBytecode.object",
  devdoc: "devdoc",
  hashes: "evm.methodIdentifiers",
  metadata: "metadata",
  opcodes: "evm.bytecode.opcodes",
  srcmap: "evm.bytecode.sourceMap",
  "srcmap-runtime": "evm.deployedBytecode.sourceMap",
  "storage-layout": "storageLayout",
  userdoc: "userdoc",
};

function fail(message) {
  process.stderr.write(message + "\n");
  process.exit(1);
}

function parseArguments(argv) {
  const options = { includePaths: [], remappings: [], files: [] };
  const flags = {
    "--help": () => (options.help = true),
    "--standard-json": () => (options.standardJson = true),
    "--base-path": () => (options.basePath = argv.shift()),
    "--include-path": () => options.includePaths.push(argv.shift()),
    "-I": () => options.includePaths.push(argv.shift()),
    "--allow-paths": () => argv.shift(), // there is no sandbox to widen
    "--combined-json": () => (options.combinedJson = argv.shift().split(",")),
    "--optimize": () => (options.optimize = true),
    "--optimize-runs": () => (options.runs = Number(argv.shift())),
    "--evm-version": () => (options.evmVersion = argv.shift()),
    "--via-ir": () => (options.viaIR = true),
    "--metadata-hash": () => (options.metadataHash = argv.shift()),
    "-": () => {},
  };
  while (argv.length) {
    const word = argv.shift();
    if (flags[word]) flags[word]();
    else if (word.startsWith("-")) fail(`unrecognised option '${word}'`);
    else (word.includes("=") ? options.remappings : options.files).push(word);
  }
  return options;
}

function importReader(roots) {
  return (name) => {
    const places = path.isAbsolute(name) ? [name] : roots.map((root) => path.join(root, name));
    for (const place of places) {
      try {
        return { contents: fs.readFileSync(place, "utf8") };
      } catch (error) {
        if (error.code !== "ENOENT" && error.code !== "ENOTDIR") return { error: String(error) };
      }
    }
    return { error: `File not found: ${name} (searched ${roots.join(", ")})` };
  };
}

// A pipe takes only so much at once, and process.exit would cut the rest off.
function print(text) {
  const bytes = Buffer.from(text + "\n");
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function combinedInput(options) {
  const sources = {};
  for (const file of options.files) sources[file] = { content: fs.readFileSync(file, "utf8") };
  if (!options.files.length) sources["<stdin>"] = { content: fs.readFileSync(0, "utf8") };
  const wanted = options.combinedJson.map((key) => OUTPUTS[key]).filter((key) => key && key !== "ast");
  return {
    language: "Solidity",
    sources,
    settings: {
      remappings: options.remappings,
      viaIR: options.viaIR,
      evmVersion: options.evmVersion,
      optimizer: { enabled: Boolean(options.optimize), runs: options.runs || 200 },
      metadata: options.metadataHash ? { bytecodeHash: options.metadataHash } : undefined,
      outputSelection: { "*": { "*": wanted, "": ["ast"] } },
    },
  };
}

function combinedOutput(result, keys, version) {
  const pick = (contract, dotted) => dotted.split(".").reduce((node, key) => node && node[key], contract);
  const contracts = {};
  for (const [file, named] of Object.entries(result.contracts || {})) {
    for (const [name, contract] of Object.entries(named)) {
      const entry = (contracts[`${file}:${name}`] = {});
      for (const key of keys.filter((k) => OUTPUTS[k] && k !== "ast")) {
        entry[key] = pick(contract, OUTPUTS[key]) ?? (key.startsWith("bin") ? "" : {});
      }
    }
  }
  const sources = {};
  for (const [file, source] of Object.entries(result.sources || {})) sources[file] = { AST: source.ast };
  return { contracts, sources, sourceList: Object.keys(sources), version };
}

function main() {
  const options = parseArguments(process.argv.slice(2));
  if (options.help) {
    print("solc, the Solidity commandline compiler.\n\n  --combined-json " + Object.keys(OUTPUTS).join(","));
    return;
  }
  if (!options.standardJson && !options.combinedJson) {
    fail("Only --standard-json and --combined-json are supported");
  }
  const soljson = process.env.SOLJSON;
  process.removeAllListeners("uncaughtException");
  const solc = require(path.join(path.dirname(soljson), "wrapper.js"))(require(soljson));
  const read = importReader([options.basePath || process.cwd(), ...options.includePaths]);
  if (options.standardJson) {
    print(solc.compile(fs.readFileSync(0, "utf8"), { import: read }));
    return;
  }
  const result = JSON.parse(solc.compile(JSON.stringify(combinedInput(options)), { import: read }));
  const messages = result.errors || [];
  process.stderr.write(messages.map((message) => message.formattedMessage).join("\n"));
  if (messages.some((message) => message.severity === "error")) process.exit(1);
  print(JSON.stringify(combinedOutput(result, options.combinedJson, solc.version())));
}

main();
