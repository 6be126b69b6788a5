// Calls the server. The token comes with the address once, is kept for this tab, and goes out as a header.

const KEY = "traction-token";

/** Takes the token out of the address, so that it is in no history, link or screenshot. */
export function takeToken() {
  const address = new URL(location.href),
    token = address.searchParams.get("token");
  if (!token) return;
  sessionStorage.setItem(KEY, token);
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

const headers = (more) => ({ "X-Traction-Token": sessionStorage.getItem(KEY) || "", ...more });

/** An answer that says no: `status`, and `errors` of a scenario beside its message. */
export class ApiError extends Error {
  constructor(message, status, errors) {
    super(message);
    this.status = status;
    this.errors = errors || [];
  }
}

async function refuse(answer) {
  let said = {};
  try {
    said = await answer.json();
  } catch {
    /* no JSON: the status has to do */
  }
  const missing = answer.status === 401 ? "this page has no valid token; open the address printed in the terminal" : null;
  throw new ApiError(missing || said.error || `the server answered ${answer.status}`, answer.status, said.errors);
}

async function call(path, settings = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, { ...settings, headers: headers(settings.headers) });
  } catch (reason) {
    if (reason.name === "AbortError") throw reason;
    throw new ApiError("the server does not answer: is `traction studio` still running in its terminal?", 0);
  }
  return answer.ok ? answer : refuse(answer);
}

/** What the address `path` below /api holds. */
export async function get(path, signal) {
  return (await call(path, { signal })).json();
}

/** Sends JSON and returns the answer. */
export async function post(path, body = {}, signal) {
  const answer = await call(path, {
    method: "POST",
    body: JSON.stringify(body),
    signal,
    headers: { "Content-Type": "application/json" },
  });
  return answer.status === 204 ? null : answer.json();
}

export const remove = (path) => call(path, { method: "DELETE" });

/** Fetches a file with the token and hands it to the browser to save. */
export async function download(path, name) {
  const blob = await (await call(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const cache = new Map();
/** `get`, remembered for this visit: for what does not change while the server runs. */
export function getOnce(path) {
  if (!cache.has(path)) {
    cache.set(path, get(path));
    cache.get(path).catch(() => cache.delete(path));
  }
  return cache.get(path);
}

/**
 * Follows server-sent events by fetch, which can send the token.
 * `heard(event, data)` is called for each; a broken connection is taken up again until the returned function is called.
 */
export function follow(path, heard, ended = () => {}) {
  const stop = new AbortController();
  (async () => {
    let pause = 500;
    while (!stop.signal.aborted) {
      try {
        const answer = await call(path, { signal: stop.signal, headers: { Accept: "text/event-stream" } });
        pause = 500;
        await readEvents(answer.body, heard);
        if (path !== "events") {
          ended();
          return;
        }
      } catch (reason) {
        if (stop.signal.aborted || (reason.status >= 400 && reason.status < 500)) return;
      }
      await new Promise((go) => {
        setTimeout(go, pause);
      });
      pause = Math.min(2 * pause, 8000);
    }
  })();
  return () => stop.abort();
}

async function readEvents(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split(/\r?\n/),
        pick = (name) => lines.filter((one) => one.startsWith(name)).map((one) => one.slice(name.length).trim());
      const data = pick("data:").join("\n");
      if (data) heard(pick("event:")[0] || "message", JSON.parse(data));
    }
  }
}
