// How large a report is, and how soon it opens: node opening.js REPORT.html, with the program in
// CHROMIUM if it is not /usr/bin/chromium.
import { statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const TIMES = 5;
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** Opens a report some times. The time until the page can be used counts what else the machine
 * does; the work is the processor's time of the page. */
export async function opening(browser, url) {
  const ready = [], work = [];
  let panels = 0;
  for (let time = 0; time < TIMES; time++) {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.setViewportSize({ width: 1280, height: 900 });
    const start = performance.now();
    await page.goto(url);
    await page.waitForFunction(() => window.touchstone && document.querySelector("#which svg"));
    ready.push(performance.now() - start);
    const { metrics } = await session.send("Performance.getMetrics");
    work.push(metrics.find((one) => one.name === "TaskDuration").value * 1000);
    panels = await page.evaluate(() => touchstone.panels.length);
    await page.close();
  }
  return { kilobytes: statSync(fileURLToPath(url)).size / 1000, ready: median(ready), work: median(work), panels };
}
export const told = ({ kilobytes, ready, work, panels }) =>
  `${Math.round(kilobytes)} kB, ${panels} charts; opens in ${Math.round(ready)} ms, ${Math.round(work)} ms of them work of the page (median of ${TIMES})`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  console.log(told(await opening(browser, pathToFileURL(process.argv[2]).href)));
  await browser.close();
}
