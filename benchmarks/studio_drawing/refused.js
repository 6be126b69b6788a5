// What the content security policy refuses, each once, from before the first other script.

globalThis.refused = new Set();
document.addEventListener("securitypolicyviolation", (event) => globalThis.refused.add(event.effectiveDirective));
