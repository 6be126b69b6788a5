// Addresses of the page: `#/run/ID?view=map`. Each is a page that can be reloaded, sent on, and gone back to.

const routes = [];
let leave = null,
  turn = 0;

/** Adds a page: `route("run/:id", async (host, given, query) => leave)`. */
export function route(pattern, page) {
  const names = [],
    source = pattern.replace(/:(\w+)/g, (_, name) => {
      names.push(name);
      return "([^/]+)";
    });
  routes.push({ test: new RegExp(`^${source}$`), names, page });
}

/** The address now: path without `#/`, and its query. */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.replace(/\/$/, ""), query: new URLSearchParams(query || "") };
}

export const link = (path, query) => `#/${path}${query ? `?${new URLSearchParams(query)}` : ""}`;

/** Goes to a page; a new entry of the history. */
export function go(path, query) {
  location.hash = link(path, query);
}

/** Keeps part of what is shown in the address, without a new entry of the history. */
export function remember(query) {
  const now = here();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) now.query.delete(name);
    else now.query.set(name, value);
  }
  const text = now.query.toString();
  history.replaceState(history.state, "", `#/${now.path}${text ? `?${text}` : ""}`);
}

/** Shows the page of the address, now and whenever it changes. */
export function startRouter(host, unknown, shown) {
  const open = async () => {
    const { path, query } = here(),
      mine = (turn += 1);
    if (leave) leave();
    leave = null;
    const found = routes.map((one) => [one, one.test.exec(path)]).find(([, match]) => match);
    const given = {};
    if (found)
      found[0].names.forEach((name, n) => {
        given[name] = decodeURIComponent(found[1][n + 1]);
      });
    const place = document.createElement("div");
    host.replaceChildren(place);
    host.setAttribute("aria-busy", "true");
    let end = null;
    try {
      end = await (found ? found[0].page : unknown)(place, given, query);
    } catch (reason) {
      unknown(place, given, query, reason);
    }
    if (mine !== turn) {
      if (typeof end === "function") end();
      return;
    }
    leave = typeof end === "function" ? end : null;
    host.removeAttribute("aria-busy");
    shown(path, place);
  };
  addEventListener("hashchange", open);
  return open();
}
