"""Stretches of a few lines, as they stand in the middle of a function."""

TABLE = r"""
# find then cut *3
<i+int> = <s$str>.<find|rfind>(<~letter>)
<t+str> = <s>[<:|1:|><i>:]<| + '-'>

# find then cut *2
<i+int> = <s$str>.find(<~sub>)
if <i> <!=|==> -1:
    <s> = <s>[:<i>] + <~affix> + <s>[<i>:]

# character list *3
<cs+list[str]> = list(<s$str>)
<cs>.<reverse|sort>()
<s> = ''.join(<cs>)

# character list *2 # for # enumerate
<cs+list[str]> = list(<s$str>)
for <i+int>, <c+char> in enumerate(<cs>):
    if <?c>:
        <cs>[<i>] = <=str>

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

# several at once *2
<a.int>, <b.list[str]> = 0, []
for <c+char> in <s$str>:
    if <?c>:
        <a> += <1|1|2>
    else:
        <b>.append(<=str>)

# several at once *2
<a.str>, <b.str> = '', ''
for <c+char> in <s$str>:
    if <?c>:
        <a> += <=char>
    else:
        <b> += <c>

# runs # while *2
<out.list[tuple[str, int]]> = []
<i.int> = 0
while <i> < len(<s$str>):
    <j.int> = <i>
    while <j> < len(<s>) and <s>[<j>] == <s>[<i>]:
        <j> += 1
    <out>.append((<s>[<i>], <j> - <i>))
    <i> = <j>

# previous # for *2
<p.str> = ''
<out.str> = ''
for <c+char> in <s$str>:
    if <c> <!=|==> <p>:
        <out> += <c>
    <p> = <c>

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

# counts # for # dict.get *3
<d.dict[str, int]> = {}
for <c+char> in <s$str><|.lower()>:
    if <c> in <d>:
        <d>[<c>] += 1
    else:
        <d>[<c>] = 1

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

# while true # while # break
<i.int> = <0|1|2>
<t.str> = ''
while True:
    if <i> >= len(<s$str>):
        break
    <t> += <s>[<i>]
    <i> += <1|2|3>

# collatz # while
<n+int> = abs(<k$int>) % 20 + 1
<steps.int> = 0
while <n> != 1 and <steps> < <20|15|30>:
    <n> = <n> // 2 if <n> % 2 == 0 else 3 * <n> + 1
    <steps> += 1

# gcd # while
<a+int>, <b+int> = abs(<p$int>), <!positive>
while <b>:
    <a>, <b> = <b>, <a> % <b>

# shift cipher # for # ord # chr *2
<out.str> = ''
for <c+char> in <s$str>:
    if <c>.<isalpha|islower|isupper>():
        <out> += chr((ord(<c>) - 97 + <!small>) % 26 + 97)
    else:
        <out> += <c>

# stack # for *2
<st.list[str]> = []
for <c+char> in <s$str>:
    if <st> and <st>[-1] == <c>:
        <st>.pop()
    else:
        <st>.append(<c>)

# queue # while
<q+list[T]> = <xs$list[T]><[:]|.copy()>
<out.list[T]> = []
while <q>:
    <out>.append(<q>.pop(<0|-1|>))
    if <q>:
        <q>.pop()

# chunks # comprehension *2
<n+int> = <2|3|4>
<parts+list[str]> = [<s$str>[i:i + <n>] for i in range(0, len(<s>), <n>)]

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

# parse pairs # for # split *2
<d.dict[str, str]> = {}
for <part+str> in <s$str>.split(<!sep>):
    <k+str>, <_|_|mid>, <v+str> = <part>.partition(<!sep>)
    <d>[<=str>] = <=str>

# parse numbers # for # try
<t.int> = 0
for <part+str> in <s$str>.split(<','|' '|';'|'-'>):
    try:
        <t> += int(<part>)
    except ValueError:
        <t> <-=|+=> len(<part>)

# zip # for *2
<n.int> = 0
for <a+char>, <b+char> in zip(<s$str>, <t$str>):
    if <a> <op> <b>:
        <n> += 1

# inner function *2
def <g.any>(<x+str>):
    return <==str>
<ys+list[str]> = [<g>(w) for w in <xs$list[str]>]

# inner function
def <g.any>(<x+int>):
    return <==int>
<ys+list[int]> = list(map(<g>, <xs$list[int]>))

# inner function
def <g.any>(<x+str>, <y.str>=<!fill>):
    return <==str> + <y>
<s> = <g>(<s$str>)

# lambda
<g.any> = lambda x: x<.upper()|[::-1]|.strip()| * 2|[1:]>
<s> = <g>(<s$str>)

# lambda # sorted
<xs> = sorted(<xs$list[str]>, key=lambda x: <x[::-1]|(len(x), x)|x[-1:]|x.lower()|-len(x)>)

# lambda # list.sort
<xs$list[int]>.sort(key=lambda x: <-x|abs(x - 10)|x % 10|(x % 2, x)|str(x)>)

# map # filter
<ys+list[int]> = list(filter(lambda x: x <op> <!small>, <xs$list[int]>))

# nested comprehension
<ys+list[str]> = [a + b for a in <s$str><[:3]|[-2:]> for b in <!chars>]

# nested comprehension
<ys+list[list[int]]> = [[<x * y|x + y|y> for y in range(<2|3>)] for x in range(<2|3>)]

# zip # dict
<d+dict[str, int]> = dict(zip(<xs$list[str]>, range(<5|10|3>)))

# format
<t+str> = '<{}: {}|{}/{}|{} = {!r}>'.format(<s$str>, <=int>)

# f-string
<t+str> = f'<a|n|s|len>={<len|str.upper|repr>(<s$str>)}'

# several names
<a+str> = <b+str> = <s$str><|.strip()|[::-1]>

# delete
<t+str> = <s$str> + <!affix>
del <s>

# exception as value # try
try:
    <n.int> = int(<s$str>)
except ValueError as <e.any>:
    <n> = <-2|-1|0|100>

# for else # for
<r.str> = ''
for <x+str> in <xs$list[str]>:
    if <?x>:
        <r> = <x>
        break
else:
    <r> = <!str>

# find in loop # for # break
<r.int> = -1
for <i+int>, <c+char> in enumerate(<s$str>):
    if <?c>:
        <r> = <i>
        break

# matrix # nested comprehension
<m> = [[row[i] for row in <m$list[list[int]]>] for i in range(min(map(len, <m>), default=0))]

# assert
assert isinstance(<s$str>, str)
<t+str> = <=str>

# chained comparison
<ok+bool> = <!size> <up> len(<s$str>) <up> <8|12|20>

# walrus
if (<n.int> := len(<xs$list[T]>)) > <!size>:
    <xs> = <xs>[:<n> - 1]
"""
