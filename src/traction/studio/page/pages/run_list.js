// Runs and sweeps as a list that follows what happens.

import { follow, post, remove } from "../core/api.js";
import { announce, el, show } from "../core/dom.js";
import { duration, when } from "../core/numbers.js";
import { GOING, progressWords, stateMark } from "../core/run_words.js";

async function act(action, words) {
  try {
    await action();
    if (words) announce(words);
  } catch (reason) {
    announce(reason.message, "bad");
  }
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
  const buttons = el(
    "div",
    { class: "buttons row-buttons" },
    run.can_stop ? el("button", { type: "button", onclick: () => act(() => post(`runs/${run.id}/stop`)) }, "Stop") : null,
    run.can_resume ? el("button", { type: "button", onclick: () => act(() => post(`runs/${run.id}/resume`)) }, "Resume") : null,
    run.can_delete && chosen
      ? el(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Delete ${run.title || run.name}`,
            onclick: (event) => confirmDelete(event.currentTarget, run),
          },
          "Delete",
        )
      : null,
  );
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
function confirmDelete(button, run) {
  if (button.dataset.sure) {
    act(() => remove(`runs/${run.id}`), "deleted");
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
    { class: `run-row${chosen ? " pickable" : ""}` },
    chosen ? el("span") : null,
    el(
      "div",
      { class: "name" },
      el("a", { href: `#/sweep/${sweep.id}` }, sweep.title || sweep.name),
      el(
        "p",
        { class: "note" },
        ["sweep", sweep.kind, `${sweep.done} of ${sweep.variants} variants`, when(sweep.created)].filter(Boolean).join(" · "),
      ),
    ),
    stateMark(sweep),
  );
}

/** Keeps a list of runs in `host`; `most` of them, `chosen` a Set of ids to compare. Returns what ends it. */
export function runList(host, { runs, sweeps }, { most = Infinity, chosen = null, changed = () => {}, nothing = "" } = {}) {
  const known = new Map(runs.map((run) => [run.id, run])),
    list = el("ul", { class: "runs" });
  host.append(list);
  const draw = () => {
    const focus =
      document.activeElement && list.contains(document.activeElement)
        ? [document.activeElement.closest("[data-run]")?.dataset.run, document.activeElement.tagName]
        : null;
    const order = [...known.values()]
      .filter((run) => !run.sweep)
      .sort((a, b) => (a.created < b.created ? 1 : -1))
      .slice(0, most);
    show(
      list,
      order.map((run) => runRow(run, chosen, changed)),
      sweeps.map((one) => sweepRow(one, chosen)),
    );
    if (!order.length && !sweeps.length && nothing) show(list, el("li", { class: "empty" }, el("p", {}, nothing)));
    if (focus && focus[0]) list.querySelector(`[data-run="${focus[0]}"] ${focus[1].toLowerCase()}`)?.focus();
  };
  draw();
  return follow("events", (event, data) => {
    if (event === "run") known.set(data.id, data);
    if (event === "gone") {
      known.delete(data.id);
      if (chosen) {
        chosen.delete(data.id);
        changed();
      }
    }
    draw();
  });
}
