"""One of the runner's two sides: a sandbox, a base zygote in it, and the targets forked from that.

Decides when a target is loaded and when it is given up; runs nothing itself.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Mapping

from nsdbg.claim import FunctionRef, Goal
from nsdbg.errors import InterpreterError
from nsdbg.source import MODULE
from nsdbg.verify import wire
from nsdbg.verify.sandbox import Sandbox, SandboxConfig
from nsdbg.verify.zygotes import Base, LineBroken, Target


class Side:
    """One of the two; `keep` is how many imported targets it keeps, the oldest going first.

    `number`: all sides but 0 have clocks that show another day.
    """

    def __init__(
        self,
        config: SandboxConfig,
        environment: Mapping[str, str],
        keep: int,
        number: int = 0,
    ) -> None:
        self.sandbox = Sandbox(config)
        self.sandbox.__enter__()
        self._keep = keep
        self._targets: OrderedDict[tuple[object, ...], Target] = OrderedDict()
        try:
            self._readable, self._writable = self.sandbox.readable, self.sandbox.writable
            self.base = Base(self.sandbox, environment, number)
        except BaseException:
            self.sandbox.close()
            raise

    def load(self, ref: FunctionRef, import_limit_s: float, twin: Goal | None = None) -> Target:
        """Return the zygote that has this target, forked now if need be; it may still import.

        With `twin`, its functions are instrumented to measure distances to that goal.
        Raises LineBroken.
        """
        module = None if ref.qualname == MODULE else ref.module
        key = (ref.file, ref.root, module, twin)
        target = self._targets.get(key)
        if target is None:
            order = {
                "file": ref.file,
                "module": module,
                "root": ref.root,
                "import_limit_s": import_limit_s,
                "twin": twin and wire.encode_goal(twin),
                "allow": self.sandbox.config.allow,
                "hook": "audit-hook" not in self.sandbox.config.without,
                "readable": self._readable,
                "writable": self._writable,
            }
            target = self._targets[key] = self.base.load(order, import_limit_s)
            if len(self._targets) > self._keep:
                self.base.drop(self._targets.popitem(last=False)[1])
        self._targets.move_to_end(key)
        return target

    def ready(self, ref: FunctionRef, import_limit_s: float, twin: Goal | None = None) -> Target:
        """Return the target once it is imported, or is known not to be.

        Raises LineBroken when the base is gone, and InterpreterError or GuardError when it never
        was there.
        """
        try:
            self.base.greet()
        except InterpreterError:
            _ = self.sandbox.layers  # the guard's own error says more, where there is one
            raise
        target = self.load(ref, import_limit_s, twin)
        target.wait()
        if target.failure and self.base.is_gone:
            raise LineBroken("the base process is gone")
        return target

    def forget(self, target: Target) -> None:
        """Drop a target that does not answer."""
        for key, known in list(self._targets.items()):
            if known is target:
                del self._targets[key]
        with contextlib.suppress(LineBroken):
            self.base.drop(target)

    def refusals(self) -> tuple[str, ...]:
        """Return what the kernel's filter refused since this was last asked."""
        return tuple(dict.fromkeys(self.sandbox.refusals()))

    def close(self) -> None:
        """End all of it."""
        for target in self._targets.values():
            target.close()
        self.base.close()
        self.sandbox.close()
