// The report's script. The page's text is there without it: assets/report.html.
import { changed, recolour, restoreControls, setUpControls } from "./controls";
import { libraries } from "./data";
import { listenForOpening, redrawDialog, restoreDialog } from "./dialog";
import { jump, listenForJumps } from "./jump";
import { paint, setPrinting } from "./marks";
import { answer } from "./model";
import { drawAll, panels, render, touch, type Panel } from "./panels";
import { buildCosts } from "./sections/costs";
import { buildExplorer } from "./sections/explorer";
import { buildHero } from "./sections/hero";
import { buildLengths, buildThreads } from "./sections/lengths";
import { buildMasks } from "./sections/masks";
import { contents, lengthenGroups, shortenGroups } from "./sections/page";
import { buildRank } from "./sections/rank";
import { buildRuns } from "./sections/runs";
import { buildSetup } from "./sections/setup";
import { buildAeads, buildAes, buildCiphers, buildHashes, buildMacs, buildPublicKeys } from "./sections/throughput";
import { buildTimeline } from "./sections/timeline";
import { buildVersions } from "./sections/versions";
import { buildViews, openViews } from "./sections/views";
import { buildWhich, read } from "./sections/which";
import { onReturn, place, settings } from "./settings";
import { hideTip } from "./tooltip";

setUpControls();
const restoreWhich = buildWhich();
buildHero();
buildRank();
for (const build of [buildRuns, buildHashes, buildCiphers, buildAes, buildAeads, buildMacs, buildPublicKeys, buildSetup, buildLengths, buildThreads, buildMasks, buildVersions, buildExplorer, buildCosts, buildTimeline]) build();
shortenGroups();
buildViews();
const toc = document.getElementById("toc") as HTMLElement;
const sections: [string, string][] = [["which", "Which library?"], ["hero", "At a glance"], ["overview", "Who is faster"], ["libraries", "Libraries"], ...contents, ["views", "Views"], ["verification", "Verification"], ["attacks", "Attacks"], ["failures", "Failures"], ["method", "Method"]];
toc.innerHTML = sections.filter(([id]) => document.getElementById(id)).map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join("");
for (const group of document.querySelectorAll<HTMLElement>(".failure-group")) {
  group.dataset.search += ` ${(group.dataset.libraries ?? "").split(" ").map((id) => libraries.get(id)?.name ?? "").join(" ")}`;
}
paint(document);
restoreControls();
listenForJumps();
listenForOpening(jump);
const goTo = () => { const { section } = place(); if (section && section !== "main") jump(section); };
onReturn(() => { restoreControls(); restoreWhich?.(); changed(); restoreDialog(); goTo(); });
goTo();
restoreDialog();

// The link of the section that is read is marked in the table of contents.
const reading = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const link = toc.querySelector<HTMLElement>(`a[href="#${entry.target.id}"]`);
    if (!link || !entry.isIntersecting) continue;
    toc.querySelector("[aria-current]")?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    const bar = link.closest("nav");
    if (bar) bar.scrollLeft = link.offsetLeft - bar.clientWidth / 2;
  }
}, { rootMargin: "-25% 0px -70% 0px" });
for (const [id] of sections) { const section = document.getElementById(id); if (section) reading.observe(section); }

let width = innerWidth, waiting = 0;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(waiting);
  waiting = window.setTimeout(() => { touch(); redrawDialog(); }, 150);
});
addEventListener("scroll", hideTip, { passive: true });
// On paper there are only the answer, the slide and the ranks.
const isPrinted = (panel: Panel) => panel.node.closest("#which, #hero, #overall") !== null;
addEventListener("beforeprint", () => { setPrinting(true); paint(document); panels.filter(isPrinted).forEach(render); });
addEventListener("afterprint", () => { setPrinting(false); recolour(); });

// For tests, and for developers: draws all charts, answers a question, and gives access to the state.
declare global { interface Window { touchstone: unknown } }
window.touchstone = { drawAll: () => { lengthenGroups(true); openViews(); drawAll(); }, panels, settings, answer, ask: (fields: Record<string, string>) => read(new Map(Object.entries(fields))) };
