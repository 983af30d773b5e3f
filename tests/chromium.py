"""A headless Chromium, driven by its DevTools protocol over two pipes: no library, no port.

For the tests of the page; they are skipped where there is no Chromium.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ANSWER_WITHIN_S = 60.0
# What a key event needs beside its name: its text and its code.
_CODES = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37,
          "ArrowRight": 39, "Tab": 9}  # fmt: skip
# The browser reads its file descriptor 3 and writes to 4.
_EXEC = """\
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def installed() -> str | None:
    """Return the path of a Chromium, None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One browser with one page."""

    def __init__(self, binary: str, profile: Path) -> None:
        their_input, self._out = os.pipe()
        self._in, their_output = os.pipe()
        command = [
            binary, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={profile}",
            "about:blank",
        ]  # fmt: skip
        passed = tuple(fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (their_input, their_output))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _EXEC, *map(str, passed), *command], pass_fds=passed,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        for fd in (their_input, their_output, *passed):
            os.close(fd)
        self._rest = b""
        self._asked = 0
        self._session: str | None = None
        self.said: list[str] = []

    def __enter__(self) -> Chromium:
        """Open the page; raises OSError or EOFError where the browser does not start."""
        try:
            target = self.ask("Target.createTarget", url="about:blank")["targetId"]
            attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
            self._session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.ask(f"{domain}.enable")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session = None
        try:
            self.ask("Browser.close")
            self._process.wait(10)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command and return its result; what the page logs meanwhile is kept in `said`."""
        self._asked += 1
        message: dict[str, Any] = {"id": self._asked, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._asked:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Log.entryAdded":
            self.said.append(params["entry"]["text"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.said.append(json.dumps(params["exceptionDetails"]))
        elif event.get("method") == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("data:", "file:")):
                self.said.append(f"request: {url}")

    def _read(self) -> dict[str, Any]:
        ends = time.monotonic() + ANSWER_WITHIN_S
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_READ)
            while b"\0" not in self._rest:
                if not selector.select(ends - time.monotonic()):
                    raise TimeoutError("the browser did not answer")
                piece = os.read(self._in, 1 << 20)
                if not piece:
                    raise EOFError("the browser is gone")
                self._rest += piece
        text, self._rest = self._rest.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(text)
        return answer

    def open(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False,
             script: bool = True, calm: bool = True, media: str = "") -> None:  # fmt: skip
        """Load a file in a window of a size, with or without scripts."""
        self.said.clear()
        self.resize(width, height)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        self.ask("Emulation.setEmulatedMedia", media=media, features=features)
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while self.value("document.readyState + location.protocol") != "completefile:":
            pass

    def resize(self, width: int, height: int) -> None:
        """Make the window this large, in CSS pixels."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip

    def value(self, expression: str) -> Any:
        """Evaluate in the page."""
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                         awaitPromise=True)  # fmt: skip
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            code = _CODES.get(key, ord(key.upper()) if key.isalnum() and len(key) == 1 else 0)
            shared = {"key": key, "windowsVirtualKeyCode": code}
            down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            self.ask("Input.dispatchKeyEvent", **shared, **down)
            self.ask("Input.dispatchKeyEvent", **shared, type="keyUp")

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write a screenshot, of the window or of the whole page."""
        found = self.ask("Page.captureScreenshot", captureBeyondViewport=whole,
                         **({"clip": self._whole()} if whole else {}))  # fmt: skip
        path.write_bytes(base64.b64decode(found["data"]))

    def _whole(self) -> dict[str, float]:
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000),
                "scale": 1}  # fmt: skip
