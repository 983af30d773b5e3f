"""Statements that change their subject in place; what stands after the arrow is its kind."""

TABLE = r"""
^6 list[T]; T -> list[T] : {0}.append({1})
^2 list[T]; T -> list[T] : {0}.insert(0, {1})
^2 list[T]; at; T -> list[T] : {0}.insert({1}, {2})
^2 list[T]; list[T] -> list[T] : {0}.extend({1})
^1 list[T]; list[T] -> list[T] : {0} += {1}
^1 list[T]; T -> list[T] : {0} += [{1}]
2 list[T] -> list[T] : {0}.reverse()
2 list[S] -> list[S] : {0}.sort()
1 list[S] -> list[S] : {0}.sort(reverse=True)
1 list[str] -> list[str] : {0}.sort(key=len)
1 list[int] -> list[int] : {0}.sort(key=abs)
1 list[int] -> list[int] : {0}.sort(key=lambda n: -n)
?2 list[T] -> list[T] : {0}.pop()
?1 list[T] -> list[T] : {0}.pop(0)
!1 list[T]; at -> list[T] : {0}.pop({1})
?1 list[T] -> list[T] : del {0}[0]
?1 list[T] -> list[T] : del {0}[-1]
!1 list[S]; S -> list[S] : {0}.remove({1})
?2 list[T]; T -> list[T] : {0}[0] = {1}
?1 list[T]; T -> list[T] : {0}[-1] = {1}
!1 list[T]; at; T -> list[T] : {0}[{1}] = {2}
?1 list[int]; small -> list[int] : {0}[0] += {1}
?1 list[str]; affix -> list[str] : {0}[-1] += {1}
?1 list[T] -> list[T] : {0}[0], {0}[-1] = {0}[-1], {0}[0]
1 list[T]; list[T] -> list[T] : {0}[1:2] = {1}
1 list[T]; cut -> list[T] : del {0}[{1}:]
1 list[T] -> list[T] : del {0}[::2]
1 list[T] -> list[T] : {0}.clear()
^1 list[T]; T -> list[T] : {0}.insert(len({0}) // 2, {1})
^1 list[T]; list[T] -> list[T] : {0}[:0] = {1}
1 list[T] -> list[T] : {0}[1:] = {0}[:0:-1]
^1 list[T] -> list[T] : {0}.extend({0}[:1])
?1 list[T] -> list[T] : {0}.append({0}.pop(0))
?1 list[T] -> list[T] : {0}.insert(0, {0}.pop())
1 list[T]; cut -> list[T] : {0}[:{1}] = []
1 list[T] -> list[T] : {0}[:] = {0}[::-1]
^6 dict[K, V]; K; V -> dict[K, V] : {0}[{1}] = {2}
^1 dict[K, V]; K; V -> dict[K, V] : {0}.setdefault({1}, {2})
^2 dict[K, V]; K; V -> dict[K, V] : {0}.update({{{1}: {2}}})
^1 dict[K, V]; dict[K, V] -> dict[K, V] : {0}.update({1})
2 dict[K, V]; K -> dict[K, V] : {0}.pop({1}, None)
!1 dict[K, V]; K -> dict[K, V] : del {0}[{1}]
!1 dict[K, V]; K -> dict[K, V] : {0}.pop({1})
?1 dict[K, V] -> dict[K, V] : {0}.popitem()
2 dict[str, int]; str -> dict[str, int] : {0}[{1}] = {0}.get({1}, 0) + 1
2 dict[int, int]; int -> dict[int, int] : {0}[{1}] = {0}.get({1}, 0) + 1
!1 dict[str, int]; str -> dict[str, int] : {0}[{1}] += 1
^1 dict[str, list[int]]; str; int -> dict[str, list[int]] : {0}.setdefault({1}, []).append({2})
^1 dict[str, list[str]]; str; str -> dict[str, list[str]] : {0}.setdefault({1}, []).append({2})
^1 dict[int, list[str]]; int; str -> dict[int, list[str]] : {0}.setdefault({1}, []).append({2})
1 dict[K, V] -> dict[K, V] : {0}.clear()
1 dict[K, V]; K; V -> dict[K, V] : {0}[{1}] = {0}.pop({1}, {2})
^1 dict[K, V]; K; K; V -> dict[K, V] : {0}[{1}] = {0}.get({2}, {3})
1 set[S] -> set[S] : {0}.clear()
1 set[S]; list[S] -> set[S] : {0}.difference_update({1})
1 set[S]; set[S] -> set[S] : {0}.intersection_update({1})
^1 set[S]; set[S] -> set[S] : {0} |= {1}
^4 set[S]; S -> set[S] : {0}.add({1})
2 set[S]; S -> set[S] : {0}.discard({1})
!1 set[S]; S -> set[S] : {0}.remove({1})
^1 set[S]; list[S] -> set[S] : {0}.update({1})
1 set[S]; list[S] -> set[S] : {0} -= set({1})
1 set[S]; set[S] -> set[S] : {0} &= {1}
"""
