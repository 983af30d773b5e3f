"""Stretches of a few lines about text or numbers, as they stand in a function."""

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

# counts # for # dict.get *3
<d.dict[str, int]> = {}
for <c+char> in <s$str><|.lower()>:
    if <c> in <d>:
        <d>[<c>] += 1
    else:
        <d>[<c>] = 1

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

# chunks # comprehension *2
<n+int> = <2|3|4>
<parts+list[str]> = [<s$str>[i:i + <n>] for i in range(0, len(<s>), <n>)]

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

# inner function
def <g.any>(<x+str>, <y.str>=<!fill>):
    return <==str> + <y>
<s> = <g>(<s$str>)

# lambda
<g.any> = lambda x: x<.upper()|[::-1]|.strip()| * 2|[1:]>
<s> = <g>(<s$str>)

# nested comprehension
<ys+list[str]> = [a + b for a in <s$str><[:3]|[-2:]> for b in <!chars>]

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

# find in loop # for # break
<r.int> = -1
for <i+int>, <c+char> in enumerate(<s$str>):
    if <?c>:
        <r> = <i>
        break

# assert
assert isinstance(<s$str>, str)
<t+str> = <=str>

# chained comparison
<ok+bool> = <!size> <up> len(<s$str>) <up> <8|12|20>
"""
