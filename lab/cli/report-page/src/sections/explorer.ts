// What one message costs, by what it is made of: the key, the call, the bytes.
import { stack, type Stack } from "../charts/stack";
import { algorithms, algorithmKey, costs, data, type Algorithm, type Cost } from "../data";
import { algorithmName, libraryName, number, safe, size, spread, time, times, familyName } from "../format";
import { chip } from "../marks";
import { addPanel, fold, touch } from "../panels";
import { isShown } from "../settings";
import { section } from "./page";

const LENGTHS = [16, 64, 256, 1350, 4096, 16384, 65536, 1 << 20], KEYS: (number | null)[] = [1, 2, 10, 100, null];

export function buildExplorer() {
  const found = new Map<string, Cost[]>();
  for (const cost of costs) {
    const key = algorithmKey(cost.primitive, cost.operation, "hot");
    if (algorithms.has(key)) found.set(key, [...(found.get(key) ?? []), cost]);
  }
  const list = [...found].filter(([, own]) => own.length > 1).map(([key]) => algorithms.get(key) as Algorithm);
  if (!list.length) return;
  const made = section("explorer", "What a message is made of", "Cost explorer", "Key set-up, a part for each call, and a part for each byte: straight lines through the measured lengths, so that a length is off by the misfit. Beside it the cycles per byte, and how far they are from the bound below which no core can be.");
  const families = new Map<string, Algorithm[]>();
  for (const one of list) families.set(one.family, [...(families.get(one.family) ?? []), one]);
  const option = (value: string, text: string, isChosen: boolean) => `<option value="${safe(value)}"${isChosen ? " selected" : ""}>${safe(text)}</option>`;
  const usual = ["aes-256 gcm-encrypt hot", "sha-256 hash hot"].find((key) => found.has(key)) ?? list[0].key;
  const picker = document.createElement("div");
  picker.className = "picker";
  picker.innerHTML = `<label><span>Algorithm</span> <select data-of="algorithm">${[...families].map(([family, own]) => `<optgroup label="${safe(familyName(family))}">${own.sort((a, b) => algorithmName(a).localeCompare(algorithmName(b), "en", { numeric: true })).map((one) => option(one.key, algorithmName(one), one.key === usual)).join("")}</optgroup>`).join("")}</select></label>
    <label><span>Message</span> <select data-of="bytes">${LENGTHS.map((bytes) => option(String(bytes), size(bytes), bytes === 64)).join("")}</select></label>
    <label><span>Messages per key</span> <select data-of="perkey">${KEYS.map((count) => option(count == null ? "" : String(count), count == null ? "very many" : String(count), count === 1)).join("")}</select></label>`;
  made.append(picker);
  const value = (of: string) => (picker.querySelector(`[data-of="${of}"]`) as HTMLSelectElement).value;
  const asked = () => ({ algorithm: algorithms.get(value("algorithm")) ?? list[0], bytes: Number(value("bytes")), perKey: value("perkey") === "" ? null : Number(value("perkey")) });
  const mhz = data.mhz?.[1] ?? null;
  const cycles = (cost: Cost) => (mhz ? (cost.slope.mid * mhz) / 1000 : null);
  const panel = addPanel(made, {
    title: "Cost of one message", label: "Cost of one message by its parts", search: list.map((one) => `${one.primitive} ${one.operation} ${algorithmName(one)}`).join("\n"), wide: true, rows: 12, heads: ["total"],
    make: (width, own) => {
      const { algorithm, bytes, perKey } = asked();
      const all = (found.get(algorithm.key) ?? []).filter((cost) => isShown(cost.library)).map((cost): Stack => {
        const key = perKey && cost.setup ? cost.setup.mid / perKey : 0, call = Math.max(0, cost.intercept.mid), byte = cost.slope.mid * bytes, total = key + call + byte, main = { low: total, mid: total, high: total, text: time(total) };
        return { library: cost.library, name: libraryName(cost.library), parts: [key, call, byte], text: time(total), main, act: `l${cost.library}`, tie: false, flag: false };
      }).sort((a, b) => a.main.mid - b.main.mid);
      if (!all.length) return {};
      const bound = data.bounds[`${algorithm.primitive} ${algorithm.operation}`], { rows, folded } = fold(all, own);
      const least = mhz && bound ? (bound * bytes * 1000) / mhz : undefined;
      return {
        rows: all, folded, unit: `${algorithmName(algorithm)}, ${size(bytes)}${perKey == null ? "" : perKey === 1 ? " with a new key" : `, ${perKey} messages per key`}; time, lower is better${least ? "; dashed: no core can be faster" : ""}`,
        draw: () => stack(rows as Stack[], ["key", "call", "bytes"], { least }, width),
      };
    },
  });
  const table = document.createElement("div");
  made.append(table);
  const refresh = () => {
    const { algorithm } = asked(), bound = data.bounds[`${algorithm.primitive} ${algorithm.operation}`];
    const rows = [...(found.get(algorithm.key) ?? [])].filter((cost) => isShown(cost.library)).sort((a, b) => a.slope.mid - b.slope.mid);
    table.innerHTML = `<details class="more"><summary>The parts of ${safe(algorithmName(algorithm))} in numbers</summary><p class="fine"><button type="button" class="link" data-alg="${safe(algorithm.key)}">All its cells</button>. The bound: ${bound ? `${number(bound)} cycles per byte` : "not known"}, at the run’s clock; half of what the fastest known core needs.</p><div class="scroll" tabindex="0" role="region" aria-label="Parts of the cost"><table><thead><tr><th scope="col">Library</th><th scope="col" class="n">key set-up</th><th scope="col" class="n">in bytes</th><th scope="col" class="n">per call</th><th scope="col" class="n">ns per byte</th><th scope="col" class="n">cycles per byte</th><th scope="col" class="n">× bound</th><th scope="col" class="n">misfit</th></tr></thead><tbody>${rows.map((cost) => {
      const own = cycles(cost);
      return `<tr><th scope="row">${chip(cost.library)}${safe(libraryName(cost.library))}</th><td class="n">${cost.setup ? time(cost.setup.mid) : "–"}</td><td class="n">${cost.setupBytes ? size(Math.round(cost.setupBytes.mid)) : "–"}</td><td class="n">${time(cost.intercept.mid)} <span class="fine">${spread(cost.intercept)}</span></td><td class="n">${number(cost.slope.mid)} <span class="fine">${spread(cost.slope)}</span></td><td class="n">${number(own)}</td><td class="n">${own && bound ? times(own / bound) : "–"}</td><td class="n">${number(cost.misfit * 100)} %</td></tr>`;
    }).join("")}</tbody></table></div></details>`;
    touch([panel]);
  };
  picker.addEventListener("change", () => {
    const wasOpen = table.querySelector("details")?.open ?? false;
    refresh();
    (table.querySelector("details") as HTMLDetailsElement).open = wasOpen;
  });
  refresh();
}
