"""Stretches of a few lines about lists and dicts, as they stand in a function."""

TABLE = r"""
# index in loop *3 # for # range
for <i+int> in range(len(<xs$list[T]>)):
    <x+T> = <xs>[<i>]
    if <?x>:
        <xs>[<i>] = <=T>

# enumerate # for *2
for <i+int>, <x+T> in enumerate(<xs$list[T]>):
    if <?x>:
        <xs>[<i>] = <=T>
    else:
        <xs>[<i>] = <~T>

# delete in loop # for # list.remove *2
for <x+str> in <xs$list[str]><[:]|.copy()>:
    if <?x>:
        <xs>.remove(<x>)

# delete in loop # for # list.remove *2
for <x+int> in list(<xs$list[int]>):
    if <?x>:
        <xs>.remove(<x>)

# delete in loop # for # del *2
for <k+K> in list(<d$dict[K, V]>):
    if <?k>:
        <d>.pop(<k>)

# none # dict.get # is None *3
<v.V> = <d$dict[K, V]>.get(<~K>)
if <v> is <|not >None:
    <v> = <~V>
else:
    <v> = <!V>

# none # is None *2
<v.V> = <d$dict[K, V]>.get(<=K>)
if <v> is None:
    <d>[<~K>] = <v> = <!V>

# guarded # list.index *2
if <v$str> in <xs$list[str]>:
    <i.int> = <xs>.index(<v>)
else:
    <i> = <-1|-2|0>

# guarded # list.remove *2
if <v$str> in <xs$list[str]>:
    <xs>.remove(<v>)

# guarded # list.remove
if <v$int> in <xs$list[int]>:
    <xs>.remove(<v>)
else:
    <xs>.append(<v>)

# guarded # dict.pop # in *2
if <k$str> in <d$dict[str, int]>:
    <v.int> = <d>.pop(<k>)
else:
    <v> = <d>[<k>] = <~int>

# guarded # empty check *3
if <xs$list[T]>:
    <x.T> = <xs>[<0|-1>]
else:
    <x> = <!T>

# guarded # list.pop
while len(<xs$list[T]>) > <!size>:
    <xs>.pop(<|0>)

# previous # for *2
<p.int> = <!small>
<out.list[int]> = []
for <x+int> in <xs$list[int]>:
    <out>.append(<x> <-|+> <p>)
    <p> = <x>

# running total # for *2
<t.int> = 0
<out.list[int]> = []
for <x+int> in <xs$list[int]>:
    <t> += <=int>
    <out>.append(<t>)

# counts # for # setdefault *2
<d.dict[int, list[str]]> = {}
for <w+str> in <ws$list[str]>:
    <d>.setdefault(len(<w>), []).append(<=str>)

# grouping # for *2
<d.dict[str, list[str]]> = {}
for <w+str> in <ws$list[str]>:
    <k+str> = <w>[:1]<|.lower()>
    if <k> not in <d>:
        <d>[<k>] = []
    <d>[<k>].append(<w>)

# seen # for *2
<seen.set[str]> = set()
<out.list[str]> = []
for <w+str> in <ws$list[str]>:
    if <w> in <seen>:
        continue
    <seen>.add(<w>)
    <out>.append(<=str>)

# best # for *3
<best.int> = <xs$list[int]>[0] if <xs> else 0
for <x+int> in <xs>[1:]:
    if <x> <op> <best>:
        <best> = <x>

# best # for *2
<best.str> = ''
for <w+str> in <ws$list[str]>:
    if len(<w>) <more> len(<best>):
        <best> = <w>

# flag # for # break *2
<flag.bool> = <False|True>
for <x+T> in <xs$list[T]>:
    if <?x>:
        <flag> = not <flag>
        <break|continue>

# nested loop # for # range *2
<n.int> = 0
for <i+int> in range(len(<xs$list[int]>)):
    for <j+int> in range(<i> + 1, len(<xs>)):
        if <xs>[<i>] <op> <xs>[<j>]:
            <n> += <xs>[<j>]

# nested loop # for # matrix *2
<out.list[int]> = []
for <row+list[int]> in <m$list[list[int]]>:
    for <x+int> in <row>:
        if <?x>:
            <out>.append(<=int>)

# sort by swaps # nested loop # for
for <i+int> in range(len(<xs$list[int]>)):
    for <j+int> in range(len(<xs>) - 1 - <i>):
        if <xs>[<j>] <op> <xs>[<j> + 1]:
            <xs>[<j>], <xs>[<j> + 1] = <xs>[<j> + 1], <xs>[<j>]

# queue # while
<q+list[T]> = <xs$list[T]><[:]|.copy()>
<out.list[T]> = []
while <q>:
    <out>.append(<q>.pop(<0|-1|>))
    if <q>:
        <q>.pop()

# rotation # slice *2
<k+int> = <!small> % len(<xs$list[T]>) if <xs> else 0
<xs> = <xs>[<k>:] + <xs>[:<k>]

# slice assignment *2
<xs$list[T]>[<!cut>:<!cut>] = <xs>[<::-1|:1|1:2>]

# invert dict # for *2
<out.dict[V, list[K]]> = {}
for <k+K>, <v+V> in <d$dict[K, V]>.items():
    <out>.setdefault(<v>, []).append(<k>)

# merge dicts # for *2
<out.dict[K, V]> = dict(<d$dict[K, V]>)
for <k+K>, <v+V> in <d>.items():
    if <?v>:
        <out>[<k>] = <=V>

# filter dict # for *2
<out.dict[K, V]> = {}
for <k+K>, <v+V> in <d$dict[K, V]>.items():
    if <?k>:
        <out>[<k>] = <=V>

# inner function *2
def <g.any>(<x+str>):
    return <==str>
<ys+list[str]> = [<g>(w) for w in <xs$list[str]>]

# inner function
def <g.any>(<x+int>):
    return <==int>
<ys+list[int]> = list(map(<g>, <xs$list[int]>))

# lambda # sorted
<xs> = sorted(<xs$list[str]>, key=lambda x: <x[::-1]|(len(x), x)|x[-1:]|x.lower()|-len(x)>)

# lambda # list.sort
<xs$list[int]>.sort(key=lambda x: <-x|abs(x - 10)|x % 10|(x % 2, x)|str(x)>)

# map # filter
<ys+list[int]> = list(filter(lambda x: x <op> <!small>, <xs$list[int]>))

# nested comprehension
<ys+list[list[int]]> = [[<x * y|x + y|y> for y in range(<2|3>)] for x in range(<2|3>)]

# zip # dict
<d+dict[str, int]> = dict(zip(<xs$list[str]>, range(<5|10|3>)))

# for else # for
<r.str> = ''
for <x+str> in <xs$list[str]>:
    if <?x>:
        <r> = <x>
        break
else:
    <r> = <!str>

# matrix # nested comprehension
<m> = [[row[i] for row in <m$list[list[int]]>] for i in range(min(map(len, <m>), default=0))]

# walrus
if (<n.int> := len(<xs$list[T]>)) > <!size>:
    <xs> = <xs>[:<n> - 1]
"""
