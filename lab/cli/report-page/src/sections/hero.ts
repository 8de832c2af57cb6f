// The run on one slide: which library is how fast at what, and where it is wrong.
import { heatMap, type HeatCell, type HeatGroup } from "../charts/heat";
import { data, isVague, ranks, verification } from "../data";
import { familyName, libraryName, primitiveName, rankedAlgorithm, rankedName, times } from "../format";
import { addPanel } from "../panels";
import { representatives } from "./rank";

const MOST_LIBRARIES = 24;
/** How many algorithms of each family the slide has room for, 32 in all. */
const ROOM: Record<string, number> = { aead: 5, block: 5, stream: 2, hash: 6, mac: 3, kdf: 2, password: 2, signature: 3, agreement: 2, integer: 3 };

/** The modern algorithms that most libraries have, in one direction, by family. */
function chosen(): HeatGroup[] {
  const found = new Map<string, Map<string, number>>();
  for (const rank of ranks) {
    const [primitive, operation, contract] = rank.algorithm.split(" "), known = data.operations[operation];
    if (contract || !known || known.undoes || known.mode === "ECB" || !representatives.includes(rank.library)) continue;
    if (data.primitives[primitive]?.standing !== "modern" && !["password", "signature"].includes(rank.family)) continue;
    const family = found.get(rank.family) ?? new Map<string, number>();
    found.set(rank.family, family.set(rank.algorithm, (family.get(rank.algorithm) ?? 0) + 1));
  }
  const names: Record<string, string> = { block: "Block ciphers", stream: "Streams", kdf: "KDFs", password: "crypt(3)", agreement: "ECDH" };
  // Of the key lengths of one cipher in one mode, only the one that most libraries have is shown.
  const kind = (id: string) => { const [primitive, operation] = id.split(" "); return `${primitive.replace(/-(128|192|256)$/, "")} ${operation}`; };
  const groups = Object.keys(ROOM).filter((family) => found.has(family)).map((family) => ({
    name: names[family] ?? familyName(family),
    columns: [...(found.get(family) ?? [])].sort((a, b) => b[1] - a[1] || b[0].localeCompare(a[0], "en", { numeric: true }))
      .filter(([id], place, all) => all.findIndex(([other]) => kind(other) === kind(id)) === place).slice(0, ROOM[family])
      .map(([id]) => ({ id, name: shortName(id) })).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })),
  }));
  return groups.filter((group) => group.columns.length);
}
function shortName(id: string): string {
  const [primitive, operation] = id.split(" "), { mode, name } = data.operations[operation];
  const words = mode ?? (/^(hash|MAC|mac|derive|crypt|encrypt|agree)$/.test(name) ? "" : name);
  return `${primitiveName(primitive).replace(/^(RSA-\d+|ECDSA-\w+)-.*/, "$1")} ${words}`.trim();
}

export function buildHero() {
  const host = document.getElementById("hero"), groups = chosen();
  const ids = groups.flatMap((group) => group.columns.map((column) => column.id));
  if (!host || ids.length < 2) { host?.remove(); return; }
  const stemOf = (operation: string) => data.operations[operation].stem;
  const wrong = new Set(verification.filter((row) => row.failed > 0).map((row) => `${row.library} ${row.primitive} ${stemOf(row.operation)}`));
  const firsts = new Map<string, number>();
  for (const rank of ranks) if (rank.band === 1 && representatives.includes(rank.library)) firsts.set(rank.algorithm, (firsts.get(rank.algorithm) ?? 0) + 1);
  const own = ranks.filter((rank) => ids.includes(rank.algorithm) && representatives.includes(rank.library));
  // Versions of one library are one row; the best row of each algorithm is 1.
  const best = new Map<string, number>();
  for (const rank of own) best.set(rank.algorithm, Math.min(best.get(rank.algorithm) ?? Number.POSITIVE_INFINITY, rank.rank.mid));
  const mean = (id: string) => {
    const list = own.filter((rank) => rank.library === id);
    return { count: list.length, mean: Math.exp(list.reduce((sum, rank) => sum + Math.log(rank.rank.mid), 0) / list.length) };
  };
  const rows = representatives.map((id) => ({ id, name: libraryName(id), ...mean(id) })).filter((row) => row.count > 0);
  rows.sort((a, b) => Number(a.count * 4 < ids.length) - Number(b.count * 4 < ids.length) || a.mean - b.mean);
  rows.splice(MOST_LIBRARIES);
  const shown = new Set(rows.map((row) => row.id));
  const cells = own.filter((rank) => shown.has(rank.library)).map((rank): HeatCell => {
    const [primitive, operation] = rank.algorithm.split(" "), ratio = rank.rank.mid / (best.get(rank.algorithm) ?? 1), isWrong = wrong.has(`${rank.library} ${primitive} ${stemOf(operation)}`);
    const isTie = rank.band === 1 && (firsts.get(rank.algorithm) ?? 0) > 1 && !isVague(rank.rank);
    return {
      row: rank.library, column: rank.algorithm, ratio, isTie, isWrong,
      mark: { library: rank.library, act: `a${rankedAlgorithm(rank.algorithm)?.key ?? ""}`, label: `${libraryName(rank.library)}, ${rankedName(rank.algorithm)}: ${isTie ? "level with the best" : times(ratio)}${isWrong ? ", with wrong answers" : ""}` },
    };
  });
  // A library that is wrong is not timed, and its field would be empty.
  const timed = new Set(cells.map((one) => `${one.row} ${one.column}`));
  for (const id of ids) {
    const [primitive, operation] = id.split(" ");
    for (const row of rows) {
      if (timed.has(`${row.id} ${id}`) || !wrong.has(`${row.id} ${primitive} ${stemOf(operation)}`)) continue;
      cells.push({ row: row.id, column: id, ratio: 99, isTie: false, isWrong: true, mark: { library: row.id, act: `a${rankedAlgorithm(id)?.key ?? ""}`, label: `${row.name}, ${rankedName(id)}: wrong answers, not timed` } });
    }
  }
  host.innerHTML = "<h2>The run on one slide</h2>";
  addPanel(host, {
    title: "Time over the best library’s", label: "Time over the best library's, by library and algorithm", search: "", keep: true, wide: true, height: rows.length * 22 + 130,
    note: "Modern algorithms that most libraries have, over all lengths. A strong colour: near the best; = cannot be told from the best; ✗ gave wrong answers; empty: not offered. Choose a field for its numbers.",
    make: (width) => ({ draw: () => heatMap(rows, groups, cells, Math.max(width, 900)) }),
  });
}
