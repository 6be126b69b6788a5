// Runs and sweeps as a list that follows what happens.

import { act } from "../core/act.js";
import { follow, post, remove } from "../core/api.js";
import { el, show } from "../core/dom.js";
import { duration, when } from "../core/numbers.js";
import { GOING, progressWords, stateMark, sweepWords } from "../core/run_words.js";

/** Stop, Resume and Delete of a run or a sweep. */
function rowButtons(path, one, deletable) {
  const ask = (words) => act(() => post(`${path}/${one.id}/${words}`)),
    name = one.title || one.name;
  return el(
    "div",
    { class: "buttons row-buttons" },
    one.can_stop ? el("button", { type: "button", "aria-label": `Stop ${name}`, onclick: () => ask("stop") }, "Stop") : null,
    one.can_resume ? el("button", { type: "button", "aria-label": `Resume ${name}`, onclick: () => ask("resume") }, "Resume") : null,
    one.can_delete && deletable
      ? el(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Delete ${name}`,
            onclick: (event) => confirmDelete(event.currentTarget, `${path}/${one.id}`),
          },
          "Delete",
        )
      : null,
  );
}

function runRow(run, chosen, changed) {
  const pick = chosen
    ? el("input", {
        type: "checkbox",
        "aria-label": `choose ${run.title || run.name} to compare`,
        checked: chosen.has(run.id),
        onchange: (event) => {
          if (event.target.checked) chosen.add(run.id);
          else chosen.delete(run.id);
          changed();
        },
      })
    : null;
  const buttons = rowButtons("runs", run, Boolean(chosen));
  return el(
    "li",
    { class: `run-row${chosen ? " pickable" : ""}`, data: { run: run.id } },
    pick,
    el(
      "div",
      { class: "name" },
      el("a", { href: `#/run/${run.id}` }, run.title || run.name),
      el(
        "p",
        { class: "note" },
        [
          run.kind,
          run.name !== run.title ? run.name : null,
          when(run.created),
          GOING.includes(run.state) ? progressWords(run) : run.seconds ? duration(run.seconds) : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
      GOING.includes(run.state) ? el("progress", { max: 1, value: run.progress || 0, "aria-label": "progress" }) : null,
      run.message && run.state !== "done" ? el("p", { class: "note bad-words" }, run.message) : null,
    ),
    stateMark(run),
    buttons,
  );
}

/** A second press deletes: nothing is lost by one slip. */
function confirmDelete(button, path) {
  if (button.dataset.sure) {
    act(() => remove(path), "deleted");
    return;
  }
  button.dataset.sure = "yes";
  button.textContent = "Really delete";
  button.className = "bad";
  setTimeout(() => {
    delete button.dataset.sure;
    button.textContent = "Delete";
    button.className = "quiet";
  }, 4000);
}

function sweepRow(sweep, chosen) {
  return el(
    "li",
    { class: `run-row${chosen ? " pickable" : ""}`, data: { run: sweep.id } },
    chosen ? el("span") : null,
    el(
      "div",
      { class: "name" },
      el("a", { href: `#/sweep/${sweep.id}` }, sweep.title || sweep.name),
      el(
        "p",
        { class: "note" },
        [`sweep of ${sweep.kind}`, sweep.name, when(sweep.created), sweepWords(sweep)].filter(Boolean).join(" · "),
      ),
      GOING.includes(sweep.state) ? el("progress", { max: 1, value: sweep.progress || 0, "aria-label": "progress" }) : null,
      sweep.message && sweep.state !== "done" ? el("p", { class: "note bad-words" }, sweep.message) : null,
    ),
    stateMark(sweep),
    rowButtons("sweeps", sweep, Boolean(chosen)),
  );
}

/** Keeps a list of runs in `host`; `most` of them, `chosen` a Set of ids to compare. Returns what ends it. */
export function runList(host, { runs, sweeps }, { most = Infinity, chosen = null, changed = () => {}, nothing = "" } = {}) {
  const known = new Map(runs.map((run) => [run.id, run])),
    swept = new Map(sweeps.map((one) => [one.id, one])),
    list = el("ul", { class: "runs" });
  host.append(list);
  const draw = () => {
    const focus =
      document.activeElement && list.contains(document.activeElement)
        ? [document.activeElement.closest("[data-run]")?.dataset.run, document.activeElement.tagName]
        : null;
    const newest = (a, b) => (a.created < b.created ? 1 : -1),
      order = [...[...known.values()].filter((run) => !run.sweep), ...swept.values()].sort(newest).slice(0, most);
    show(
      list,
      order.map((one) => (swept.has(one.id) ? sweepRow(one, chosen) : runRow(one, chosen, changed))),
    );
    if (!order.length && nothing) show(list, el("li", { class: "empty" }, el("p", {}, nothing)));
    if (focus && focus[0]) list.querySelector(`[data-run="${focus[0]}"] ${focus[1].toLowerCase()}`)?.focus();
  };
  draw();
  return follow("events", (event, data) => {
    if (event === "run") known.set(data.id, data);
    if (event === "sweep") swept.set(data.id, data);
    if (event === "gone") {
      known.delete(data.id);
      swept.delete(data.id);
      if (chosen) {
        chosen.delete(data.id);
        changed();
      }
    }
    draw();
  });
}
