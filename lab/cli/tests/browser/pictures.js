// Writes the README's pictures of a report, report.png and report-slide.png: node pictures.js
// REPORT.html FOLDER, with the program in CHROMIUM if it is not /usr/bin/chromium.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
await page.goto(pathToFileURL(report).href);
await page.waitForFunction(() => window.touchstone && document.querySelector("#which svg"));
await page.screenshot({ path: join(folder, "report.png") });
// Bars that stay at the top would cover a part of the slide.
await page.evaluate(() => {
  for (const node of document.querySelectorAll("body *")) if (["sticky", "fixed"].includes(getComputedStyle(node).position)) node.hidden = true;
});
const slide = page.locator("#hero .panel");
await slide.scrollIntoViewIfNeeded();
await slide.locator("svg").first().waitFor();
await slide.screenshot({ path: join(folder, "report-slide.png") });
await browser.close();
