"""Functions that call themselves or each other, each on something smaller."""

TABLE = r"""
# recursion
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    if not <xs>:
        return <0|1|-1>
    <x+int> = <xs>[0]
    return <=int> <+|-> <f>(<xs>[1:])

# recursion
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    if len(<xs>) <= 1:
        return <xs>[0] if <xs> else <!small>
    <m.int> = len(<xs>) // 2
    return <max|min>(<f>(<xs>[:<m>]), <f>(<xs>[<m>:]))

# recursion
str -> str : <f>({0})
def <f>(<s+str>):
    if <s> == '':
        return <!affix>
    <c+char> = <s>[0]
    if <?c>:
        return <f>(<s>[1:]) + <=char>
    return <=char> + <f>(<s>[1:])

# recursion
str -> str : <f>({0})
def <f>(<s+str>):
    if len(<s>) < 2:
        return <s>
    return <f>(<s>[1:]) + <s>[0]<|.upper()|.lower()>

# recursion
str -> bool : <f>({0})
def <f>(<s+str>):
    if len(<s>) < 2:
        return True
    if <s>[0] != <s>[-1]:
        return False
    return <f>(<s>[1:-1])

# recursion # default
str; letter -> int : <f>({0}, {1})
def <f>(<s+str>, <c+char>, <i.int>=0):
    if <i> >= len(<s>):
        return 0
    <n.int> = <1|2> if <s>[<i>] == <c> else 0
    return <n> + <f>(<s>, <c>, <i> + 1)

# recursion
depth -> int : <f>({0})
def <f>(<n+depth>):
    if <n> < 2:
        return <n>
    return <f>(<n> - 1) + <f>(<n> - 2)

# recursion *2
depth -> int : <f>({0})
def <f>(<n+depth>):
    if <n> == 0:
        return <1|0|2|10>
    <t.int> = <f>(<n> - 1)
    return <t> <+|-> <=int>

# recursion
depth -> int : <f>({0})
def <f>(<n+depth>):
    if <n> < 1:
        return 1
    return <n> * <f>(<n> - <1|2>)

# recursion
depth -> list[int] : <f>({0})
def <f>(<n+depth>):
    if <n> == 0:
        return <[]|[0]|[1]>
    <xs.list[int]> = <f>(<n> - 1)
    <xs>.append(<=int>)
    return <xs>

# recursion
depth; str -> str : <f>({0}, {1})
def <f>(<n+depth>, <s+str>):
    if <n> <up> <1|2>:
        return <s>
    return <f>(<n> - 1, <s>[1:] + <s>[:1])

# recursion
int -> int : <f>({0})
def <f>(<n+int>):
    <n> = abs(<n>)
    if <n> < 10:
        return <n>
    return <n> % 10 + <f>(<n> // 10)

# recursion
int -> str : <f>({0})
def <f>(<n+int>):
    if abs(<n>) < <2|3|8>:
        return str(abs(<n>))
    return <f>(abs(<n>) // <2|3|8>) + str(abs(<n>) % <2|3|8>)

# recursion
int; positive -> int : <f>({0}, {1})
def <f>(<a+int>, <b+int>):
    if <b> == 0:
        return abs(<a>)
    return <f>(<b>, <a> % <b>)

# recursion # isinstance
list[list[int]] -> list[int] : <f>({0})
def <f>(<xs+list[list[int]]>):
    <out.list[int]> = []
    for <x.int> in <xs>:
        if isinstance(<x>, list):
            <out>.extend(<f>(<x>))
        else:
            <out>.append(<x>)
    return <out>

# recursion # isinstance
list[list[int]] -> int : <f>({0})
def <f>(<x.list[list[int]]>, <d.int>=0):
    if not isinstance(<x>, list):
        return <x> <+|-|*> <d>
    return sum(<f>(part, <d> + 1) for part in <x>)

# recursion # binary search
list[int]; int -> bool : <f>(sorted({0}), {1})
def <f>(<xs+list[int]>, <x+int>):
    if not <xs>:
        return False
    <m.int> = len(<xs>) // 2
    if <xs>[<m>] == <x>:
        return True
    if <xs>[<m>] < <x>:
        return <f>(<xs>[<m> + 1:], <x>)
    return <f>(<xs>[:<m>], <x>)

# recursion # sorting
list[int] -> list[int] : <f>({0})
def <f>(<xs+list[int]>):
    if len(<xs>) <up> 1:
        return <xs>
    <p+int> = <xs>[0]
    <a.list[int]> = [x for x in <xs>[1:] if x < <p>]
    <b.list[int]> = [x for x in <xs>[1:] if x >= <p>]
    return <f>(<a>) + [<p>] + <f>(<b>)

# recursion # sorting # while
list[int] -> list[int] : <f>({0})
def <g>(<a+list[int]>, <b+list[int]>):
    <out.list[int]> = []
    while <a> and <b>:
        if <a>[0] <op> <b>[0]:
            <out>.append(<a>.pop(0))
        else:
            <out>.append(<b>.pop(0))
    return <out> + <a> + <b>

def <f>(<xs+list[int]>):
    if len(<xs>) < 2:
        return <xs>
    <m.int> = len(<xs>) // 2
    return <g>(<f>(<xs>[:<m>]), <f>(<xs>[<m>:]))

# mutual recursion # recursion
depth -> bool : <f>({0})
def <f>(<n+depth>):
    if <n> == 0:
        return True
    return <g>(<n> - 1)

def <g>(<k+depth>):
    return False if <k> == 0 else <f>(<k> - 1)

# mutual recursion # recursion
str -> str : <f>({0})
def <f>(<s+str>):
    if not <s>:
        return ''
    return <s>[0].upper() + <g>(<s>[1:])

def <g>(<t+str>):
    if not <t>:
        return ''
    return <t>[0].lower() + <f>(<t>[1:])

# recursion # memo # default
depth -> int : <f>({0})
def <f>(<n+depth>, <d.dict[int, int]>=None):
    if <d> is None:
        <d> = {}
    if <n> < 2:
        return <n>
    if <n> not in <d>:
        <d>[<n>] = <f>(<n> - 1, <d>) + <f>(<n> - 2, <d>)
    return <d>[<n>]

# recursion # backtracking
list[int] -> list[list[int]] : <f>({0}[:3])
def <f>(<xs+list[int]>):
    if not <xs>:
        return [[]]
    <out.list[list[int]]> = []
    for <row.list[int]> in <f>(<xs>[1:]):
        <out>.append(<row>)
        <out>.append([<xs>[0]] + <row>)
    return <out>

# recursion # backtracking
str -> list[str] : <f>({0}[:3])
def <f>(<s+str>):
    if len(<s>) < 2:
        return [<s>]
    <out.list[str]> = []
    for <i.int>, <c.char> in enumerate(<s>):
        for <t.str> in <f>(<s>[:<i>] + <s>[<i> + 1:]):
            <out>.append(<c> + <t>)
    return <out>

# recursion # tree
dict[str, list[str]]; str -> int : <f>({0}, {1})
def <f>(<d+dict[str, list[str]]>, <k+str>, <n.int>=0):
    if <n> > 3 or <k> not in <d>:
        return 1
    return sum(<f>(<d>, child, <n> + 1) for child in <d>[<k>])

# recursion # raise
depth -> int : <f>({0})
def <f>(<n+depth>):
    if <n> == <6|7>:
        raise ValueError(f'too deep: {<n>}')
    if <n> <up> 1:
        return <n>
    return <f>(<n> - 2) + <=int>
"""
