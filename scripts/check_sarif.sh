#!/bin/sh
# Check the SARIF of lint against the schema of SARIF 2.1.0: a check for developers, with node.
#   sh scripts/check_sarif.sh PROGRAM PATH...
# Takes the schema from the npm package @microsoft/jest-sarif, installed into build/sarif. Exits 77
# where there is no npm.
set -e
program=$1
shift
command -v npm >/dev/null || { echo "check_sarif: no npm" >&2; exit 77; }
mkdir -p build/sarif
[ -d build/sarif/node_modules/@microsoft/jest-sarif ] ||
	npm install --silent --no-audit --no-fund --prefix build/sarif @microsoft/jest-sarif ajv@6
"$program" lint -q --format=sarif "$@" >build/sarif/out.sarif || [ $? = 1 ]
cat >build/sarif/check.js <<'END'
const Ajv = require("ajv"), fs = require("fs"), path = require("path");
const dir = path.join(path.dirname(require.resolve("@microsoft/jest-sarif")), "schemas");
const file = fs.readdirSync(dir).find((name) => name.startsWith("sarif-2.1.0"));
const schema = JSON.parse(fs.readFileSync(path.join(dir, file)));
const log = JSON.parse(fs.readFileSync(process.argv[2]));
const ajv = new Ajv({ schemaId: "auto", allErrors: true, unknownFormats: "ignore" });
try { ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json")); } catch (e) { }
const valid = ajv.validate(schema, log);
const results = log.runs[0].results;
const bare = results.filter((r) => !r.locations[0].physicalLocation.region).length;
if (!valid) console.log(JSON.stringify(ajv.errors.slice(0, 5), null, 1));
console.log(`${file}: ${valid ? "valid" : "NOT VALID"}, ${results.length} results, ${bare} without a region`);
process.exit(valid && bare === 0 ? 0 : 1);
END
cd build/sarif && node check.js out.sarif
