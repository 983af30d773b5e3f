"""What is done with whole numbers, floats and truth values."""

TABLE = r"""
4 int; int -> int : {0} + {1}
2 int; small -> int : {0} + {1}
4 int; int -> int : {0} - {1}
2 int; small -> int : {0} - {1}
^2 int; int -> int : {0} * {1}
3 int; small -> int : {0} * {1}
2 int; positive -> int : {0} // {1}
3 int; positive -> int : {0} % {1}
!1 int; int -> int : {0} // {1}
!1 int; int -> int : {0} % {1}
^1 int -> int : {0} ** 2
1 int -> int : {0} * {0} % 97
2 int -> int : abs({0})
2 int; int -> int : max({0}, {1})
2 int; int -> int : min({0}, {1})
1 int -> int : max({0}, 0)
1 int -> int : -{0}
1 int; int -> int : abs({0} - {1})
1 int; int -> int : {0} ^ {1}
1 int; small -> int : {0} & {1}
1 int; small -> int : {0} | {1}
1 int -> int : {0} >> 1
1 int -> int : ({0} << 1) % 1000
1 int -> int : ~{0}
1 int; small; positive -> int : ({0} + {1}) % {2}
1 int; small -> int : {0} if {0} > {1} else {1}
1 bool; int; int -> int : {1} if {0} else {2}
1 int -> int : int(str(abs({0}))[::-1])
1 int -> int : len(str({0}))
1 int -> int : sum(int(d) for d in str(abs({0})))
1 int; positive; large -> int : pow(abs({0}), {1}, {2})
1 bool -> int : int({0})
1 int -> int : {0}.bit_length()
1 int; positive -> int : divmod({0}, {1})[0]
1 int -> int : sum(range({0} % 10))
1 int; positive -> int : {0} // {1} * {1}
1 int -> int : {0} or 1
3 int; int -> bool : {0} > {1}
2 int; int -> bool : {0} < {1}
1 int; int -> bool : {0} >= {1}
1 int; int -> bool : {0} <= {1}
2 int; int -> bool : {0} == {1}
1 int; int -> bool : {0} != {1}
3 int; small -> bool : {0} > {1}
3 int; small -> bool : {0} < {1}
1 int; small -> bool : {0} == {1}
2 int -> bool : {0} % 2 == 0
1 int -> bool : {0} % 2
1 int; positive -> bool : {0} % {1} == 0
1 int; positive -> bool : {0} % {1} != 0
1 int -> bool : {0} > 0
1 int -> bool : not {0}
1 int -> bool : bool({0})
1 int; small; large -> bool : {1} <= {0} < {2}
1 int; small; small -> bool : {0} in ({1}, {2})
1 int; small; small -> bool : {0} < {1} or {0} % {2} == 1
1 int -> bool : isinstance({0}, int)
4 int -> str : str({0})
1 int -> str : bin({0})
1 int -> str : hex({0})
1 int -> str : oct({0})
1 int -> str : bin({0})[2:]
1 int; width -> str : str({0}).zfill({1})
1 int -> str : f'{{{0}:03d}}'
1 int -> str : f'{{{0}:,}}'
1 int -> str : f'{{{0}:x}}'
1 int -> str : f'#{{{0}}}'
1 int; affix -> str : {1} + str({0})
1 int; affix -> str : str({0}) + {1}
1 int -> str : '%d' % {0}
1 int -> str : 'even' if {0} % 2 == 0 else 'odd'
1 int -> str : str({0})[::-1]
!1 int -> char : chr({0})
1 int -> char : chr(97 + {0} % 26)
1 int -> char : 'abcdef'[{0} % 6]
1 int; fill -> str : {1} * ({0} % 7)
1 int; int -> tuple[int, int] : ({0}, {1})
1 int; positive -> tuple[int, int] : divmod({0}, {1})
1 int; str -> tuple[int, str] : ({0}, {1})
1 int -> list[int] : list(range({0} % 8))
1 int; positive -> list[int] : [{0}] * {1}
1 int -> list[int] : [{0}]
1 int; int -> list[int] : [{0}, {1}]
1 int -> list[int] : [int(d) for d in str(abs({0}))]
1 int -> list[str] : list(str({0}))
1 int; positive -> list[int] : list(range(0, {0} % 20, {1}))
1 int; positive -> float : {0} / {1}
!1 int; int -> float : {0} / {1}
1 int -> float : float({0})
1 int -> float : {0} * 0.5
1 int -> float : {0} ** 0.5 if {0} > 0 else 0.0
2 float -> float : round({0}, 2)
1 float -> float : round({0}, 1)
1 float -> float : abs({0})
1 float; small -> float : {0} * {1}
1 float; small -> float : {0} + {1}
1 float; float -> float : {0} + {1}
1 float; float -> float : {0} - {1}
1 float; float -> float : max({0}, {1})
1 float -> float : -{0}
1 float; positive -> float : {0} / {1}
2 float -> int : int({0})
1 float -> int : round({0})
1 float -> int : int({0} * 10) % 10
1 float; small -> bool : {0} > {1}
1 float; float -> bool : {0} < {1}
1 float -> bool : {0}.is_integer()
1 float -> str : f'{{{0}:.2f}}'
1 float -> str : f'{{{0}:.1f}}'
1 float -> str : '%.1f' % {0}
1 float -> str : str(round({0}, 1))
1 float -> str : f'{{{0}:.1%}}'
2 bool -> bool : not {0}
2 bool; bool -> bool : {0} and {1}
2 bool; bool -> bool : {0} or {1}
1 bool; bool -> bool : {0} and not {1}
1 bool; bool -> bool : {0} == {1}
1 bool; bool -> bool : {0} != {1}
1 bool -> str : str({0})
1 bool -> str : 'yes' if {0} else 'no'
1 bool; affix; affix -> str : {1} if {0} else {2}
"""
