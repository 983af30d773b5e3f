"""What the instructions of a frame and a code object tell: how a frame is left, possible lines.

The rules are CPython's, from 3.8 to 3.13, and those of coverage.py's tracer.
"""

import opcode
from dis import findlinestarts
from types import CodeType, FrameType
from typing import FrozenSet, Iterator, Set

# CO_GENERATOR, CO_COROUTINE and CO_ASYNC_GENERATOR of `inspect`, which is slow to import.
_SUSPENDS = 0x20 | 0x80 | 0x200


def _opcodes(*names: str) -> FrozenSet[int]:
    return frozenset(opcode.opmap[name] for name in names if name in opcode.opmap)


_RETURNS = _opcodes("RETURN_VALUE", "RETURN_CONST")
_YIELDS = _opcodes("YIELD_VALUE", "YIELD_FROM")
_YIELD_FROM = opcode.opmap.get("YIELD_FROM", -1)
_RESUME = opcode.opmap.get("RESUME", -1)


def is_generator_code(code: CodeType) -> bool:
    """Whether frames of this code can be suspended and resumed."""
    return bool(code.co_flags & _SUSPENDS)


def is_return(frame: FrameType) -> bool:
    """Whether the frame stands at a return instruction."""
    code = frame.f_code.co_code
    return 0 <= frame.f_lasti < len(code) and code[frame.f_lasti] in _RETURNS


def is_yield(frame: FrameType) -> bool:
    """Whether the frame, which may be suspended, stands at a yield or an await."""
    code, lasti = frame.f_code.co_code, frame.f_lasti
    if not 0 <= lasti < len(code):
        return False
    # From 3.13 on the frame stands already at the RESUME after the yield.
    if code[lasti] in _YIELDS or (code[lasti] == _RESUME and code[lasti + 1] & 3 != 0):
        return True
    # Up to 3.10 a frame inside `yield from` stands before that instruction; in 3.11 a yield is
    # followed by RESUME, whatever it is.
    following = code[lasti + 2] if lasti + 2 < len(code) else -1
    return following >= 0 and following in (_YIELD_FROM, _RESUME)


def is_resumed(frame: FrameType) -> bool:
    """Whether a call event is a generator's going on, and not its start."""
    code, lasti = frame.f_code.co_code, frame.f_lasti
    if _RESUME < 0:
        return lasti >= 0
    return 0 <= lasti < len(code) - 1 and code[lasti] == _RESUME and code[lasti + 1] & 3 != 0


def possible_lines(code: CodeType) -> Set[int]:
    """Return the lines of a code object, and of those within it, that line events can name."""
    found: Set[int] = set()
    pending = [code]
    while pending:
        code = pending.pop()
        found.update(_lines(code))
        pending += [const for const in code.co_consts if isinstance(const, CodeType)]
    return found


def _lines(code: CodeType) -> Iterator[int]:
    if not hasattr(code, "co_lines"):
        return (line for _, line in findlinestarts(code))
    # From 3.11 on the instructions up to RESUME bear the line of `def`, which no line event names
    # (a generator's body begins after RETURN_GENERATOR, POP_TOP and RESUME).
    text, body = code.co_code, 0
    if _RESUME >= 0:
        body = next((at + 2 for at in range(0, len(text), 2) if text[at] == _RESUME), 0)
    return (line for _, end, line in code.co_lines() if line and end > body)
