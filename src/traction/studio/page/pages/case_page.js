// A case to change and run: from the built-in ones, from scratch, from a run, or from a text.

import { get, getOnce, post } from "../core/api.js";
import { announce, el, pageTitle, show } from "../core/dom.js";
import { go } from "../core/router.js";
import { CaseForm } from "../form/case_form.js";
import { keptText, openText } from "./kept_text.js";

const draftKey = (name) => `traction-draft-${name}`;

export async function casePage(host, { name }) {
  const one = await get(`cases/${encodeURIComponent(name)}`);
  return editor(host, { key: `case-${name}`, heading: one.title, toml: one.toml, words: "Built-in case" });
}

export async function kindPage(host, { kind }) {
  const { kinds } = await getOnce("kinds"),
    found = kinds.find((one) => one.name === kind);
  if (!found) throw new Error(`There is no kind "${kind}".`);
  const one = await get(`cases/${encodeURIComponent(found.start)}`);
  const toml = one.toml.replace(/^#.*\n/gm, "").replace(/^title\s*=.*$/m, 'title = "New case"');
  return editor(host, { key: `new-${kind}`, heading: `New case: ${found.summary}`, toml, words: `Kind ${kind}` });
}

export async function runCasePage(host, { id }) {
  const run = await get(`runs/${encodeURIComponent(id)}/details`);
  return editor(host, { key: `run-${id}`, heading: run.title, toml: run.toml, words: "Case of a run" });
}

export async function textPage(host, { key }) {
  return editor(host, { key: `text-${key}`, heading: "Single crossing", toml: keptText(key), words: "From a resonance map" });
}

/** TOML that can be edited and the Python lines, one of them seen. */
function textsPart(form) {
  const area = el("textarea", {
    "aria-label": "The case as TOML",
    spellcheck: "false",
    wrap: "off",
    oninput: () => form().followText(area.value),
  });
  const python = el("pre", { tabindex: "0", "aria-label": "The case as Python" }),
    note = el("p", { class: "note" }, "Both follow the form. The TOML can be edited, and the form follows it.");
  const toml = el("button", { type: "button", "aria-pressed": "true" }, "TOML"),
    code = el("button", { type: "button", "aria-pressed": "false" }, "Python");
  const pick = (first) => {
    toml.setAttribute("aria-pressed", String(first));
    code.setAttribute("aria-pressed", String(!first));
    area.hidden = !first;
    python.hidden = first;
  };
  toml.addEventListener("click", () => pick(true));
  code.addEventListener("click", () => pick(false));
  const copy = el(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: async () => {
        await navigator.clipboard.writeText(area.hidden ? python.textContent : area.value);
        announce("copied");
      },
    },
    "Copy",
  );
  pick(true);
  return {
    node: el("div", { "data-tour": "texts" }, el("div", { class: "tabs" }, toml, code, copy), area, python, note),
    area,
    python,
  };
}

/** Says whether the case may be run, beside the button that runs it. */
function tellVerdict(node, { ok, errors }) {
  node.className = `verdict ${ok ? "good-words" : "bad-words"}`;
  if (ok) node.textContent = "Valid: ready to run.";
  else node.textContent = errors.length === 1 ? errors[0].message : `${errors.length} values need attention.`;
}

function editorParts(texts, buttons, verdict) {
  const left = el("div", { "data-tour": "form" }),
    bar = el("div", { class: "go card" }, el("div", { class: "go-bar" }, buttons, verdict)),
    beside = el("div", { class: "beside" }, bar, el("div", { class: "texts card" }, texts.node));
  return { left, node: el("div", { class: "editor" }, left, beside) };
}

async function editor(host, { key, heading, toml, words }) {
  const draft = sessionStorage.getItem(draftKey(key)),
    verdict = el("p", { class: "verdict", role: "status" });
  let form = null,
    latest = toml;
  const startAgain = () => {
    sessionStorage.removeItem(draftKey(key));
    form.built = false;
    form.setText(toml);
  };
  const texts = textsPart(() => form),
    run = el("button", { type: "button", class: "main", "data-tour": "run" }, "Run"),
    vary = el("button", { type: "button", onclick: () => openText(latest, "vary") }, "Vary values …"),
    again = el("button", { type: "button", class: "quiet", onclick: startAgain }, "Reset");
  run.addEventListener("click", () => startRun(run, form, () => latest));
  const { left, node } = editorParts(texts, [run, vary, again], verdict);
  show(host, el("p", { class: "note" }, words), pageTitle(heading), node);
  const onChange = (answer) => {
    latest = answer.toml;
    if (!answer.fromText) texts.area.value = answer.toml;
    texts.python.textContent = answer.python || "The Python code appears when the case is valid.";
    run.disabled = vary.disabled = !answer.ok;
    again.hidden = answer.toml === toml;
    tellVerdict(verdict, answer);
    if (answer.toml !== toml) sessionStorage.setItem(draftKey(key), answer.toml);
  };
  const onEdit = () => {
    verdict.className = "verdict";
    verdict.textContent = "Checking …";
  };
  form = new CaseForm(left, { onChange, onEdit });
  await form.setText(draft || toml);
  if (draft && !form.built) await form.setText(toml);
  return null;
}

/** Runs what is seen: a value typed a moment ago is checked first. */
async function startRun(button, form, toml) {
  button.disabled = true;
  button.textContent = "Starting …";
  try {
    await form.settle();
    const { id } = await post("runs", { toml: toml() });
    go(`run/${id}`);
  } catch (reason) {
    announce(reason.message, "bad");
    if (reason.errors && reason.errors.length) {
      form.errors = reason.errors;
      form.showErrors();
    }
    button.disabled = false;
    button.textContent = "Run";
  }
}
