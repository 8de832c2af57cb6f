// Builds ../assets/report.js, or the folder in OUT, and the licences of what is in it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const out = process.env.OUT ?? "../assets";
const built = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
});
// A page's parser must find no end of the script in it.
const script = built.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** The folder of the package that a file belongs to. */
function packageOf(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
const used = Object.entries(Object.values(built.metafile.outputs)[0].inputs)
  .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && file.startsWith("node_modules/"));
const packages = [...new Set(used.map(([file]) => packageOf(file)))].sort();
// Packages with the same licence text are named together.
const notices = new Map();
for (const folder of packages) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence`);
  const text = readFileSync(join(folder, file), "utf8").trim();
  notices.set(text, [...(notices.get(text) ?? []), `${name} ${version}`]);
}
const notice = [...notices].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join("\n\n");
writeFileSync(join(out, "report.js"), `/* Built from lab/cli/report-page. Licences: report-notices.txt, and the page's end. */\n${script}`);
writeFileSync(join(out, "report-notices.txt"), notice);
