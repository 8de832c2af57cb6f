// Tests the report in a browser. Environment: REPORT is the page, CHROMIUM is the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const url = pathToFileURL(process.env.REPORT).href;
const contrast = readFileSync(new URL("contrast.js", import.meta.url), "utf8");

let browser, page;
// Errors that the page reported, and requests that the page made. Both must not occur.
let complaints;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
});
after(() => browser?.close());

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(file|data|about):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
});
afterEach(async () => {
  await page.close();
  assert.deepEqual(complaints, []);
});

async function open(width, colorScheme) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(url);
}

const drawAll = () => page.evaluate(() => touchstone.drawAll());
const until = (condition) => page.waitForFunction(condition);
const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** Checks that no text has less contrast than WCAG AA requires. */
async function agree() {
  const found = await page.evaluate(contrast);
  assert.deepEqual(found.low, []);
  assert.ok(found.texts > 200 && found.marks > 5, JSON.stringify(found));
}

/** Returns a point on the first bar of the chart of SHA-256. */
async function bar() {
  const chart = page.locator("#hashes .panel", { hasText: "SHA-256" }).first().locator(".chart");
  await chart.evaluate((e) => e.scrollIntoView({ block: "center", behavior: "instant" }));
  await chart.locator("svg").waitFor();
  const box = await chart.boundingBox();
  return [box.x + 40, box.y + 15];
}

test("charts are drawn as they come into view, and all on demand", async () => {
  await open(1280, "light");
  await page.locator("#overall .chart svg").first().waitFor();
  const early = await page.locator(".chart svg").count();
  const panels = await page.evaluate(() => touchstone.panels.length);
  assert.ok(panels > 60, `${panels} charts`);
  assert.ok(early < panels, `all ${early} drawn at once`);
  await drawAll();
  await until(() => touchstone.panels.filter((p) => !p.node.hidden).every((p) => p.chart.querySelector("svg path")));
  const broken = await page.locator(".chart svg").evaluateAll((all) =>
    all.filter((svg) => /NaN|undefined|Infinity/.test(svg.outerHTML)).map((svg) => svg.closest(".panel").textContent.slice(0, 60)));
  assert.deepEqual(broken, []);
  const body = await page.textContent("body");
  for (const text of ["= tie", "higher is better", "lower is better", "broken", "not here"]) {
    assert.ok(body.includes(text), text);
  }
  await agree();
});

test("a bar tells what it is, and a click goes down to its samples", async () => {
  await open(1280, "light");
  let [x, y] = await bar();
  await page.mouse.click(x, y);
  await page.locator("#dialog[open]").waitFor();
  const dialog = await page.locator("#dialog").innerText();
  for (const text of ["SHA-256", "hot", "rounds", "95 % interval", "API", "kernel", "first calls", "sources", "Raw samples"]) {
    assert.ok(dialog.includes(text), `${text} in ${dialog}`);
  }
  assert.equal(await page.locator("#dialog-chart svg").count(), 1);
  await agree();
  await page.keyboard.press("Escape");
  await until(() => !document.getElementById("dialog").open);
  [x, y] = await bar();
  const told = page.locator("#tip:not([hidden])", { hasText: "contract" });
  for (let moves = 1; !(await told.count()); moves++) {
    assert.ok(moves < 100, "hovering shows nothing");
    await page.mouse.move(x + (moves % 7), y);
    await page.waitForTimeout(30);
  }
});

test("the keyboard goes from rank to algorithm to cell, and back", async () => {
  await open(1280, "light");
  await page.locator("#rank [data-alg]").first().focus();
  await page.keyboard.press("Enter");
  await page.locator("#dialog[open]").waitFor();
  await until(() => document.activeElement.closest("dialog") !== null);
  await page.locator("#dialog-body [data-act]").first().focus();
  await page.keyboard.press("Enter");
  await page.locator("#dialog-body", { hasText: "Raw samples" }).waitFor();
  await page.keyboard.press("Escape");
  await until(() => !document.getElementById("dialog").open && document.activeElement.matches("#rank [data-alg]"));
  await page.locator("#hashes details.values").first().evaluate((details) => (details.open = true));
  await page.locator("#hashes details.values [data-act]").first().waitFor();
});

test("filter, unit, size and libraries reach every chart", async () => {
  await open(1280, "light");
  await page.fill("#filter", "^aes-(128|256) gcm");
  await page.locator("#matches", { hasText: " of " }).waitFor();
  const left = await page.evaluate(() => touchstone.panels.filter((p) => !p.node.hidden && !p.keep).map((p) => p.label));
  assert.ok(left.some((label) => label.includes("AES-256 GCM")), String(left));
  assert.ok(!left.some((label) => label.includes("SHA")), String(left));
  await page.fill("#filter", "(");
  await page.locator("#filter[aria-invalid=true]").waitFor();
  await page.fill("#filter", "");
  await until(() => touchstone.panels.every((p) => !p.node.hidden));
  await page.selectOption("#unit", "cpb");
  await page.selectOption("#size", "16");
  await drawAll();
  assert.equal(await page.locator("#hashes .unit").first().textContent(), "cycles/B at 16\u{a0}B, lower is better");
  const names = () => page.locator("#sections svg text").allTextContents();
  assert.ok((await names()).includes("OpenSSL"));
  await page.locator("#toggles input[value=openssl]").evaluate((input) => input.click());
  await drawAll();
  assert.ok(!(await names()).includes("OpenSSL"));
});

test("it is dark by the system, and by hand", async () => {
  await open(1280, "dark");
  const dark = await background();
  await drawAll();
  await agree();
  await page.click("#theme");
  assert.notEqual(await background(), dark);
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#theme");
  assert.equal(await background(), dark);
  await page.click("#theme");
  assert.notEqual(await background(), dark);
});

test("on a phone nothing is wider than the page, the dialog neither", async () => {
  await open(360, "light");
  await drawAll();
  for (const step of ["the page", "the dialog"]) {
    if (step === "the dialog") {
      await page.locator("#rank [data-lib-cell]").first().evaluate((cell) => cell.click());
      await page.locator("#dialog[open]").waitFor();
    }
    const widths = await page.evaluate(() =>
      [document.documentElement, document.getElementById("dialog")].map((e) => [e.scrollWidth, e.clientWidth]));
    for (const [content, room] of widths) assert.ok(content <= room, `${step}: ${content} of ${room}`);
    assert.equal(widths[0][0], 360, step);
  }
});

test("everything is drawn before it is printed", async () => {
  await open(1280, "dark");
  const pdf = await page.pdf({ printBackground: true });
  assert.ok(pdf.length > 75_000, `${pdf.length} bytes`);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.evaluate(() => touchstone.panels.every((p) => p.chart.querySelector("svg"))));
});
