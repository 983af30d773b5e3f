"""The tokens: marks, Python's words and operators, characters, slots for names, and lines.

Characters and digits of values are single tokens, since pieces of words are what breaks the state
of a string; a program's own names are slots, since a model learns what is done with a name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

FORMAT = 4
SLOTS = 96
LINES = 160

MARKS = (
    "<pad>", "<end>",
    # what is asked
    "<program>", "<forward>", "<backward>", "<arguments>", "<value>",
    # commands
    "<step>", "<next>", "<return>", "<until>", "<continue>", "<any>",
    # a state
    "<state>", "</state>", "<loop>", "<arg>", "<caller>", "<here>",
    # events
    "<at-call>", "<at-line>", "<at-return>", "<at-exception>",
    # an answer
    "<up>", "<if>", "<each>", "<leave>", "<raise>", "<do>", "<del>", "<print>", "<seen>",
    "<result>", "<unwind>", "<follow>", "<lost>", ";",
    # spelling
    "<indent>", "<dedent>", "<str>", "<bytes>", "<fstr>", "</str>", "<{>", "<}>", "<spec>",
    "<u>", "<cut>", "<obj>", "<name>",
)  # fmt: skip
_OPERATORS = (
    "+ - * ** / // % @ << >> & | ^ ~ := < > <= >= == != ( ) [ ] { } , : . = -> += -= *= /= //= "
    "%= @= &= |= ^= >>= <<= **= ... !"
)
_KEYWORDS = (
    "False None True _ and as assert async await break case class cls continue def del "
    "elif else except finally for from global if import in is lambda match nonlocal not or "
    "pass raise return self try while with yield"
)
_FUNCTIONS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod "
    "enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int "
    "isinstance issubclass iter len list locals map max memoryview min next object oct open ord "
    "pow print property range repr reversed round set setattr slice sorted staticmethod str sum "
    "super tuple type vars zip NoneType function generator method module "
    "Exception BaseException ArithmeticError AssertionError AttributeError EOFError "
    "FileNotFoundError ImportError IndexError KeyError KeyboardInterrupt LookupError "
    "NameError NotImplementedError "
    "OSError OverflowError RecursionError RuntimeError StopIteration SyntaxError TypeError "
    "UnboundLocalError UnicodeError UnicodeDecodeError UnicodeEncodeError ValueError "
    "ZeroDivisionError NotImplemented Ellipsis __name__ __init__ __class__ __dict__ __iter__ "
    "__next__ __len__ __getitem__"
)
_METHODS = (
    "append extend insert remove pop clear index count sort reverse copy keys values items get "
    "setdefault update popitem fromkeys add discard union intersection difference "
    "symmetric_difference issubset issuperset isdisjoint capitalize casefold center encode decode "
    "endswith startswith expandtabs find rfind rindex format_map isalnum isalpha isascii isdecimal "
    "isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust rjust "
    "lower upper lstrip rstrip strip maketrans partition rpartition removeprefix removesuffix "
    "replace split rsplit splitlines swapcase title translate zfill bit_length is_integer real "
    "imag hex send throw close read write readline most_common elements appendleft popleft "
    "extendleft rotate key default start stop step group groups match search findall sub "
    "compile fullmatch finditer span lastindex"
)
_MODULES = (
    "math string collections itertools functools operator re json random time datetime os sys "
    "heapq bisect Counter deque defaultdict OrderedDict namedtuple ceil floor sqrt gcd log log2 "
    "log10 exp pi inf isqrt comb perm factorial prod ascii_letters ascii_lowercase ascii_uppercase "
    "digits punctuation whitespace chain product permutations combinations accumulate groupby "
    "islice count repeat cycle zip_longest starmap takewhile dropwhile reduce partial lru_cache "
    "itemgetter attrgetter heappush heappop heapify bisect_left bisect_right insort typing "
    "Optional List Dict Set Tuple Any Union Iterable Iterator Sequence Callable"
)
OPERATORS = tuple(_OPERATORS.split())
WORDS = tuple(dict.fromkeys(f"{_KEYWORDS} {_FUNCTIONS} {_METHODS} {_MODULES}".split()))
CHARACTERS = (*(chr(code) for code in range(32, 127)), "\n", "\t")


def _names() -> Iterable[str]:
    yield from MARKS
    yield from (f"o:{text}" for text in OPERATORS)
    yield from (f"w:{text}" for text in WORDS)
    yield from (f"c:{text}" for text in CHARACTERS)
    yield from (f"<n{number}>" for number in range(SLOTS))
    yield from (f"<L{number}>" for number in range(LINES))


TOKENS = tuple(_names())
IDS = {name: number for number, name in enumerate(TOKENS)}
SIZE = len(TOKENS)
PAD, END = IDS["<pad>"], IDS["<end>"]
# Prompts that another version wrote mean something else to a network.
VERSION = f"{FORMAT}-{hashlib.sha256(chr(0).join(TOKENS).encode()).hexdigest()[:12]}"

FIRST_SLOT, FIRST_LINE = IDS["<n0>"], IDS["<L0>"]
CHARACTER = {text: IDS[f"c:{text}"] for text in CHARACTERS}
WORD = {name[2:]: number for name, number in IDS.items() if name.startswith("w:")}
OPERATOR = {text: IDS[f"o:{text}"] for text in OPERATORS}
# The text of a token that stands for itself in source.
TEXT = {number: text for table in (CHARACTER, WORD, OPERATOR) for text, number in table.items()}


def is_slot(token: int) -> bool:
    """Whether a token stands for one of the program's names."""
    return FIRST_SLOT <= token < FIRST_SLOT + SLOTS


def is_line(token: int) -> bool:
    """Whether a token stands for a line of the view."""
    return FIRST_LINE <= token < FIRST_LINE + LINES


def ids(*names: str) -> list[int]:
    """Return the tokens of these names."""
    return [IDS[name] for name in names]


def words(tokens: Sequence[int]) -> str:
    """Write tokens for people, and for models with a vocabulary of their own."""
    shown = (TOKENS[token] if 0 <= token < SIZE else "<?>" for token in tokens)
    return " ".join(name[2:] if name[1:2] == ":" and len(name) > 2 else name for name in shown)
