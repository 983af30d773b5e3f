"""Functions that raise, catch, raise again, clean up or let through."""

TABLE = r"""
# raise # try # except ValueError *2
str -> int : <f>({0})
def <g>(<s+str>):
    if <?s>:
        raise ValueError(<'bad'|'invalid'|'no'>)
    return <=int>

def <f>(<t+str>):
    try:
        return <g>(<t>)
    except ValueError<| as e>:
        return <!small>

# raise # try # except as
str -> str : <f>({0})
def <f>(<s+str>):
    try:
        if <?s>:
            raise <KeyError|ValueError|TypeError>(<s>)
        return <=str>
    except (KeyError, ValueError) as <e.any>:
        return f'error: {<e>}'
    except TypeError as <e>:
        return type(<e>).__name__

# raise # custom exception # try *2
list[int] -> int : <f>({0})
class <C>Error(<Exception|ValueError|KeyError>):
    pass

def <g>(<x+int>):
    if <?x>:
        raise <C>Error(<x>)
    return <=int>

def <f>(<xs+list[int]>):
    <t.int> = 0
    for <x+int> in <xs>:
        try:
            <t> += <g>(<x>)
        except <C>Error as <e.any>:
            <t> -= <e>.args[0]
    return <t>

# raise # re-raise # try *2
str -> int : <f>({0})
def <g>(<s+str>):
    try:
        return int(<s>)
    except ValueError:
        if <?s>:
            raise
        return <!small>

def <f>(<t+str>):
    try:
        return <g>(<t>) + <!small>
    except ValueError:
        return <-1|0|10>

# try # finally # print
list[int]; int -> int : <f>({0}, {1})
def <f>(<xs+list[int]>, <i+int>):
    <t.int> = <0|1>
    try:
        <t> = <xs>[<i> % 4]
    except IndexError:
        <t> = <!int>
    finally:
        print('<done|end|finally>', <t>)
    return <t>

# try # finally # return in finally
str -> str : <f>({0})
def <f>(<s+str>):
    <out.list[str]> = []
    try:
        <out>.append(<s>[<0|1|2>])
    except IndexError:
        <out>.append(<!str>)
    else:
        <out>.append(<=str>)
    finally:
        <out>.append('end')
    return '<|-|,>'.join(<out>)

# try # finally # for # continue
list[str] -> list[int] : <f>({0})
def <f>(<ws+list[str]>):
    <out.list[int]> = []
    for <w+str> in <ws>:
        try:
            <n+int> = int(<w>)
        except ValueError:
            <continue|break>
        finally:
            <out>.append(len(<w>))
        <out>.append(<=int>)
    return <out>

# raise # raise from # try
dict[str, int]; str -> int : <f>({0}, {1})
def <g>(<d+dict[str, int]>, <k+str>):
    try:
        return <d>[<k>]
    except KeyError as <e.any>:
        raise ValueError('no ' + <k>) from <e>

def <f>(<d+dict[str, int]>, <k+str>):
    try:
        return <g>(<d>, <k>)
    except ValueError:
        return <!small>

# try # nested try
list[str] -> int : <f>({0})
def <f>(<ws+list[str]>):
    <t.int> = 0
    for <w+str> in <ws>:
        try:
            try:
                <t> += int(<w>)
            except ValueError:
                <t> += 10 // len(<w>.strip(<!chars>))
        except ZeroDivisionError:
            <t> -= 1
    return <t>

# uncaught # raise # guard
list[int] -> int : <f>({0})
def <f>(<xs.list[int]>, <i.int>=0):
    if len(<xs>) > <7|8|9>:
        raise <ValueError|IndexError>('too long')
    return <xs>[<i>]

# uncaught # stack
dict[str, int]; sub -> int : <f>({0}, {1})
def <g>(<d+dict[str, int]>, <k+str>):
    <v+int> = <d>[<k>]
    return <=int>

def <f>(<d+dict[str, int]>, <k+str>):
    if len(<d>) > <2|3>:
        <k> = <min|max>(<d>)
    if <k> not in <d>:
        <d>[<k>] = <!small>
    return <g>(<d>, <k>)

# assert
list[int] -> int : <f>({0})
def <f>(<xs+list[int]>):
    <t+int> = sum(<xs>)
    assert <t> < <500000|1000000>, <'too much'|'limit'>
    return <=int>

# try # else # while # retry
int -> int : <f>({0})
def <f>(<n+int>):
    <k.int> = <2|3>
    while True:
        try:
            <x+int> = 100 // (<n> % 3 - <k> + 1)
        except ZeroDivisionError:
            <k> -= 1
        else:
            return <=int>
"""
