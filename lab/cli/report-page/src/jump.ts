// Jumps to a section. Charts that are drawn on the way change the page's height, so that the
// section is brought to the top again until it stays there.
import { rememberSection } from "./settings";

const SETTLE = 700;
export function jump(id: string) {
  const target = document.getElementById(id);
  if (!target) return;
  for (let node: Element | null = target; node; node = node.parentElement) if (node instanceof HTMLDetailsElement) node.open = true;
  rememberSection(id);
  let isStopped = false;
  const stop = () => { isStopped = true; };
  for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(event, stop, { once: true, passive: true });
  const until = performance.now() + SETTLE;
  const step = () => {
    if (isStopped) return;
    target.scrollIntoView({ block: "start", behavior: "instant" });
    if (performance.now() < until) requestAnimationFrame(step);
  };
  step();
  if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}
export function listenForJumps() {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    const id = link?.getAttribute("href")?.slice(1);
    if (!id || event.ctrlKey || event.metaKey || !document.getElementById(id)) return;
    event.preventDefault();
    jump(id);
  });
}
