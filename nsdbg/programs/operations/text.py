"""What is done with text and bytes."""

TABLE = r"""
4 str -> str : {0}.upper()
4 str -> str : {0}.lower()
3 str -> str : {0}.title()
3 str -> str : {0}.capitalize()
3 str -> str : {0}.swapcase()
1 str -> str : {0}.casefold()
4 str -> str : {0}.strip()
1 str -> str : {0}.lstrip()
1 str -> str : {0}.rstrip()
2 str; chars -> str : {0}.strip({1})
2 str; chars -> str : {0}.lstrip({1})
2 str; chars -> str : {0}.rstrip({1})
4 str; sub; sub -> str : {0}.replace({1}, {2})
2 str; letter; letter -> str : {0}.replace({1}, {2})
2 str; letter -> str : {0}.replace({1}, '')
1 str; sub; sub -> str : {0}.replace({1}, {2}, 1)
1 str; letter; str -> str : {0}.replace({1}, {2})
3 str -> str : {0}[::-1]
2 str; cut -> str : {0}[{1}:]
2 str; cut -> str : {0}[:{1}]
2 str; cut; cut -> str : {0}[{1}:{2}]
2 str; step -> str : {0}[::{1}]
1 str; cut; step -> str : {0}[{1}::{2}]
1 str; cut -> str : {0}[{1}:] + {0}[:{1}]
?3 str -> char : {0}[0]
?3 str -> char : {0}[-1]
!1 str; at -> char : {0}[{1}]
!1 str; int -> char : {0}[{1}]
?2 str; int -> char : {0}[{1} % len({0})]
?1 str -> char : max({0})
?1 str -> char : min({0})
?1 str -> char : {0}[len({0}) // 2]
2 str; width -> str : {0}.zfill({1})
2 str; width -> str : {0}.center({1})
1 str; width; fill -> str : {0}.center({1}, {2})
2 str; width; fill -> str : {0}.ljust({1}, {2})
2 str; width; fill -> str : {0}.rjust({1}, {2})
1 str; width -> str : {0}.ljust({1})
1 str; width -> str : {0}.rjust({1})
1 str -> str : {0}.expandtabs()
1 str; small -> str : {0}.expandtabs({1})
^2 str; times -> str : {0} * {1}
^4 str; str -> str : {0} + {1}
^2 str; affix -> str : {0} + {1}
^2 str; affix -> str : {1} + {0}
^1 str; str -> str : {0} + {1}.upper()
^2 str; letter; str -> str : {0} + {1} + {2}
1 str -> str : ''.join(sorted({0}))
1 str -> str : ''.join(reversed({0}))
1 str -> str : ''.join(sorted({0}, reverse=True))
1 str -> str : ''.join(sorted(set({0})))
1 str -> str : ' '.join({0}.split())
1 str; sep; sep -> str : {2}.join({0}.split({1}))
^1 str; sep -> str : {1}.join({0})
1 str; sep -> str : {0}.split({1})[0]
1 str; sep -> str : {0}.split({1})[-1]
!1 str; sep; at -> str : {0}.split({1})[{2}]
1 str; sep -> str : {0}.partition({1})[0]
1 str; sep -> str : {0}.partition({1})[2]
1 str; sep -> str : {0}.rpartition({1})[2]
1 str; sep -> str : {0}.rpartition({1})[0]
1 str; sep -> str : {0}.rsplit({1}, 1)[0]
1 str; two; two -> str : {0}.translate(str.maketrans({1}, {2}))
1 str; one; fill -> str : {0}.translate(str.maketrans({1}, {2}))
1 str; chars -> str : {0}.translate(str.maketrans('', '', {1}))
1 str -> str : repr({0})
1 str; affix -> str : {0}.removeprefix({1})
1 str; affix -> str : {0}.removesuffix({1})
1 str; sub -> str : {0}[:{0}.find({1})]
1 str; sub -> str : {0}[{0}.rfind({1}) + 1:]
!1 str; sub -> str : {0}[{0}.index({1}):]
1 str; str -> str : {0} if {0} else {1}
1 str; str -> str : {0} or {1}
1 str; str -> str : max({0}, {1})
1 str; str -> str : min({0}, {1})
1 str; str -> str : max({0}, {1}, key=len)
1 bool; str; str -> str : {1} if {0} else {2}
2 str; width -> str : f'{{{0}:>{1}}}'
1 str; width -> str : f'{{{0}:<{1}}}'
1 str; width -> str : f'{{{0}:^{1}}}'
1 str; width -> str : f'{{{0}:*^{1}}}'
2 str; str -> str : f'{{{0}}}-{{{1}}}'
1 str; str -> str : f'{{{0}}} {{{1}}}'
1 str; int -> str : f'{{{0}}}={{{1}}}'
2 str; int -> str : f'{{{0}}}: {{{1}}}'
1 str -> str : f'<{{{0}}}>'
1 str -> str : f'{{{0}!r}}'
1 str -> str : f'{{len({0})}}{{{0}}}'
1 str; int -> str : '{{}}:{{}}'.format({0}, {1})
1 str; str -> str : '{{0}}/{{1}}/{{0}}'.format({0}, {1})
1 str; int -> str : '{{}} {{}}'.format({1}, {0})
1 str; str -> str : '%s-%s' % ({0}, {1})
1 str; int -> str : '%s #%d' % ({0}, {1})
6 str -> list[str] : {0}.split()
4 str; sep -> list[str] : {0}.split({1})
2 str -> list[str] : list({0})
1 str; sep -> list[str] : {0}.split({1}, 1)
1 str; sep; small -> list[str] : {0}.split({1}, {2})
1 str; sep -> list[str] : {0}.rsplit({1}, 1)
1 str; sep; small -> list[str] : {0}.rsplit({1}, {2})
1 str -> list[str] : {0}.splitlines()
2 str -> list[str] : sorted({0})
1 str -> list[str] : sorted(set({0}))
1 str -> list[str] : list(reversed({0}))
1 str; sep -> list[str] : list({0}.partition({1}))
1 str; sep -> list[str] : {0}.lower().split({1})
1 str -> list[str] : {0}.upper().split()
1 str -> set[str] : set({0})
1 str -> set[str] : set({0}.lower())
1 str -> set[str] : set({0}.split())
1 str; sep -> tuple[str, ...] : {0}.partition({1})
1 str; sep -> tuple[str, ...] : {0}.rpartition({1})
1 str -> tuple[str, ...] : tuple({0})
1 str; str -> tuple[str, str] : ({0}, {1})
2 str; int -> tuple[str, int] : ({0}, {1})
1 str -> tuple[str, int] : ({0}, len({0}))
1 str; sub -> tuple[str, int] : ({0}, {0}.count({1}))
6 str -> int : len({0})
4 str; letter -> int : {0}.count({1})
2 str; sub -> int : {0}.count({1})
3 str; sub -> int : {0}.find({1})
3 str; sub -> int : {0}.rfind({1})
1 str; letter; cut -> int : {0}.find({1}, {2})
!1 str; letter -> int : {0}.index({1})
!1 str; letter -> int : {0}.rindex({1})
!1 str -> int : int({0})
1 str -> int : len({0}.split())
1 str -> int : len(set({0}))
1 str; sep -> int : len({0}.split({1}))
1 str; str -> int : {0}.count({1})
1 str; str -> int : {0}.find({1})
2 char -> int : ord({0})
1 char -> int : ord({0}) - ord('a')
1 char -> int : ord({0}) % 10
1 char -> int : 'abcdefghijklmnopqrstuvwxyz'.find({0})
1 char -> int : int({0}) if {0}.isdigit() else 0
1 char -> str : chr(ord({0}) + 1)
1 char -> char : {0}.upper()
1 char -> char : {0}.lower()
1 char -> char : {0}.swapcase()
1 char; letter -> char : {0} if {0}.isalpha() else {1}
1 char; fill -> char : {1} if {0} in 'aeiou' else {0}
^1 char; times -> str : {0} * {1}
3 str; sub -> bool : {1} in {0}
2 str; letter -> bool : {1} in {0}
1 str; letter -> bool : {1} not in {0}
1 str; str -> bool : {1} in {0}
1 str; str -> bool : {0} in {1}
3 str; affix -> bool : {0}.startswith({1})
3 str; affix -> bool : {0}.endswith({1})
1 str; str -> bool : {0}.startswith({1})
1 str; str -> bool : {0}.endswith({1})
2 str -> bool : {0}.isdigit()
2 str -> bool : {0}.isalpha()
1 str -> bool : {0}.isalnum()
1 str -> bool : {0}.isspace()
2 str -> bool : {0}.isupper()
2 str -> bool : {0}.islower()
1 str -> bool : {0}.istitle()
1 str -> bool : {0}.isnumeric()
1 str -> bool : {0}.isidentifier()
1 str -> bool : {0}.isdecimal()
1 str -> bool : {0}.isascii()
1 str -> bool : {0}.isprintable()
2 str; str -> bool : {0} == {1}
1 str; str -> bool : {0} != {1}
1 str; str -> bool : {0} < {1}
1 str; letter -> bool : {0} > {1}
1 str -> bool : {0} == {0}[::-1]
3 str; size -> bool : len({0}) > {1}
1 str; size -> bool : len({0}) == {1}
1 str; str -> bool : len({0}) < len({1})
1 str; positive -> bool : len({0}) % {1} == 0
1 str; letter; small -> bool : {0}.count({1}) > {2}
1 str -> bool : not {0}
1 str -> bool : bool({0})
?1 str; letter -> bool : {0}[0] == {1}
?1 str; letter -> bool : {0}[-1] != {1}
2 char -> bool : {0} in 'aeiou'
1 char -> bool : {0}.lower() in 'aeiou'
2 char -> bool : {0}.isalpha()
2 char -> bool : {0}.isdigit()
2 char -> bool : {0}.isupper()
1 char -> bool : {0}.islower()
1 char -> bool : {0}.isspace()
2 char; letter -> bool : {0} == {1}
2 char; letter -> bool : {0} != {1}
2 char; str -> bool : {0} in {1}
1 char; letter -> bool : {0} >= {1}
1 char; positive -> bool : ord({0}) % {1} == 0
1 str -> bytes : {0}.encode()
1 str -> bytes : {0}.encode('utf-8')
1 str -> bytes : bytes({0}, 'utf-8')
2 bytes -> str : {0}.decode('latin-1')
2 bytes -> str : {0}.hex()
1 bytes -> int : len({0})
1 bytes -> int : sum({0})
1 bytes -> int : {0}.count(b'a')
?1 bytes -> int : {0}[0]
1 bytes -> bytes : {0}[::-1]
1 bytes -> bytes : {0}.upper()
1 bytes; cut -> bytes : {0}[{1}:]
^1 bytes -> bytes : {0} + b'!'
1 bytes -> list[int] : list({0})
1 bytes -> bool : {0}.startswith(b'a')
1 bytes -> bool : 97 in {0}
1 bytes -> list[int] : sorted({0})
1 bytes -> str : str({0})
2 str -> dict[str, int] : {{c: {0}.count(c) for c in {0}}}
1 str -> dict[str, int] : {{w: len(w) for w in {0}.split()}}
1 str -> dict[str, int] : dict.fromkeys({0}, 0)
1 str -> list[tuple[int, str]] : list(enumerate({0}))
1 str; str -> list[tuple[str, str]] : list(zip({0}, {1}))
1 str; affix; affix -> bool : {0}.startswith(({1}, {2}))
"""
