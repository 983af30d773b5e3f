"""Functions that make, take or wrap functions."""

TABLE = r"""
# closure
int -> list[int] : <f>({0})
def <f>(<n+int>):
    def <g>(<x+int>):
        return <=int> + <n>
    return [<g>(<i.int>) for <i> in range(<3|4|5>)]

# closure # nonlocal
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    <t.int> = <0|1|10>
    def <g>(<x+int>):
        nonlocal <t>
        if <?x>:
            <t> += <=int>
        return <t>
    for <x.int> in <xs>:
        <g>(<x>)
    return <t>

# closure
str; str -> str : <g>({1})({0})
def <g>(<p+str>):
    def <h>(<s+str>):
        return <=str> + <p>
    return <h>

# closure # default
int; positive -> int : <g>({1})({0})
def <g>(<k+int>, <m.int>=<!small>):
    def <h>(<x+int>):
        return <=int> <+|-|*> <m> - <k>
    return <h>

# closure # nonlocal # counter
str -> int : <f>({0})
def <g>():
    <n.int> = 0
    def <h>(<step.int>=1):
        nonlocal <n>
        <n> += <step>
        return <n>
    return <h>

def <f>(<s+str>):
    <k.any> = <g>()
    for <c+char> in <s>:
        if <?c>:
            <k>(<2|3|>)
    return <k>()

# lambda # higher order
list[int] -> list[int] : <f>({0}, lambda v: v <+|-|*> <2|3>)
def <f>(<xs+list[int]>, <fn.any>):
    <out.list[int]> = []
    for <x+int> in <xs>:
        if <?x>:
            <out>.append(<fn>(<x>))
        else:
            <out>.append(<=int>)
    return <out>

# lambda # higher order
str -> str : <f>(str.upper, {0})
def <f>(<fn.any>, <s+str>):
    <t+str> = <fn>(<s>)
    return <=str>

# lambda # dispatch
int; str -> int : <f>({1}, {0})
def <f>(<op.str>, <n+int>):
    <d.any> = {'add': lambda v: v + <!small>, 'sub': lambda v: v - <!small>}
    if <op> in <d>:
        return <d>[<op>](<n>)
    return <=int>

# decorator # star args
int -> int : <f>({0})
def <g>(<fn.any>):
    def <h>(*args):
        <t.int> = <fn>(*args)
        return <t> <+|*> <!small>
    return <h>

@<g>
def <f>(<n+int>):
    return <==int>

# star args
list[int] -> int : <f>(*{0})
def <f>(*<xs.list[int]>):
    <t.int> = <!small>
    for <x+int> in <xs>:
        <t> += <=int>
    return <t>

# star args # double star
int; str -> str : <f>({1}, size={0})
def <f>(<s+str>, **<kw.dict[str, int]>):
    for <k.str>, <v.int> in <kw>.items():
        <s> = f'{<s>} {<k>}={<v>}'
    return <s>

# keyword argument # default *2
str; int -> str : <f>({0}, <p>={1})
def <f>(<s+str>, <p.int>=<!small>, <q.str>=<!fill>):
    <t+str> = <=str>
    return <t> + <q> * (<p> % 5)

# keyword argument # default *2
list[int] -> list[int] : <f>({0}, <p>=<2|3>)
def <f>(<xs+list[int]>, <p.int>=1, <r.bool>=False):
    <ys.list[int]> = <xs>[::<p>]
    return <ys>[::-1] if <r> else <ys>

# mutable default # default # state
int -> list[int] : <f>({0})
def <f>(<x+int>, <xs.list[int]>=[]):
    <xs>.append(<=int>)
    return <xs>[-3:]

# global # state
int -> int : <f>({0})
<t.int> = <0|10>

def <f>(<n+int>):
    global <t>
    <t> = (<t> + <n>) % 100
    return <=int>
"""
