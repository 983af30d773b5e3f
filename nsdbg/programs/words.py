"""Pools of words, names and separators, from which values and literals are put together."""

WORDS: tuple[str, ...] = tuple(
    """apple banana cherry grape lemon mango orange peach pear plum red green blue black white
    yellow cat dog bird fish horse mouse tiger lion wolf bear alpha beta gamma delta omega hello
    world foo bar baz spam eggs ham one two three four five six seven the and a of to in is it
    on house tree river stone cloud rain snow wind light night day sun moon star car bus train
    book page line word letter code data file name user admin guest test level radar civic noon
    python java rust go bee aa abba xyz zzz hmm ok yes no up down left right north south east
    west bread milk tea coffee salt sugar pepper kayak bookkeeper mississippi committee success
    """.split()  # noqa: SIM905
)
NAMES: tuple[str, ...] = tuple(
    """Alice Bob Carol Dave Eve Frank Grace Heidi Ivan Judy Karl Laura Mia Nina Oscar Paul
    Quinn Rosa Sam Tina Uma Victor Wendy Xena Yuri Zoe""".split()  # noqa: SIM905
)
KEYS: tuple[str, ...] = tuple(
    """a b c d x y z key id name age size count total price color type left right first last
    apple pear red blue up down one two min max k1 k2 north south tom ann""".split()  # noqa: SIM905
)
SEPARATORS: tuple[str, ...] = (",", " ", "-", "_", ":", ";", "|", "/", ".", ", ", "=", "+", "--")
COMMON_SEPARATORS: tuple[str, ...] = (",", " ", "-", ",", " ", ":")
LETTERS = "aeioustrnlabcdxyzAEST"
ENDINGS: tuple[str, ...] = (".", "!", "?", "", "", "", "...", "!!", ";")
FILLS: tuple[str, ...] = ("*", "0", "-", "#", "_", " ", "x", ".", "=", "+", "~", "$")
SYMBOLS = "!@#$%^&*()-_=+[];:,.?/ "
AFFIXES: tuple[str, ...] = (
    "!", "?", "pre", "un", "re", "ing", "ed", "s", "er", "ly", "x", "_", "#", "a", "the ", "b",
    "-", "...", "end", "py", ".txt", "id_", "Mr ", "0", "z", "th", "st", "es", "A", "tmp_",
)  # fmt: skip
CHAR_SETS: tuple[str, ...] = (
    "aeiou", "abc", "xyz", " .,", "!?", "0123456789", "-_", ",.;:", "st", "ab", "aA", ".", "!",
    " \\n", "#*", "()", "01", "rst", "a ", "lo",
)  # fmt: skip
