// What a mark of a chart stands for, beside the pointer.
import { cells, data, libraries, peers, tiesOf, vagueOf, type Cell } from "./data";
import { PER_CALL, algorithmName, safe, libraryName, number, size, sizeText, time, times, valueIn } from "./format";
import { chip, standing } from "./marks";
import { standings } from "./sections/standings";
import { settings } from "./settings";

const tip = document.getElementById("tip") as HTMLElement;
export const hideTip = () => { tip.hidden = true; };
export const pairs = (list: [string, string | number | null | undefined | false][]) =>
  list.filter(([, text]) => text != null && text !== "" && text !== false).map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("");

/** A cell's place among those that it is compared with. */
export function standOf(cell: Cell): string {
  if (cell.flags) return "not ranked";
  if (tiesOf(peers(cell)).includes(cell)) return `${times(cell.ratio.mid)} <span class="badge tie">= tie</span>`;
  if (vagueOf(peers(cell)).includes(cell)) return `${times(cell.ratio.mid)} <span class="badge">? uncertain</span>`;
  return cell.ratio.mid <= 1 ? "the best" : `${times(cell.ratio.mid)} its time`;
}
function ofCell(cell: Cell): string {
  const value = valueIn(cell, settings.unit), perCall = value.unit === PER_CALL;
  const text = perCall ? time : number, unit = perCall ? "" : ` ${value.unit.name}`;
  return `<b>${chip(cell.library)}${safe(libraryName(cell.library))}</b>${safe(algorithmName(cell))} ${standing(cell.primitive)}<dl>${pairs([
    [perCall ? "time" : value.unit.name, `${value.text}${unit}, ${value.unit.higher ? "higher" : "lower"} is better`],
    ["interval", cell.ns.few ? "too few rounds" : `${text(value.low)} to ${text(value.high)}${unit} (95 %)`],
    ["to the best", standOf(cell)],
    ["cost", safe(data.primitives[cell.primitive]?.cost ?? "")],
    ["contract", safe(cell.contract)], ["size", cell.bytes ? sizeText(cell.operation, cell.bytes) : null], ["threads", cell.threads > 1 && cell.threads],
    ["API", safe(cell.api)], ["kernel", safe(cell.kernel)], ["rounds", `${cell.rounds} (${safe(cell.stop)})`], ["flags", cell.flags && `⚑ ${safe(cell.flags)}`],
  ])}</dl>`;
}
export const memory = (kib: number) => (kib < 1024 ? size(kib * 1024) : `${number(kib / 1024)}\u00a0MiB`);
function ofLibrary(id: string): string {
  const library = libraries.get(id);
  if (!library) return "";
  return `<b>${chip(id)}${safe(libraryName(id))} ${safe(library.version)}</b><dl>${pairs([
    ...standings(id),
    ["start", library.start_ms != null && `${number(library.start_ms)} ms to the first answer`],
    ["memory", library.peak_kib != null && `${memory(library.peak_kib)} over an empty worker`],
    ["code", library.code_bytes != null && size(library.code_bytes)],
  ])}</dl>`;
}
export function showTip(at: { clientX: number; clientY: number }, act: string) {
  const what = act.slice(1), html = act[0] === "c" ? ofCell(cells[+what]) : act[0] === "l" ? ofLibrary(what) : "";
  if (!html) return hideTip();
  if (tip.dataset.of !== act || tip.hidden) tip.innerHTML = html;
  tip.dataset.of = act;
  tip.hidden = false;
  const dialog = document.querySelector("dialog[open]") ?? document.body;
  if (tip.parentNode !== dialog) dialog.append(tip);
  const box = tip.getBoundingClientRect(), gap = 14;
  const x = at.clientX + gap + box.width > innerWidth ? at.clientX - gap - box.width : at.clientX + gap;
  const y = at.clientY + gap + box.height > innerHeight ? at.clientY - gap - box.height : at.clientY + gap;
  tip.style.left = `${Math.max(6, x)}px`;
  tip.style.top = `${Math.max(6, y)}px`;
}
