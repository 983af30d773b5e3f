"""Simple classes, and functions that use an object of them."""

TABLE = r"""
# class *2
list[int] -> int : <f>({0})
class <C>:
    def __init__(self, <n+int>=0):
        <self.t.int> = <n>

    def <g>(self, <x+int>):
        if <?x>:
            <t> += <=int>
        return <x>

def <f>(<xs+list[int]>):
    <o.any> = <C>(<!small>)
    for <x+int> in <xs>:
        <o>.<g>(<x>)
    return <o><.t>

# class *2
list[str] -> list[str] : <f>({0})
class <C>:
    def __init__(self, <items.list[str]>):
        <self.t.list[str]> = <list|sorted>(<items>)

    def <g>(self, <x+str>):
        if <x> not in <t>:
            <t>.append(<=str>)
            return True
        return False

    def <h>(self):
        return <t>.pop() if <t> else <!str>

def <f>(<ws+list[str]>):
    <o.any> = <C>(<ws>[:<1|2|3>])
    for <w+str> in <ws>:
        if not <o>.<g>(<w>):
            <o>.<h>()
    return <o><.t>

# class # repr # eq
int; int -> str : <f>({0}, {1})
class <C>:
    def __init__(self, <a.int>, <b.int>):
        <self.p+int> = <a>
        <self.q+int> = <b>

    def <g>(self, <k+int>):
        return <C>(<=int>, <=int>)

    def __eq__(self, other):
        return <p> == other<.p>

    def __repr__(self):
        return f'<C>({<p>}, {<q>})'

def <f>(<a+int>, <b+int>):
    <o.any> = <C>(<a>, <b>)
    <r.any> = <o>.<g>(<=int>)
    if <o> == <r>:
        return 'same'
    return repr(<r>)

# class # len # iter
str -> list[str] : <f>({0})
class <C>:
    def __init__(self, <s+str>):
        <self.t+list[str]> = <s>.split(<|','|' '>)

    def __len__(self):
        return len(<t>)

    def __iter__(self):
        return iter(<t>)

    def __contains__(self, <w+str>):
        return <w> in <t>

def <f>(<s+str>):
    <o.any> = <C>(<s>)
    if <!sub> in <o>:
        return <[]|['found']>
    return [<w.str><[::-1]|.upper()|> for <w> in <o>][:len(<o>) - <0|1>]

# class # inheritance # super
int -> str : <f>({0})
class <C>:
    def __init__(self, <n+int>):
        <self.p+int> = <n>

    def <g>(self):
        return <=int>

class <D>(<C>):
    def __init__(self, <n+int>, <s+str>=<!affix>):
        super().__init__(<=int>)
        self.tag = <s>

    def <g>(self):
        return super().<g>() <+|*|-> <!small>

def <f>(<n+int>):
    <o.any> = <D>(<n>)
    return f'{<o>.<g>()}'

# class # override
str -> str : <f>({0})
class <C>:
    def <g>(self, <s+str>):
        return <=str>

class <D>(<C>):
    def <g>(self, <t+str>):
        if <?t>:
            return super().<g>(<t>)
        return <=str>

def <f>(<s+str>):
    <out.list[str]> = []
    for <o.any> in [<C>(), <D>()]:
        <out>.append(<o>.<g>(<s>))
    return <!sep>.join(<out>)

# class # property
int -> int : <f>({0})
class <C>:
    def __init__(self, <n+int>):
        <self.p+int> = <n>

    @property
    def <g>(self):
        return <=int>

def <f>(<n+int>):
    <o.any> = <C>(<n>)
    <o><.p> <+|-|*>= <!small>
    return <o>.<g> - <n>

# class # class attribute # state
list[str] -> int : <f>({0})
class <C>:
    made = 0

    def __init__(self, <s+str>):
        <self.p+str> = <s>
        <C>.made += <1|2|3>

def <f>(<ws+list[str]>):
    <os.any> = [<C>(<w.str>) for <w> in <ws>]
    return <C>.made % 50 + len(<os>)

# class # classmethod # staticmethod
str -> str : <f>({0})
class <C>:
    def __init__(self, <s+str>):
        <self.p+str> = <s>

    @classmethod
    def <g>(cls, <t+str>):
        return cls(<=str>)

    @staticmethod
    def <h>(<t+str>):
        return <=str>

def <f>(<s+str>):
    <o.any> = <C>.<g>(<s>)
    return <C>.<h>(<o><.p>)

# class # with *2
str -> list[str] : <f>({0})
class <C>:
    def __init__(self, <s+str>):
        <self.p+str> = <s>
        <self.t.list[str]> = []

    def __enter__(self):
        <t>.append('<in|open|start>')
        return <t>

    def __exit__(self, kind, value, trace):
        <t>.append(<'out'|'close'|str(value)>)
        return <kind is not None|False|kind is ValueError>

def <f>(<s+str>):
    <o.any> = <C>(<s>)
    with <o> as <r.list[str]>:
        <r>.append(<=str>)
        if <?s>:
            <r>.append(str(int(<s>)))
    return <r>

# class # setattr # hasattr
dict[str, int] -> list[str] : <f>({0})
class <C>:
    pass

def <f>(<d+dict[str, int]>):
    <o.any> = <C>()
    for <k+str>, <v+int> in <d>.items():
        setattr(<o>, <k>, <=int>)
    return sorted(vars(<o>)) + [str(hasattr(<o>, <!sub>))]

# class # linked list
list[int] -> list[int] : <f>({0})
class <C>:
    def __init__(self, <x+int>, <n.any>=None):
        <self.v+int> = <x>
        self.next = <n>

def <f>(<xs+list[int]>):
    <o.any> = None
    for <x+int> in <xs>:
        <o> = <C>(<=int>, <o>)
    <out.list[int]> = []
    while <o> is not None:
        <out>.append(<o><.v>)
        <o> = <o>.next
    return <out>

# class # getitem
str -> str : <f>({0})
class <C>:
    def __init__(self, <s+str>):
        <self.t.dict[int, str]> = dict(enumerate(<s>))

    def __getitem__(self, <i.int>):
        return <t>[<i>] if <i> in <t> else <!fill>

    def __setitem__(self, <i.int>, <c.str>):
        <t>[<i>] = <c>

def <f>(<s+str>):
    <o.any> = <C>(<s>)
    <o>[<0|1|2>] = <!fill>
    return <o>[0] + <o>[<1|2|9>]

# class # call # add
list[int] -> list[int] : <f>({0})
class <C>:
    def __init__(self, <k+int>):
        <self.p+int> = <k>

    def __call__(self, <x+int>):
        return <=int>

    def __add__(self, other):
        return <C>(<p> + other<.p>)

def <f>(<xs+list[int]>):
    <o.any> = <C>(<!small>) + <C>(<!small>)
    return list(map(<o>, <xs>))
"""
