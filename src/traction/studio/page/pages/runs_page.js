// The history: every run and sweep of the workspace; two can be chosen and compared.

import { get } from "../core/api.js";
import { el, pageLead, show } from "../core/dom.js";
import { runList } from "./run_list.js";

export async function runsPage(host) {
  const [runs, info] = await Promise.all([get("runs"), get("info")]),
    chosen = new Set(),
    list = el("div");
  const button = el(
    "button",
    {
      type: "button",
      class: "main",
      disabled: true,
      onclick: () => {
        location.hash = `#/compare/${[...chosen].slice(0, 2).join("/")}`;
      },
    },
    "Compare the two chosen",
  );
  const changed = () => {
    button.disabled = chosen.size !== 2;
    button.textContent = chosen.size > 2 ? "Choose only two" : "Compare the two chosen";
  };
  show(
    host,
    pageLead("Runs", ["In ", el("code", {}, info.workspace), ". Choose two to see them side by side."], button),
    list,
  );
  return runList(list, runs, { chosen, changed, nothing: "No runs yet. Choose a case on the first page and run it." });
}
