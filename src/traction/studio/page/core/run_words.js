// How the state of a run is told: one place, for lists and pages.

import { el } from "./dom.js";
import { duration } from "./numbers.js";

export const GOING = ["queued", "running"];

const WORDS = {
  queued: "queued",
  running: "running",
  done: "done",
  stopped: "stopped",
  failed: "failed",
  interrupted: "interrupted",
  partial: "incomplete",
  complete: "done",
};

/** "running, 43 %". */
export function stateMark(run) {
  const share = run.state === "running" && run.progress ? ` ${Math.round(100 * run.progress)} %` : "";
  return el("span", { class: `state ${run.state}` }, `${WORDS[run.state] || run.state}${share}`);
}

/** "computing: 430 of 1001 samples; about 12 s left". */
export function progressWords(run) {
  if (run.state === "queued") return "waiting for another run to finish";
  const samples = run.total ? `: ${run.samples} of ${run.total} samples` : "";
  const left = run.seconds_left ? `about ${duration(run.seconds_left)} left` : "";
  return [`${run.phase || "starting"}${run.phase === "computing" ? samples : ""}`, left].filter(Boolean).join("; ");
}

/** How far a run or a sweep (`what`) is, in `words`; what it ended with, once it has. */
export function progressCard(job, what, words) {
  if (!GOING.includes(job.state))
    return job.message ? el("p", { class: job.state === "done" ? "note" : "bad-words" }, job.message) : null;
  const share = job.progress || 0,
    far = `${Math.round(100 * share)} % · ${duration(job.seconds)} so far`;
  return el(
    "div",
    { class: "working card" },
    el("progress", { max: 1, value: share, "aria-label": `progress of the ${what}` }),
    el("div", { class: "line" }, el("span", {}, words), el("span", {}, far)),
  );
}

/** "12 of 20 variants, 1 failed". */
export function sweepWords(sweep) {
  const failed = sweep.failed ? `, ${sweep.failed} failed` : "",
    kept = sweep.keep === "figures" ? ", key figures only" : "";
  return `${sweep.done} of ${sweep.variants} variants${failed}${kept}`;
}
