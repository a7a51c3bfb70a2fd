/* The respondent's page beside the questions. It shows the question that is edited, and is loaded again after each
   change, behind the one that is seen, and takes its place where that was scrolled to. */

const PAUSE = 400;
const PATIENCE = 3_000;
const BUILT = ".question, .panel"; // what the page's script has built
const DESKTOP = 1024; // pixels of the page that is shown smaller

export class Preview {
  constructor(aside) {
    this.screen = aside.querySelector(".screen");
    this.aside = aside;
    document.addEventListener("stored", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.renew(), PAUSE);
    });
    for (const button of aside.querySelectorAll("button")) button.addEventListener("click", () => this.choose(button));
    new ResizeObserver(() => this.fit()).observe(this.screen);
  }

  get shown() {
    return this.aside.checkVisibility();
  }

  renew() {
    const old = this.screen.querySelector("iframe:not(.coming)");
    this.screen.querySelector(".coming")?.remove();
    if (!this.shown) {
      old.src = old.getAttribute("src");
      return;
    }
    const fresh = old.cloneNode();
    fresh.className = "coming";
    fresh.removeAttribute("loading");
    fresh.tabIndex = -1;
    fresh.addEventListener("load", () => this.swap(old, fresh), { once: true });
    this.screen.append(fresh);
  }

  async swap(old, fresh) {
    await settle(fresh, scrolled(old));
    if (!fresh.isConnected) return;
    old.remove();
    fresh.className = "";
    fresh.removeAttribute("tabindex");
  }

  choose(button) {
    this.aside.dataset.width = button.dataset.width;
    for (const each of this.aside.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === button));
    this.fit();
  }

  /* A desktop's page is drawn at its own width and shown as small as the room asks. */
  fit() {
    const scale = this.aside.dataset.width === "desktop" ? Math.min(this.screen.clientWidth / DESKTOP, 1) : 1;
    this.screen.style.setProperty("--scale", String(scale));
  }
}

function scrolled(frame) {
  try {
    return frame.contentDocument.body.scrollTop;
  } catch {
    return 0; // it shows no page of this site
  }
}

/* Shows this place, or the end of a page that is shorter now, once the page's script has built it. */
async function settle(frame, place) {
  for (const end = Date.now() + PATIENCE; frame.isConnected && Date.now() < end; ) {
    const page = frame.contentDocument;
    if (page?.querySelector(BUILT)) {
      page.body.scrollTop = place;
      return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
