"""What is done with lists, tuples and sets."""

TABLE = r"""
8 list[T] -> int : len({0})
3 list[T]; cut -> list[T] : {0}[{1}:]
3 list[T]; cut -> list[T] : {0}[:{1}]
2 list[T]; cut; cut -> list[T] : {0}[{1}:{2}]
3 list[T] -> list[T] : {0}[::-1]
2 list[T]; step -> list[T] : {0}[::{1}]
1 list[T]; cut; step -> list[T] : {0}[{1}::{2}]
1 list[T] -> list[T] : {0}[:]
1 list[T] -> list[T] : {0}.copy()
1 list[T] -> list[T] : list({0})
1 list[T] -> list[T] : list(reversed({0}))
^2 list[T]; list[T] -> list[T] : {0} + {1}
^3 list[T]; T -> list[T] : {0} + [{1}]
^1 list[T]; T -> list[T] : [{1}] + {0}
^1 list[T]; T -> list[T] : [*{0}, {1}]
^1 list[T] -> list[T] : {0} * 2
1 list[T]; cut -> list[T] : {0}[{1}:] + {0}[:{1}]
1 list[T]; cut -> list[T] : {0}[:{1}] + {0}[{1}:][::-1]
1 list[T] -> list[T] : {0}[:len({0}) // 2]
1 list[T] -> list[T] : {0}[len({0}) // 2:]
1 list[T]; list[T] -> list[T] : {0} or {1}
1 bool; list[T]; list[T] -> list[T] : {1} if {0} else {2}
?3 list[T] -> T : {0}[0]
?3 list[T] -> T : {0}[-1]
!2 list[T]; at -> T : {0}[{1}]
!1 list[T]; int -> T : {0}[{1}]
?2 list[T]; int -> T : {0}[{1} % len({0})]
?1 list[T] -> T : {0}[len({0}) // 2]
2 list[T]; T -> T : {0}[0] if {0} else {1}
1 list[T]; T -> T : {0}[-1] if {0} else {1}
?^1 list[T] -> T : {0}.pop()
2 list[S]; S -> int : {0}.count({1})
!2 list[S]; S -> int : {0}.index({1})
1 list[S]; S -> int : {0}.index({1}) if {1} in {0} else -1
3 list[S]; S -> bool : {1} in {0}
1 list[S]; S -> bool : {1} not in {0}
2 list[T]; size -> bool : len({0}) > {1}
1 list[T]; size -> bool : len({0}) == {1}
1 list[T] -> bool : len({0}) % 2 == 0
2 list[T] -> bool : not {0}
1 list[T] -> bool : bool({0})
1 list[T]; list[T] -> bool : {0} == {1}
1 list[T] -> bool : {0} == {0}[::-1]
1 list[S] -> bool : len({0}) == len(set({0}))
1 list[S] -> bool : {0} == sorted({0})
1 list[T]; list[T] -> bool : len({0}) < len({1})
4 list[S] -> list[S] : sorted({0})
2 list[S] -> list[S] : sorted({0}, reverse=True)
2 list[S] -> list[S] : sorted(set({0}))
1 list[S] -> list[S] : list(dict.fromkeys({0}))
?1 list[S] -> S : max({0})
?1 list[S] -> S : min({0})
1 list[S]; S -> S : max({0}, default={1})
?1 list[S] -> S : sorted({0})[0]
?1 list[S] -> S : max({0}, key={0}.count)
2 list[S] -> set[S] : set({0})
1 list[S]; list[S] -> set[S] : set({0}) & set({1})
1 list[S]; list[S] -> list[S] : sorted(set({0}) | set({1}))
1 list[S]; list[S] -> list[S] : sorted(set({0}) - set({1}))
1 list[S] -> tuple[S, ...] : tuple({0})
1 list[S] -> tuple[S, ...] : tuple(sorted({0}))
4 list[int] -> int : sum({0})
?2 list[int] -> int : max({0})
?2 list[int] -> int : min({0})
2 list[int] -> int : max({0}, default=0)
?1 list[int] -> int : max({0}) - min({0})
1 list[int]; cut -> int : sum({0}[{1}:])
1 list[int] -> int : sum({0}[::2])
?1 list[int] -> int : {0}.index(max({0}))
1 list[int] -> int : len(set({0}))
?2 list[int] -> float : sum({0}) / len({0})
?1 list[int] -> int : sum({0}) // len({0})
1 list[int] -> list[str] : list(map(str, {0}))
1 list[int] -> list[int] : list(map(abs, {0}))
1 list[int] -> list[int] : sorted({0}, key=abs)
1 list[int] -> list[bool] : [n > 0 for n in {0}]
1 list[int] -> str : ''.join(map(str, {0}))
1 list[int]; sep -> str : {1}.join(str(n) for n in {0})
2 list[int] -> str : str({0})
1 list[int] -> bool : any({0})
1 list[int] -> bool : all({0})
1 list[int] -> bool : all(n > 0 for n in {0})
1 list[int]; small -> bool : sum({0}) > {1}
1 list[int]; list[int] -> list[int] : [a + b for a, b in zip({0}, {1})]
1 list[int]; list[int] -> int : sum(a * b for a, b in zip({0}, {1}))
1 list[int]; list[int] -> list[tuple[int, int]] : list(zip({0}, {1}))
1 list[int] -> list[int] : [b - a for a, b in zip({0}, {0}[1:])]
1 list[int] -> dict[int, int] : {{n: {0}.count(n) for n in {0}}}
1 list[int] -> dict[int, int] : dict(enumerate({0}))
1 list[int] -> list[list[int]] : [{0}[:2], {0}[2:]]
1 list[int] -> bytes : bytes(abs(n) % 128 for n in {0})
5 list[str]; sep -> str : {1}.join({0})
3 list[str] -> str : ''.join({0})
4 list[str] -> str : ' '.join({0})
1 list[str] -> str : ' '.join(reversed({0}))
1 list[str]; sep -> str : {1}.join(sorted({0}))
1 list[str]; sep -> str : {1}.join({0}[::-1])
1 list[str]; sep; cut -> str : {1}.join({0}[{2}:])
1 list[str] -> str : '\n'.join({0})
1 list[str]; sep -> str : {1}.join({0}).upper()
?1 list[str] -> str : max({0}, key=len)
?1 list[str] -> str : min({0}, key=len)
?1 list[str] -> str : {0}[0].upper()
1 list[str] -> str : str({0})
2 list[str] -> list[int] : list(map(len, {0}))
!1 list[str] -> list[int] : list(map(int, {0}))
1 list[str] -> list[int] : [int(t) for t in {0} if t.isdigit()]
2 list[str] -> list[str] : sorted({0}, key=len)
1 list[str] -> list[str] : sorted({0}, key=str.lower)
1 list[str] -> list[str] : sorted({0}, key=lambda w: (len(w), w))
1 list[str] -> list[str] : sorted({0}, key=lambda w: w[-1:])
1 list[str] -> list[str] : list(map(str.upper, {0}))
1 list[str] -> list[str] : list(map(str.strip, {0}))
1 list[str] -> list[str] : list(filter(None, {0}))
1 list[str] -> list[str] : list(filter(str.isalpha, {0}))
1 list[str] -> list[str] : list(filter(lambda w: len(w) > 3, {0}))
1 list[str]; letter -> list[str] : [w for w in {0} if {1} in w]
1 list[str]; affix -> list[str] : [w + {1} for w in {0}]
1 list[str] -> int : sum(len(w) for w in {0})
1 list[str] -> int : sum(map(len, {0}))
1 list[str]; letter -> int : sum(w.count({1}) for w in {0})
1 list[str] -> int : max(map(len, {0}), default=0)
1 list[str] -> bool : any(w.isupper() for w in {0})
1 list[str] -> bool : all(map(str.isalpha, {0}))
1 list[str] -> bool : all({0})
1 list[str]; affix -> bool : any(w.startswith({1}) for w in {0})
2 list[str] -> dict[str, int] : {{w: len(w) for w in {0}}}
1 list[str] -> dict[str, int] : {{w: i for i, w in enumerate({0})}}
1 list[str] -> dict[str, int] : dict.fromkeys({0}, 0)
1 list[str] -> dict[str, int] : {{w: {0}.count(w) for w in {0}}}
1 list[str] -> dict[int, str] : dict(enumerate({0}))
1 list[str] -> dict[int, str] : {{len(w): w for w in {0}}}
1 list[str] -> dict[str, str] : {{w: w.upper() for w in {0}}}
1 list[str]; list[int] -> dict[str, int] : dict(zip({0}, {1}))
1 list[str]; list[str] -> dict[str, str] : dict(zip({0}, {1}))
1 list[str]; list[int] -> list[tuple[str, int]] : list(zip({0}, {1}))
2 list[str] -> list[tuple[int, str]] : list(enumerate({0}))
1 list[str] -> list[tuple[int, str]] : list(enumerate({0}, 1))
1 list[str] -> list[tuple[str, int]] : [(w, len(w)) for w in {0}]
1 list[str] -> list[list[str]] : [list(w) for w in {0}]
1 list[str] -> list[list[str]] : [w.split() for w in {0}]
1 list[str] -> set[str] : set(''.join({0}))
1 list[list[int]] -> list[int] : [n for row in {0} for n in row]
1 list[list[int]] -> list[int] : sum({0}, [])
1 list[list[int]] -> list[int] : [sum(row) for row in {0}]
1 list[list[int]] -> list[int] : list(map(len, {0}))
1 list[list[int]] -> int : sum(sum(row) for row in {0})
1 list[list[int]] -> int : max(map(len, {0}), default=0)
1 list[list[int]] -> list[list[int]] : [list(row) for row in zip(*{0})]
1 list[list[int]] -> list[list[int]] : [row[::-1] for row in {0}]
1 list[list[int]] -> list[list[int]] : sorted({0}, key=len)
1 list[list[int]] -> list[list[int]] : sorted({0}, key=sum)
!1 list[list[int]]; at -> list[int] : [row[{1}] for row in {0}]
1 list[list[str]] -> list[str] : [w for row in {0} for w in row]
1 list[list[str]] -> list[str] : [' '.join(row) for row in {0}]
1 list[list[str]] -> int : sum(len(row) for row in {0})
1 list[list[str]] -> list[list[str]] : [sorted(row) for row in {0}]
1 list[tuple[str, int]] -> dict[str, int] : dict({0})
1 list[tuple[str, int]] -> list[tuple[str, int]] : sorted({0}, key=lambda pair: pair[1])
1 list[tuple[str, int]] -> list[tuple[str, int]] : sorted({0}, key=lambda p: (-p[1], p[0]))
1 list[tuple[str, int]] -> list[str] : [name for name, _ in {0}]
1 list[tuple[str, int]] -> int : sum(value for _, value in {0})
?1 list[tuple[str, int]] -> tuple[str, int] : max({0}, key=lambda pair: pair[1])
1 list[tuple[int, str]] -> dict[int, str] : dict({0})
1 list[tuple[int, str]] -> list[str] : [word for _, word in sorted({0})]
1 list[tuple[int, int]] -> list[int] : [a * b for a, b in {0}]
1 list[tuple[int, int]] -> dict[int, int] : dict({0})
1 list[tuple[int, int]] -> list[tuple[int, int]] : sorted({0})
1 list[tuple[int, int]] -> int : sum(b - a for a, b in {0})
1 list[tuple[str, str]] -> dict[str, str] : dict({0})
1 list[tuple[str, str]] -> list[str] : [a + b for a, b in {0}]
1 list[tuple[str, str]] -> int : sum(a == b for a, b in {0})
1 list[bool] -> int : sum({0})
1 list[bool] -> bool : any({0})
1 list[bool] -> bool : all({0})
1 list[bool] -> int : {0}.count(True)
1 list[float] -> float : sum({0}, 0.0)
?1 list[float] -> float : max({0})
1 list[float] -> list[float] : sorted({0})
1 list[float] -> list[int] : [int(x) for x in {0}]
1 list[float] -> list[float] : [round(x, 1) for x in {0}]
1 list[int] -> list[float] : [n / 2 for n in {0}]
1 list[dict[str, int]]; sub -> list[int] : [d.get({1}, 0) for d in {0}]
1 list[dict[str, int]] -> list[str] : [k for d in {0} for k in d]
!1 list[dict[str, int]]; sub -> list[int] : [d[{1}] for d in {0}]
1 list[dict[str, int]] -> list[int] : [sum(d.values()) for d in {0}]
1 P -> A : {0}[0]
1 P -> B : {0}[1]
1 P -> list[P] : [{0}]
1 tuple[int, int] -> tuple[int, int] : {0}[::-1]
1 tuple[int, int] -> int : sum({0})
1 tuple[int, int] -> int : {0}[0] * {0}[1]
1 tuple[str, int] -> str : f'{{{0}[0]}}={{{0}[1]}}'
^1 tuple[str, int] -> str : {0}[0] * min({0}[1], 3)
1 tuple[str, str] -> str : '/'.join({0})
1 tuple[int, str] -> str : str({0})
1 tuple[S, ...] -> int : len({0})
1 tuple[S, ...]; S -> int : {0}.count({1})
!1 tuple[S, ...]; S -> int : {0}.index({1})
1 tuple[S, ...]; S -> bool : {1} in {0}
1 tuple[S, ...] -> tuple[S, ...] : {0}[::-1]
1 tuple[S, ...]; cut -> tuple[S, ...] : {0}[{1}:]
^1 tuple[S, ...]; S -> tuple[S, ...] : {0} + ({1},)
?1 tuple[S, ...] -> S : {0}[0]
?1 tuple[S, ...] -> S : {0}[-1]
1 tuple[S, ...] -> list[S] : list({0})
1 tuple[S, ...] -> list[S] : sorted({0})
1 tuple[S, ...] -> set[S] : set({0})
1 tuple[int, ...] -> int : sum({0})
1 tuple[str, ...]; sep -> str : {1}.join({0})
1 set[S] -> int : len({0})
3 set[S] -> list[S] : sorted({0})
1 set[S] -> list[S] : sorted({0}, reverse=True)
1 set[S]; S -> bool : {1} in {0}
1 set[S]; S -> bool : {1} not in {0}
1 set[S]; set[S] -> set[S] : {0} | {1}
1 set[S]; set[S] -> set[S] : {0} & {1}
1 set[S]; set[S] -> set[S] : {0} - {1}
1 set[S]; set[S] -> set[S] : {0} ^ {1}
1 set[S]; list[S] -> set[S] : {0}.union({1})
1 set[S]; list[S] -> set[S] : {0}.intersection({1})
1 set[S]; list[S] -> set[S] : {0}.difference({1})
1 set[S]; list[S] -> set[S] : {0}.symmetric_difference({1})
1 set[S] -> set[S] : {0}.copy()
1 set[S]; set[S] -> bool : {0}.issubset({1})
1 set[S]; set[S] -> bool : {0}.isdisjoint({1})
1 set[S]; set[S] -> bool : {0} <= {1}
1 set[S]; list[S] -> bool : {0}.issuperset({1})
1 set[S] -> bool : not {0}
?1 set[S] -> S : min({0})
?1 set[S] -> S : max({0})
1 set[int] -> int : sum({0})
1 set[str] -> str : ''.join(sorted({0}))
1 set[str]; sep -> str : {1}.join(sorted({0}))
"""
