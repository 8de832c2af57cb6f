// What a new key costs.
import { dots, type Row } from "../charts/dots";
import { algorithms, cells, costs, data, usual, type Cost } from "../data";
import { openAlgorithm } from "../dialog";
import { algorithmName, safe, libraryName, nb, operationName, primitiveName, size, tick, time, timeTick } from "../format";
import { addPanel, fold, touch, type Panel } from "../panels";
import { addAlgorithms } from "../rows";
import { isShown } from "../settings";
import { group, section } from "./page";

interface Keys { primitive: string; operation: string; encrypt: Map<string, Cost>; decrypt: Map<string, Cost> }

export function buildSetup() {
  const found = new Map<string, Keys>();
  for (const cost of costs) {
    if (!cost.setup) continue;
    const { undoes } = data.operations[cost.operation], operation = undoes ?? cost.operation, key = `${cost.primitive} ${operation}`;
    let own = found.get(key);
    if (!own) { own = { primitive: cost.primitive, operation, encrypt: new Map(), decrypt: new Map() }; found.set(key, own); }
    own[undoes ? "decrypt" : "encrypt"].set(cost.library, cost);
  }
  const fresh = [...algorithms.values()].filter((one) => ["keyed", "rekeyed"].includes(one.contract)).sort((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }));
  if (!found.size && !fresh.length) return;
  const made = section("setup", "Key set-up", "Key set-up", "What a new key costs before the first byte, timed on its own for each direction. As bytes: what the same cell could have processed meanwhile; a short message under a fresh key pays for both.");
  if (found.size) buildKeys(made, [...found.values()]);
  if (fresh.length) addAlgorithms(group(made, `A new key for every message: keyed and rekeyed (${fresh.length})`, "", true), fresh.map((algorithm) => ({ algorithm, title: `${algorithmName(algorithm)}, ${algorithm.contract}` })));
}
function buildKeys(parent: Element, all: Keys[]) {
  let inBytes = false;
  const picker = document.createElement("div"), mine: Panel[] = [];
  picker.className = "picker chips";
  picker.setAttribute("role", "group");
  picker.setAttribute("aria-label", "Unit of key set-up");
  picker.innerHTML = `<button type="button" data-as="ns" aria-pressed="true">time</button><button type="button" data-as="bytes" aria-pressed="false">bytes it could have processed</button>`;
  parent.append(picker);
  picker.addEventListener("click", (event) => {
    const chosen = (event.target as Element).closest("button");
    if (!chosen) return;
    inBytes = chosen.dataset.as === "bytes";
    for (const button of picker.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === chosen));
    touch(mine);
  });
  const grid = group(parent, "Set-up of one key", "lower is better");
  const least = (keys: Keys) => Math.min(...[...keys.encrypt.values()].map((cost) => cost.setup?.mid ?? Number.POSITIVE_INFINITY));
  for (const keys of all.sort((a, b) => least(a) - least(b))) {
    const words = operationName(keys.operation).replace(/ (en|de)crypt$/, "");
    const name = `${primitiveName(keys.primitive)}${/^(encrypt|mac|hash|derive)$/.test(words) ? "" : ` ${words}`}`;
    const algorithm = usual(keys.primitive, keys.operation) ?? [...algorithms.values()].find((one) => one.primitive === keys.primitive);
    mine.push(addPanel(grid, {
      title: safe(name), label: `Key set-up of ${name}`, primitive: keys.primitive, search: `${keys.primitive} ${keys.operation} ${name} key setup set-up`,
      open: algorithm ? () => openAlgorithm(algorithm) : null, rows: keys.encrypt.size, heads: ["encrypt", "decrypt"],
      make: (width, panel) => {
        const pick = (cost: Cost | undefined) => (cost ? (inBytes ? cost.setupBytes : cost.setup) : null), text = inBytes ? (value: number) => size(Math.round(value)) : time;
        const all = [...new Set([...keys.encrypt.keys(), ...keys.decrypt.keys()])].filter(isShown).flatMap((library): Row[] => {
          const a = pick(keys.encrypt.get(library)), b = pick(keys.decrypt.get(library)), main = a ?? b;
          if (!main) return [];
          const own = (contract?: string) => cells.find((cell) => cell.library === library && cell.primitive === keys.primitive && cell.operation === keys.operation && (!contract || cell.contract === contract));
          const cell = own("setup") ?? own();
          const alt = a && b ? { ...b, text: text(b.mid) } : null;
          return [{ library, name: libraryName(library), main, alt, text: text(main.mid), note: a && b && Math.abs(b.mid / a.mid - 1) > 0.1 ? `○ ${text(b.mid)}` : "", act: cell ? `c${cell.index}` : `l${library}`, tie: false, flag: false }];
        }).sort((a, b) => a.main.mid - b.main.mid);
        if (!all.length) return {};
        const { rows, folded } = fold(all, panel);
        return { rows: all, folded, unit: `${inBytes ? "bytes it could have processed" : "time per key"}, lower is better${all.some((row) => row.alt) ? `; ●${nb}encrypt ○${nb}decrypt` : ""}`, draw: () => dots(rows, { tick: inBytes ? tick : timeTick }, width) };
      },
    }));
  }
}
