// `traction studio FOLDER` opens that run or sweep, once: who then goes to the cases stays there.

import { get } from "../core/api.js";
import { here } from "../core/router.js";

const KEY = "traction-opened";

export async function openFirst() {
  if (here().path || sessionStorage.getItem(KEY)) return;
  try {
    const { open } = await get("info");
    sessionStorage.setItem(KEY, "yes");
    if (open) history.replaceState(null, "", `#/${open.type}/${encodeURIComponent(open.id)}`);
  } catch {
    /* the page that follows says what is wrong */
  }
}
