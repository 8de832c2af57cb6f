// The figures that earlier work published, and today's.
import { namesOf, years, type Track } from "../charts/years";
import { algorithmKey, algorithms, columnAt, data, type Algorithm, type Published } from "../data";
import { algorithmName, libraryName, number, safe, tick, times } from "../format";
import { standing } from "../marks";
import { addPanel } from "../panels";
import { titleOf } from "../rows";
import { isShown } from "../settings";
import { section } from "./page";

interface Course extends Published { algorithm: Algorithm; perCall: boolean }

/** The best cell of today, at the longest messages that were measured. */
function today({ algorithm, perCall }: Course) {
  const cells = [...columnAt(algorithm, algorithm.sizes[algorithm.sizes.length - 1] ?? 0).values()].filter((cell) => !cell.flags && isShown(cell.library));
  const best = cells.sort((a, b) => a.ns.mid - b.ns.mid)[0];
  return best && { cell: best, value: ((perCall ? 1 : best.bytes) / best.ns.mid) * 1e9 };
}
const best = (points: Published["points"]) => points.reduce((most, point) => (point.value > most.value ? point : most));
const megabytes = (value: number) => `${number(value / 1e6)} MB/s`;

export function buildTimeline() {
  const known = data.timeline.flatMap((one): Course[] => {
    const algorithm = algorithms.get(algorithmKey(one.primitive, one.operation, "hot"));
    return algorithm ? [{ ...one, algorithm, perCall: data.operations[one.operation].perCall }] : [];
  }).filter((one) => today(one));
  if (!known.length) return;
  const now = new Date(data.run.started).getUTCFullYear(), first = Math.min(...known.flatMap((one) => one.points.map((point) => point.year)));
  const made = section("timeline", `From ${first} to today`, "Timeline", "What earlier work published about the algorithms of this run, on the machines of its time, and the fastest library of this run on one thread. Message lengths and compilers differ: the steps are the decades’, not a library’s.");
  for (const [perCall, title] of [[false, "Throughput"], [true, "Calls per second"]] as const) {
    const list = known.filter((one) => one.perCall === perCall);
    if (!list.length) continue;
    const text = (value: number) => (perCall ? `${number(value)} per second` : megabytes(value));
    addPanel(made, {
      title, label: `${title}, ${first} to ${now}`, search: `timeline published ${list.map((one) => `${one.primitive} ${one.operation} ${algorithmName(one)}`).join(" ")}`, wide: true, height: perCall ? 260 : 420,
      make: (width) => {
        const tracks = list.flatMap((one): Track[] => {
          const end = today(one);
          if (!end) return [];
          const name = titleOf(one);
          return [{
            name, act: `a${one.algorithm.key}`,
            points: [
              ...one.points.map((point) => ({ year: point.year, value: point.value, isBest: point.value === best(one.points.filter((other) => other.year === point.year)).value, label: `${name}, ${point.year}: ${text(point.value)}\n${point.what}\n${point.source}; ${point.machine}` })),
              { year: now, value: end.value, isBest: true, label: `${name}, today: ${text(end.value)}, ${libraryName(end.cell.library)}` },
            ],
          }];
        });
        return { unit: `${perCall ? "calls per second" : "bytes per second"}, higher is better; log axis; a line joins the best of each year`, legend: namesOf(tracks, width), draw: () => years(tracks, { tick: perCall ? tick : rate, height: perCall ? 240 : 400 }, width) };
      },
    });
  }
  const row = (one: Course) => {
    const end = today(one), start = one.points.filter((point) => point.year === Math.min(...one.points.map((other) => other.year))), from = best(start);
    if (!end) return "";
    const gain = end.value / from.value, text = (value: number) => (one.perCall ? `${number(value)}/s` : megabytes(value));
    return `<tr><th scope="row"><button type="button" class="link" data-alg="${safe(one.algorithm.key)}">${safe(titleOf(one))}</button> ${standing(one.primitive)}</th><td class="n">${from.year}</td><td class="n">${text(from.value)}</td><td>${safe(`${from.what}, ${from.machine}`)}</td><td class="n">${text(end.value)}</td><td>${safe(libraryName(end.cell.library))}</td><td class="n">${times(gain)}</td><td class="n">${number((now - from.year) / Math.log2(gain))} years</td></tr>`;
  };
  made.insertAdjacentHTML("beforeend", `<details class="more"><summary>The figures, and how soon they doubled</summary><div class="scroll" tabindex="0" role="region" aria-label="Published figures and today’s"><table><thead><tr><th scope="col">Algorithm</th><th scope="col" class="n">year</th><th scope="col" class="n">then</th><th scope="col">what, where</th><th scope="col" class="n">today</th><th scope="col">library</th><th scope="col" class="n">gain</th><th scope="col" class="n">doubled every</th></tr></thead><tbody>${known.map(row).join("")}</tbody></table></div></details>`);
}
const rate = (value: number) => (value >= 1e9 ? `${+(value / 1e9).toPrecision(3)} GB/s` : `${+(value / 1e6).toPrecision(3)} MB/s`);
