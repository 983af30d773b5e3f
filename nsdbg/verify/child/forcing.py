"""The lines before a state, all of them: branches are taken whatever their conditions say.

What a program did under a condition that no longer holds at the state is done, too.  What goes
wrong on such a way is passed over, since it is no way that the program goes.
"""

import ast
from typing import Any, List, Sequence

from .continuation import SCOPES, Constants, Way, blocks_of, place

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_DECLARING = (ast.Global, ast.Nonlocal)
# What these run their blocks with, they do themselves; of others only the blocks count.
_WHOLE = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Forcing:
    """Rewrites the blocks on a way to a state; what is put there has the number `line`."""

    def __init__(self, constants: Constants, line: int) -> None:
        self._constants = constants
        self._line = line

    def force(self, way: Way, stop: ast.stmt) -> None:
        """Rewrite a function's body, in place, such that it comes to `stop` at the end of a way."""
        step = way[0]
        target = step.block[step.at]
        before = [made for node in step.block[: step.at] for made in self._passed(node)]
        if isinstance(target, _LOOPS):  # it may have gone round before
            before += self._passed(_copied(target))
        after = [stop] if len(way) == 1 else self._entered(target, way[1:], stop)
        step.block[:] = [*before, *after]

    def _entered(self, node: ast.stmt, way: Way, stop: ast.stmt) -> List[ast.stmt]:
        """Return a statement around the state, and the block of it that leads there."""
        asked = self._asked(node)
        self.force(way, stop)
        whole = isinstance(node, _WHOLE) and way[0].field == "body"
        return [*asked, *([self._safe([node])] if whole else []), *way[0].block]

    def _passed(self, node: ast.stmt) -> List[ast.stmt]:
        """Return what a statement before the state does, branch after branch."""
        if isinstance(node, _LEAVING):
            return []
        if isinstance(node, _DECLARING):
            return [node]
        blocks = [] if isinstance(node, SCOPES) else [block for _, block, _ in blocks_of(node)]
        if not blocks:
            return [self._safe([node])]
        asked = self._asked(node)
        for block in blocks:
            block[:] = [made for one in block for made in self._passed(one)] or [self._nothing()]
        parts: List[List[ast.stmt]] = [[node], *blocks] if isinstance(node, _WHOLE) else blocks
        return [*asked, *map(self._safe, parts)]

    def _asked(self, node: ast.stmt) -> List[ast.stmt]:
        """Return the condition of a statement as one of its own: asking may do something."""
        test = getattr(node, "test", None) or getattr(node, "subject", None)
        if test is None:
            return []
        answer = place(ast.UnaryOp(place(ast.Not(), self._line), test), self._line)
        return [self._safe([place(ast.Expr(answer), self._line)])]

    def _safe(self, block: Sequence[ast.stmt]) -> ast.stmt:
        caught = self._constants.load((Exception, SystemExit, KeyboardInterrupt), self._line)
        handler = place(ast.ExceptHandler(caught, None, [self._nothing()]), self._line)
        return place(ast.Try(list(block), [handler], [], []), self._line)

    def _nothing(self) -> ast.stmt:
        return place(ast.Pass(), self._line)


def _copied(node: Any) -> Any:
    """Return a node with copies of all that is in it."""
    if isinstance(node, list):
        return [_copied(item) for item in node]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: _copied(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)
