// The page starts here: token, colours, addresses.

import { takeToken } from "./core/api.js";
import { el, pageTitle, show } from "./core/dom.js";
import { route, startRouter } from "./core/router.js";
import { chosenTheme, onTheme, startTheme, turnTheme } from "./core/theme.js";
import { startPage } from "./pages/start_page.js";
import { runsPage } from "./pages/runs_page.js";
import { casePage, kindPage, runCasePage, textPage } from "./pages/case_page.js";
import { runPage } from "./pages/run_page.js";
import { comparePage } from "./pages/compare_page.js";
import { sweepPage } from "./pages/sweep_page.js";
import { varyPage } from "./pages/vary_page.js";
import { dragPage } from "./pages/drag_page.js";
import { openFirst } from "./pages/open_first.js";
import { startTour, takeUpTour } from "./tour/tour.js";

const THEMES = { auto: ["Auto", "system setting"], light: ["Light", "light"], dark: ["Dark", "dark"] };

function themeButton() {
  const button = document.getElementById("theme-button"),
    name = () => {
      const [word, meaning] = THEMES[chosenTheme()];
      button.textContent = word;
      button.setAttribute("aria-label", `Colours: ${meaning}`);
    };
  button.addEventListener("click", turnTheme);
  onTheme(name);
  name();
}

function unknownPage(host, given, query, reason) {
  show(
    host,
    pageTitle(reason ? "This page could not be shown" : "There is no such page"),
    el(
      "div",
      { class: "card" },
      el("p", { class: reason ? "bad-words" : "" }, reason ? reason.message : "No page has this address."),
      el("a", { class: "button main", href: "#/" }, "Go to the cases"),
    ),
  );
  if (reason && !reason.status && reason.status !== 0) console.error(reason);
}

function shown(path, place) {
  const first = path.split("/")[0],
    page = { case: "", new: "", edit: "", text: "", vary: "", run: "runs", sweep: "runs" }[first] ?? first;
  document.querySelectorAll("nav [data-page]").forEach((one) => {
    if (one.dataset.page === page) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  });
  const title = place.querySelector("h1");
  if (title && shown.before) title.focus({ preventScroll: true });
  if (shown.before) scrollTo(0, 0);
  shown.before = true;
  takeUpTour(path);
}

route("", startPage);
route("runs", runsPage);
route("case/:name", casePage);
route("new/:kind", kindPage);
route("edit/:id", runCasePage);
route("text/:key", textPage);
route("run/:id", runPage);
route("sweep/:id", sweepPage);
route("vary/:key", varyPage);
route("compare", comparePage);
route("compare/:a/:b", comparePage);
route("drag", dragPage);
route("drag/:name", dragPage);

takeToken();
startTheme();
themeButton();
document.getElementById("tour-button").addEventListener("click", startTour);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("content").focus();
});
openFirst().finally(() => startRouter(document.getElementById("content"), unknownPage, shown));
