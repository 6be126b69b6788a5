// Reports and files of a run or a sweep, to open and to take away.

import { act } from "../core/act.js";
import { download, post } from "../core/api.js";
import { announce, el } from "../core/dom.js";
import { fileSize } from "../core/numbers.js";

const GROUPS = { report: "Report", figure: "Figures", film: "Animations", data: "Data", scenario: "Scenario", other: "Other files" };

/** Opens the report in a tab of its own; the tab is asked for at once, or the browser would block it. */
export async function openReport(id) {
  const tab = window.open("", "_blank");
  try {
    const { url } = await post(`runs/${id}/report-link`);
    if (tab) {
      tab.opener = null;
      tab.location = url;
    } else location.assign(url);
  } catch (reason) {
    if (tab) tab.close();
    announce(reason.message, "bad");
  }
}

/** Files by groups, a button each. */
export function fileGroups(id, files) {
  const groups = Object.entries(GROUPS)
    .map(([key, words]) => [words, files.filter((one) => one.group === key)])
    .filter(([, found]) => found.length);
  return groups.map(([words, found]) => [
    el("h3", {}, words),
    el(
      "ul",
      { class: "files" },
      found.map((one) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", onclick: () => act(() => download(`runs/${id}/files/${encodeURIComponent(one.name)}`, one.name)) },
            el("span", {}, one.name),
            el("span", {}, fileSize(one.bytes)),
          ),
        ),
      ),
    ),
  ]);
}

/** All files of a folder in a card; nothing where there are none. */
export const downloadsPart = (id, files) =>
  files.length
    ? el("section", { class: "card", "aria-labelledby": "take" }, el("h2", { id: "take" }, "Download"), fileGroups(id, files))
    : null;
