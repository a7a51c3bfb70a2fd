/* The respondent's page beside the questions. It shows the edited question. After each change a new page loads
   behind the visible one, and then replaces it at the same scroll position. */

const PAUSE = 400;
const PATIENCE = 3_000;
const BUILT = ".question, .panel"; // parts that the page's script has built
const DESKTOP = 1024; // pixels of a desktop's page

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

  /* Draw a desktop's page at its own width, scaled to fit. */
  fit() {
    const scale = this.aside.dataset.width === "desktop" ? Math.min(this.screen.clientWidth / DESKTOP, 1) : 1;
    this.screen.style.setProperty("--scale", String(scale));
  }
}

function scrolled(frame) {
  try {
    return frame.contentDocument.body.scrollTop;
  } catch {
    return 0; // it is no page of this site
  }
}

/* Scroll to this place, or to the end of a page that is shorter now, once the page's script has built it. */
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
