// The panel *Which library?*: one sentence, where it turns, and a chart of the predicted cost.
import { lines, sorted, type Series } from "../charts/lines";
import { algorithms, data, present, verification, type Algorithm } from "../data";
import { algorithmName, safe, libraryName, list, axisTick, number, size, sizeText, tick, time, timeTick, times, versioned } from "../format";
import { addPanel, touch, type Panel } from "../panels";
import { chip, standing } from "../marks";
import { answer, brokenBecause, licencesIn, type Answer, type Question } from "../model";
import { plain, similar } from "../search";
import { question, remember } from "../settings";

const asked = [...algorithms.values()].filter((one) => one.contract === "hot").sort((a, b) => algorithmName(a).localeCompare(algorithmName(b), "en", { numeric: true }));
/** The algorithm that a user wrote in any spelling; without a direction, encryption. */
export function findAlgorithm(text: string): Algorithm | null {
  const wanted = plain(text);
  if (!wanted) return null;
  const spellings = (one: Algorithm) => {
    const { name, mode, stem } = data.operations[one.operation], base = data.primitives[one.primitive].name;
    const both = [`${base} ${name}`, `${one.primitive} ${one.operation}`];
    if (data.operations[one.operation].undoes) return both;
    return [...both, base, `${base} ${mode ?? ""}`, `${one.primitive} ${stem}`];
  };
  const exact = asked.filter((one) => spellings(one).some((spelling) => plain(spelling) === wanted));
  // AES-256 alone is no answer: its modes differ. Of several, the one with a tag is meant.
  const families = ["aead", "hash", "mac", "stream", "kdf", "password", "block"];
  exact.sort((a, b) => families.indexOf(a.family) - families.indexOf(b.family));
  return exact[0] ?? null;
}
const numberIn = (text: string) => {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?)i?b?\s*$/i.exec(text);
  if (!found) return null;
  return +found[1] * { "": 1, k: 1024, m: 2 ** 20, g: 2 ** 30 }[found[2].toLowerCase() as "" | "k" | "m" | "g"];
};
const PERMISSIVE = /^(MIT|MIT-0|ISC|Apache-2\.0( WITH .*)?|BSD-\d-Clause(-.*)?|BSL-1\.0|0BSD|Zlib|Unlicense|CC0-1\.0|OpenSSL)$/i;
const licences = [...new Set(present.flatMap((library) => licencesIn(library.licence)))].sort();
const languages = [...new Set(present.map((library) => library.language.split(/[, ]/)[0]).filter(Boolean))].sort();

/** What the user may demand, each with the name of its field. */
const CHECKS = [["installed", "installed on the measured system"], ["unbroken", "no broken algorithm"], ["ct", "constant time by its own documentation"]];

interface Read { algorithm: Algorithm | null; question: Question | null; problem: string }
/** The question in the fields, or in the page's address. */
export function read(fields: Map<string, string>): Read {
  const text = fields.get("algorithm") ?? usualAlgorithm(), algorithm = findAlgorithm(text);
  if (!algorithm) {
    const names = similar(text, asked.map(algorithmName));
    return { algorithm, question: null, problem: `No algorithm of this run is called “${text}”.${names.length ? ` Did you mean ${names.join(" or ")}?` : ""}` };
  }
  const bytes = numberIn(fields.get("bytes") ?? "1350");
  if (bytes == null) return { algorithm, question: null, problem: "A length is a number of bytes, such as 1350 or 16k." };
  const perKey = fields.get("perkey") ?? "", messages = perKey === "" ? null : Number(perKey);
  if (messages != null && !(messages > 0)) return { algorithm, question: null, problem: "Messages per key is a number above 0." };
  const licence = fields.get("licence") ?? "", noBroken = fields.get("unbroken") === "1";
  const broken = noBroken ? brokenBecause(algorithm.primitive, algorithm.operation) : null;
  if (broken) return { algorithm, question: null, problem: `${algorithmName(algorithm)} is broken. ${broken}` };
  return {
    algorithm, problem: "",
    question: {
      primitive: algorithm.primitive, operation: algorithm.operation, bytes, perKey: messages,
      threads: Number(fields.get("threads") ?? "1") || 1,
      licences: licence === "" ? [] : licence === "permissive" ? licences.filter((one) => PERMISSIVE.test(one)) : licence.split(","),
      languages: (fields.get("language") ?? "").split(",").filter(Boolean),
      constantTime: fields.get("ct") === "1", installed: fields.get("installed") === "1", noBroken,
      noWrong: (["operation", "any"] as const).find((one) => one === fields.get("wrong")) ?? "",
    },
  };
}
function usualAlgorithm(): string {
  const wanted = ["aes-256 gcm-encrypt hot", "sha-256 hash hot"].find((key) => algorithms.has(key));
  const first = wanted ? algorithms.get(wanted) : asked[0];
  return first ? algorithmName(first) : "";
}

const name = (id: string) => `${chip(id)}<b>${safe(versioned(id))}</b>`;
const many = (words: string[]) => (words.length > 4 ? `${words.slice(0, 3).join(", ")} and ${words.length - 3} more` : list(words));
const ends = ({ mid, low, high, few }: Answer["rows"][0]["ratio"]) => `${times(mid)} its time (${few ? "too few rounds for an interval" : `95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}`})`;

/** The answer in a sentence, as HTML. */
function sentence(subject: string, each: string, { rows }: Answer): string {
  const [first, ...others] = rows;
  if (!first) return `No library can be recommended for ${subject}.`;
  const level = others.filter((row) => row.level).map((row) => name(row.library)), next = others.find((row) => !row.level);
  return `For ${subject}, use ${name(first.library)}${level.length ? `, level with ${many(level)}` : ""}: ${time(first.ns.mid)} ${each}${
    next ? `; next ${name(next.library)} at ${ends(next.ratio)}` : level.length ? "" : "; no other library can do it"}.`;
}
function turns(made: Answer): string {
  const told = (what: string, list: Answer["byLength"], text: (at: number) => string) => {
    if (list.length < 2) return "";
    return `<p class="turns"><b>The answer turns</b> with ${what}: ${list.map((turn, place) => `${name(turn.library)}${place ? ` from ${text(turn.at)}` : ""}`).join(", then ")}.</p>`;
  };
  return told("the length", made.byLength, (at) => size(Math.round(at))) + told("the number of messages under one key", made.byKey, (at) => `${number(at)} messages`);
}
/** Whether the algorithm's axis is a length in bytes. */
const isLength = (algorithm: Algorithm) => data.operations[algorithm.operation].unit === "B";
/** The command that gives the same answer. */
function command(of: Question, algorithm: Algorithm): string[] {
  return ["touchstone recommend", `--algorithm "${algorithm.primitive} ${algorithm.operation}"`, `--size ${Math.round(of.bytes)}`,
    of.perKey != null && `--messages-per-key ${of.perKey}`, of.threads > 1 && `--threads ${of.threads}`,
    of.licences.length && `--license ${of.licences.map((one) => (one.includes(" ") ? `"${one}"` : one)).join(",")}`, of.languages.length && `--language ${of.languages.join(",")}`,
    of.constantTime && "--constant-time", of.installed && "--installed", of.noBroken && "--no-broken", of.noWrong && `--no-wrong-answers=${of.noWrong}`, `--run ${data.run.id}`].filter((part) => typeof part === "string");
}

/** Beside the table, which a wide page shows, the chart is as high as the table. */
const high = () => (innerWidth >= 1500 ? 560 : 300);
const LINES = 6;
function series(made: Answer, perCall: boolean): Series[] {
  const low = made.lengths[0], high = made.lengths[made.lengths.length - 1];
  const grid = new Set(made.lengths);
  if (!perCall) for (let at = low; at < high; at *= 2 ** 0.25) grid.add(Math.round(at));
  const places = [...grid].sort((a, b) => a - b);
  // The libraries that are first anywhere, and the best at the asked length.
  const ids = [...new Set([...made.byLength.map((turn) => turn.library), ...made.rows.map((row) => row.library)])].slice(0, LINES);
  return ids.map((library) => ({
    library, name: libraryName(library), smooth: true,
    points: places.flatMap((bytes) => {
      const ns = made.cost(library, bytes);
      // Nanoseconds per byte show the differences at all lengths; the time itself would be a slope.
      const part = perCall ? 1 : bytes;
      return ns ? [{ x: bytes, low: ns.low / part, mid: ns.mid / part, high: ns.high / part, act: null, text: perCall ? time(ns.mid) : number(ns.mid / part) }] : [];
    }),
  }));
}

export function buildWhich() {
  const host = document.getElementById("which");
  if (!host || !asked.length) { host?.remove(); return; }
  const threads = [...new Set(asked.flatMap((one) => one.cells.map((cell) => cell.threads)))].sort((a, b) => a - b);
  const checks = CHECKS.filter(([named]) => named !== "ct" || verification.some((row) => row.constantTime != null));
  const option = (value: string, text: string) => `<option value="${safe(value)}">${safe(text)}</option>`;
  host.innerHTML = `<h2>Which library?</h2><form class="question" aria-label="Which library?" autocomplete="off">
    <label class="field grow"><span>Algorithm</span><input name="algorithm" list="which-algorithms" spellcheck="false" placeholder="AES-256-GCM"></label><datalist id="which-algorithms">${asked.map((one) => option(algorithmName(one), "")).join("")}</datalist>
    <label class="field"><span>Message, bytes</span><input name="bytes" inputmode="text" size="7" placeholder="1350"></label>
    <label class="field"><span>Messages per key</span><input name="perkey" inputmode="numeric" list="which-keys" size="9" placeholder="very many"></label><datalist id="which-keys">${["1", "2", "10", "100", "1000"].map((one) => option(one, "")).join("")}</datalist>
    ${threads.length > 1 ? `<label class="field"><span>Threads</span><select name="threads">${threads.map((one) => option(String(one), String(one))).join("")}</select></label>` : ""}
    <label class="field"><span>Licence</span><select name="licence">${option("", "any")}${option("permissive", "permissive")}${licences.map((one) => option(one, one)).join("")}</select></label>
    <label class="field"><span>Language</span><select name="language">${option("", "any")}${languages.map((one) => option(one, one)).join("")}</select></label>
    <label class="field"><span>Wrong answers</span><select name="wrong">${option("", "may have some")}${option("operation", "none in this mode")}${option("any", "none at all")}</select></label>
    ${checks.map(([named, text]) => `<label class="field check"><input type="checkbox" name="${named}" value="1"><span>${text}</span></label>`).join("")}
    </form><div class="which"><div class="verdict" role="status" aria-live="polite"></div><div class="crossover"></div><div class="more-answer"></div></div>`;
  const form = host.querySelector("form") as HTMLFormElement, verdict = host.querySelector(".verdict") as HTMLElement, more = host.querySelector(".more-answer") as HTMLElement;
  let made: Answer | null = null, subject = "", panel: Panel | null = null;
  const field = (named: string) => form.elements.namedItem(named) as HTMLInputElement | HTMLSelectElement | null;
  panel = addPanel(host.querySelector(".crossover") as Element, {
    title: "Predicted cost against length", label: "Predicted cost against length", search: "", keep: true, wide: true, height: high(),
    make: (width) => {
      const algorithm = read(question).algorithm, perCall = !!algorithm && data.operations[algorithm.operation].perCall;
      const shown = made ? series(made, perCall).filter((one) => one.points.length > 1) : [];
      if (!shown.length || !made) return { empty: made?.rows.length ? "The cost hardly depends on the length." : "Nothing to draw." };
      const now = made, bytes = read(question).question?.bytes, inside = bytes && bytes >= now.lengths[0] && bytes <= now.lengths[now.lengths.length - 1];
      return {
        unit: `${perCall ? "time per call" : "ns per byte"} with the share of the key, lower is better; shaded: 95 % interval; dashed: the asked length`,
        legend: width > 420 ? undefined : sorted(shown, false).map((one) => ({ library: one.library, name: one.name })),
        draw: () => lines(shown, { higher: false, height: high(), tick: perCall ? timeTick : tick, xText: algorithm ? axisTick(algorithm.operation) : String, xTicks: now.lengths, bands: true, at: inside ? bytes : undefined }, width),
      };
    },
  });
  const refresh = () => {
    const { algorithm, question: of, problem } = read(question);
    made = null;
    const length = field("bytes")?.closest("label"), inBits = algorithm && !isLength(algorithm);
    if (length) {
      (length.firstElementChild as HTMLElement).textContent = inBits ? `Length, ${data.operations[algorithm.operation].unit}` : "Message, bytes";
      length.hidden = !!algorithm && !inBits && data.operations[algorithm.operation].perCall;
    }
    const perKey = field("perkey")?.closest("label");
    if (perKey) perKey.hidden = !!algorithm && !data.operations[algorithm.operation].keyed;
    if (!algorithm || !of) {
      verdict.innerHTML = `<p class="notice warn">${safe(problem)}</p>`;
      more.innerHTML = "";
    } else {
      made = answer(of);
      const perCall = data.operations[algorithm.operation].perCall, cost = data.primitives[algorithm.primitive].cost;
      subject = [`${safe(algorithmName(algorithm))}${standing(algorithm.primitive)}`, perCall && isLength(algorithm) ? cost && safe(cost) : `of ${sizeText(algorithm.operation, Math.round(of.bytes))}`,
        of.perKey != null && (of.perKey === 1 ? "with a new key for each message" : `with ${number(of.perKey)} messages per key`), of.threads > 1 && `on ${of.threads} threads`].filter(Boolean).join(" ");
      verdict.innerHTML = `<p class="sentence">${sentence(subject, perCall ? "a call" : "a message", made)}</p>${turns(made)}`;
      more.innerHTML = `<details class="more"${innerWidth >= 1500 ? " open" : ""}><summary>All ${made.rows.length} libraries that can do it${made.leftOut.length ? `, and why not ${made.leftOut.length} others` : ""}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Libraries by predicted cost"><table><thead><tr><th scope="col">Library</th><th scope="col" class="n">a message</th><th scope="col" class="n">× best</th><th scope="col">95 % interval</th><th scope="col">state</th></tr></thead><tbody>${made.rows.map((row, place) =>
    `<tr><th scope="row">${chip(row.library)}${safe(versioned(row.library))}</th><td class="n">${row.beyond ? "≈ " : ""}${time(row.ns.mid)}</td><td class="n">${row.ratio.mid.toFixed(2)}</td><td>${place === 0 ? "–" : row.ratio.few ? "too few rounds" : `${row.ratio.low.toFixed(2)} to ${row.ratio.high.toFixed(2)}`}</td><td>${row.level ? `<span class="badge tie">= tie</span>` : ""}</td></tr>`).join("")}</tbody></table></div>
        ${made.rows.some((row) => row.beyond) ? `<p class="fine">≈ outside the measured lengths: continued from the last two</p>` : ""}
        ${made.represented.length ? `<p class="fine">One row a library: ${made.represented.map(([id, by]) => `${safe(versioned(by))} for ${safe(versioned(id))}`).join(", ")}.</p>` : ""}
        ${made.leftOut.length ? `<dl class="pairs wide">${made.leftOut.map((one) => `<dt>${safe(versioned(one.library))}</dt><dd>${safe(one.why)}</dd>`).join("")}</dl>` : ""}</details>
        <p class="fine">The same on the terminal: <code class="command">${command(of, algorithm).map((part) => `<span>${safe(part)}</span>`).join(" ")}</code></p>`;
    }
    (host.querySelector(".crossover") as HTMLElement).hidden = !!made && made.lengths.length < 2;
    if (panel) touch([panel]);
  };
  const restore = () => {
    for (const named of ["algorithm", "bytes", "perkey", "threads", "licence", "language", "wrong"]) {
      const node = field(named);
      if (node) node.value = question.get(named) ?? { algorithm: usualAlgorithm(), bytes: "1350", threads: String(threads[0]) }[named] ?? "";
    }
    for (const [named] of checks) {
      const box = field(named);
      if (box instanceof HTMLInputElement) box.checked = question.get(named) === "1";
    }
    refresh();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    const node = event.target as HTMLInputElement;
    const value = node.type === "checkbox" ? (node.checked ? "1" : "") : node.value.trim();
    if (value || node.name === "algorithm") question.set(node.name, value); else question.delete(node.name);
    remember();
    refresh();
  });
  restore();
  return restore;
}
