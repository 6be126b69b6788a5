"""One headless Chromium, driven over a pipe by the DevTools protocol; needs no network and no package."""

import contextlib
import fcntl
import itertools
import json
import os
import selectors
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60.0  #: seconds for one answer
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", "about:blank",
)  # fmt: skip


class Browser:
    """A browser with one page; what goes wrong on it is collected."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="browser-")
        reads, self.write = os.pipe()
        self.read, writes = os.pipe()
        # above the numbers 3 and 4, by which the browser knows its two ends
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (reads, writes)]

        def take_ends():
            for number, end in zip((3, 4), ends, strict=True):
                os.dup2(end, number)

        self.process = subprocess.Popen(
            [program, f"--user-data-dir={self.profile}", *SWITCHES], preexec_fn=take_ends, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for end in ends:
            os.close(end)
        os.close(reads)
        os.close(writes)
        self.numbers, self.rest, self.events, self.session = itertools.count(1), b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """The answer to a command; events that arrive before it are kept."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._receive()
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']['message']}")
                return found["result"]
            self.events.append(found)

    def open(self, path, width, scheme="light", scripts=True):
        """Load a page of that width (px), in light or dark, and wait until it is there."""
        self.events.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        self.set_scheme(scheme)
        self.call("Page.navigate", url=path.absolute().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())

    def set_scheme(self, scheme):
        """Light or dark, as the reader's setting says."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, script):
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    @property
    def errors(self):
        """What scripts and the page complained of since it was opened."""
        found = [event["params"] for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        words = [one["exceptionDetails"].get("exception", {}).get("description", "error") for one in found]
        logged = [
            event["params"]["entry"] for event in self.events if event.get("method") == "Log.entryAdded"
        ]
        return words + [one["text"] for one in logged if one["level"] in ("error", "warning")]

    @property
    def requests(self):
        """Addresses that were asked for since the page was opened."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def _receive(self):
        until = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as ready:
            ready.register(self.read, selectors.EVENT_READ)
            while b"\0" not in self.rest:
                if not ready.select(timeout=max(0.0, until - time.monotonic())):
                    raise TimeoutError("the browser does not answer")
                part = os.read(self.read, 1 << 16)
                if not part:
                    raise RuntimeError(f"the browser ended with code {self.process.wait(10)}")
                self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def close(self):
        """End the browser, and remove what it has stored."""
        for end in (self.write, self.read):
            os.close(end)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
