"""Functions that yield, and ways of taking what they yield."""

TABLE = r"""
# generator # yield *3
list[int] -> list[int] : list(<f>({0}))
def <f>(<xs+list[int]>):
    for <x+int> in <xs>:
        if <?x>:
            yield <=int>

# generator # yield *2
list[str] -> list[str] : list(<f>({0}))
def <f>(<xs+list[str]>):
    for <x+str> in <xs>:
        <y+str> = <=str>
        yield <=str>

# generator # yield
str -> str : ''.join(<f>({0}))
def <f>(<s+str>):
    for <c+char> in <s>:
        if <?c>:
            continue
        yield <=str>

# generator # yield # while
depth -> list[int] : list(<f>({0}))
def <f>(<n+depth>):
    while <n> > 0:
        yield <=int>
        <n> -= 1

# generator # yield # while
depth -> int : sum(<f>({0}))
def <f>(<n+depth>):
    <a.int>, <b.int> = <0|1>, 1
    for _ in range(<n>):
        yield <a>
        <a>, <b> = <b>, <a> + <b>

# generator # next
list[int]; int -> int : next(<f>({0}), {1})
def <f>(<xs+list[int]>):
    for <i+int>, <x+int> in enumerate(<xs>):
        if <?x>:
            yield <=int>

# generator # yield from
list[list[int]] -> list[int] : list(<f>({0}))
def <f>(<xs+list[list[int]]>):
    for <row+list[int]> in <xs>:
        if <?row>:
            yield from <row>
        else:
            yield len(<row>)

# generator # yield from # recursion
list[list[int]] -> list[int] : list(<f>({0}))
def <f>(<x.list[list[int]]>):
    if isinstance(<x>, list):
        for part in <x>:
            yield from <f>(part)
    else:
        yield <x>

# generator # finally
list[str] -> list[str] : list(<f>({0}))
def <f>(<xs+list[str]>):
    try:
        for <x+str> in <xs>:
            if <?x>:
                return
            yield <=str>
    finally:
        print('<done|closed|end>', len(<xs>))

# generator # send
list[int] -> list[int] : <f>({0})
def <g>():
    <t.int> = 0
    while True:
        <x+int> = yield <t>
        <t> += <=int>

def <f>(<xs+list[int]>):
    <r.any> = <g>()
    next(<r>)
    return [<r>.send(<x.int>) for <x> in <xs>]

# generator # generator expression
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    <r.any> = (x * <2|3|x> for x in <xs>)
    <t.int> = next(<r>, <!small>)
    return <t> + sum(<r>)

# generator # zip # iter
str -> list[str] : list(<f>({0}))
def <f>(<s+str>):
    <it.any> = iter(<s>)
    for <c+char> in <it>:
        yield <c> + next(<it>, <!fill>)

# generator # StopIteration # try
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    <it.any> = iter(<xs>)
    <t.int> = <0|1>
    while True:
        try:
            <x+int> = next(<it>)
        except StopIteration:
            break
        <t> += <=int>
    return <t>
"""
