/* The respondent's page beside the questions. It is loaded again after each change, behind the one that is seen, and takes
   its place where that was scrolled to. */

const PAUSE = 400;
const PATIENCE = 3_000;
const MARGIN = 110; // pixels above a question's text, for its number and the bar of progress
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
    this.wished = wished();
    const frame = this.screen.querySelector("iframe");
    if (complete(frame)) settle(frame, this.wished, 0);
    else frame.addEventListener("load", () => settle(frame, this.wished, 0), { once: true });
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
    const question = wished() === this.wished ? "" : wished();
    this.wished = wished();
    await settle(fresh, question, scrolled(old));
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

/* The question that is being edited, by its name on the respondent's page; empty where it is not asked yet. */
function wished() {
  return document.getElementById("mark")?.dataset.shown ?? "";
}

function complete(frame) {
  return frame.contentDocument?.readyState === "complete" && frame.contentWindow.location.href !== "about:blank";
}

/* Shows the question, or else this place. The page grows as its script builds it, so it is tried for a while. */
async function settle(frame, question, place) {
  for (const end = Date.now() + PATIENCE; frame.isConnected && Date.now() < end; ) {
    const title = question && frame.contentDocument?.getElementById(`${question}-title`);
    const top = title ? title.getBoundingClientRect().top + scrolled(frame) - MARGIN : place;
    if (frame.contentDocument?.body) frame.contentDocument.body.scrollTop = top;
    if (question ? title : scrolled(frame) >= place - 1) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
