"""What is done with dicts."""

TABLE = r"""
6 dict[K, V] -> int : len({0})
4 dict[K, V]; K; V -> V : {0}.get({1}, {2})
!2 dict[K, V]; K -> V : {0}[{1}]
1 dict[K, V]; K; V -> V : {0}[{1}] if {1} in {0} else {2}
^1 dict[K, V]; K; V -> V : {0}.pop({1}, {2})
^1 dict[K, V]; K; V -> V : {0}.setdefault({1}, {2})
!^1 dict[K, V]; K -> V : {0}.pop({1})
3 dict[K, V] -> list[K] : list({0})
3 dict[K, V] -> list[K] : list({0}.keys())
3 dict[K, V] -> list[K] : sorted({0})
4 dict[K, V] -> list[V] : list({0}.values())
2 dict[K, V] -> list[tuple[K, V]] : list({0}.items())
2 dict[K, V] -> list[tuple[K, V]] : sorted({0}.items())
1 dict[K, V] -> dict[K, V] : {0}.copy()
1 dict[K, V] -> dict[K, V] : dict({0})
1 dict[K, V] -> dict[K, V] : dict(sorted({0}.items()))
^1 dict[K, V]; dict[K, V] -> dict[K, V] : {{**{0}, **{1}}}
^1 dict[K, V]; K; V -> dict[K, V] : {{**{0}, {1}: {2}}}
1 dict[K, V]; K -> dict[K, V] : {{k: v for k, v in {0}.items() if k != {1}}}
4 dict[K, V]; K -> bool : {1} in {0}
1 dict[K, V]; K -> bool : {1} not in {0}
1 dict[K, V] -> bool : not {0}
1 dict[K, V]; V -> bool : {1} in {0}.values()
1 dict[K, V]; size -> bool : len({0}) > {1}
1 dict[K, V]; dict[K, V] -> bool : {0} == {1}
1 dict[K, V]; K -> bool : {0}.get({1}) is None
1 dict[K, V]; K -> bool : {0}.get({1}) is not None
?1 dict[K, V] -> K : max({0})
?1 dict[K, V] -> K : min({0})
?1 dict[K, V] -> K : list({0})[0]
?1 dict[K, V] -> K : next(iter({0}))
?1 dict[K, V] -> V : list({0}.values())[-1]
?1 dict[str, int] -> str : max({0}, key={0}.get)
?1 dict[str, int] -> str : min({0}, key={0}.get)
2 dict[str, int] -> int : sum({0}.values())
?1 dict[str, int] -> int : max({0}.values())
1 dict[str, int] -> int : max({0}.values(), default=0)
1 dict[str, int] -> list[str] : sorted({0}, key={0}.get)
1 dict[str, int] -> list[str] : sorted({0}, key=lambda k: (-{0}[k], k))
1 dict[str, int]; small -> list[str] : [k for k, v in {0}.items() if v > {1}]
1 dict[str, int] -> list[int] : [v * 2 for v in {0}.values()]
1 dict[str, int] -> list[int] : sorted({0}.values())
1 dict[str, int] -> dict[int, str] : {{v: k for k, v in {0}.items()}}
1 dict[str, int]; small -> dict[str, int] : {{k: v + {1} for k, v in {0}.items()}}
1 dict[str, int] -> dict[str, int] : {{k.upper(): v for k, v in {0}.items()}}
1 dict[str, int] -> dict[str, int] : dict(sorted({0}.items(), key=lambda kv: kv[1]))
1 dict[str, int] -> dict[str, bool] : {{k: v > 0 for k, v in {0}.items()}}
1 dict[str, int]; small -> dict[str, float] : {{k: v / 2 for k, v in {0}.items() if v != {1}}}
1 dict[str, int] -> str : ', '.join(f'{{k}}={{v}}' for k, v in {0}.items())
1 dict[str, int]; sep -> str : {1}.join({0})
1 dict[str, int] -> str : str({0})
1 dict[str, int] -> list[str] : [k * min(v, 2) for k, v in {0}.items()]
1 dict[str, int] -> bool : any(v < 0 for v in {0}.values())
!1 dict[str, int]; sub -> int : {0}[{1}] * 2
1 dict[str, str] -> str : ' '.join({0}.values())
1 dict[str, str] -> str : ''.join(k + v for k, v in {0}.items())
1 dict[str, str] -> dict[str, str] : {{v: k for k, v in {0}.items()}}
1 dict[str, str]; str -> str : ''.join({0}.get(c, c) for c in {1})
!1 dict[str, str]; sub -> str : {0}.get({1}).upper()
1 dict[str, str] -> list[str] : [k + '=' + v for k, v in {0}.items()]
1 dict[str, str] -> int : sum(map(len, {0}.values()))
1 dict[int, str] -> str : ''.join({0}[k] for k in sorted({0}))
1 dict[int, str] -> int : sum({0})
1 dict[int, str] -> dict[str, int] : {{v: k for k, v in {0}.items()}}
1 dict[int, int] -> int : sum({0}.values())
1 dict[int, int] -> int : sum(k * v for k, v in {0}.items())
1 dict[int, int] -> list[int] : sorted({0}, key={0}.get)
1 dict[int, int] -> dict[int, int] : {{v: k for k, v in {0}.items()}}
1 dict[str, list[int]] -> dict[str, int] : {{k: sum(v) for k, v in {0}.items()}}
1 dict[str, list[int]] -> dict[str, int] : {{k: len(v) for k, v in {0}.items()}}
1 dict[str, list[int]] -> list[int] : [n for row in {0}.values() for n in row]
!1 dict[str, list[int]]; sub -> int : {0}[{1}][0]
1 dict[str, list[str]] -> dict[str, str] : {{k: ' '.join(v) for k, v in {0}.items()}}
1 dict[str, list[str]] -> dict[str, int] : {{k: len(v) for k, v in {0}.items()}}
1 dict[str, list[str]] -> list[str] : [w for row in {0}.values() for w in row]
1 dict[int, list[str]] -> list[str] : [w for k in sorted({0}) for w in {0}[k]]
1 dict[int, list[str]] -> int : max({0}, default=0)
1 dict[str, bool] -> list[str] : [k for k, v in {0}.items() if v]
1 dict[str, bool] -> int : sum({0}.values())
1 dict[str, bool] -> bool : all({0}.values())
1 dict[str, float] -> float : sum({0}.values(), 0.0)
1 dict[str, float] -> dict[str, int] : {{k: int(v) for k, v in {0}.items()}}
1 dict[str, dict[str, int]] -> list[int] : [len(d) for d in {0}.values()]
1 dict[str, dict[str, int]]; sub; sub -> int : {0}.get({1}, {{}}).get({2}, 0)
1 dict[str, dict[str, int]] -> dict[str, int] : {{k: sum(d.values()) for k, d in {0}.items()}}
!1 dict[str, dict[str, int]]; sub; sub -> int : {0}[{1}][{2}]
"""
