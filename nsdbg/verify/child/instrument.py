"""Rewrites a module's tree so that its functions tell a Meter how near each condition was.

What the functions compute, in which order, and what they raise stays as it is; line numbers stay.
Not a tracer: only conditions, returns and the lines a goal names are reported.  Three liberties:
`all` and `any` over harmless elements go on after they are decided; in a ghost run (a goal about a
returned value) the entry goes on after a failed assertion or an unwanted constant, to measure the
rest, and ends as it would have; tracebacks gain frames of this package.
"""

import ast

METER = "__nsdbg_meter__"
_PREDICATES = ("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower",
               "isspace", "isnumeric", "isdecimal", "isidentifier", "isascii")  # fmt: skip
# What changes something when called, so that calling it more often is not harmless.
_MUTATORS = ("append", "add", "pop", "popitem", "remove", "discard", "insert", "extend", "update",
             "clear", "sort", "reverse", "setdefault", "popleft", "appendleft", "send", "write",
             "read", "readline", "next", "input", "print", "setattr", "delattr")  # fmt: skip
_PASSING = ("enumerate", "zip", "reversed", "sorted")
_LOOKING = ("index", "remove", "rindex")
_OPEN = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_REGISTERED = "_nsdbg_registered"


def _call(name, arguments, like):
    """Build `__nsdbg_meter__.name(arguments)` at the place of another node."""
    meter = ast.Name(METER, ast.Load())
    call = ast.Call(ast.Attribute(meter, name, ast.Load()), arguments, [])
    return _placed(call, like)


def _placed(node, like):
    """Give `node` and what was made with it the place of `like`; other nodes keep theirs."""
    for part in ast.walk(node):
        if isinstance(part, (ast.expr, ast.stmt)) and not hasattr(part, "lineno"):
            ast.copy_location(part, like)
    return node


def _registered(node):
    """Mark an expression that leaves its condition's distances in the meter."""
    setattr(node, _REGISTERED, True)
    return node


def _contains(node, kinds):
    return any(isinstance(part, kinds) for part in ast.walk(node))


def _harmless(node):
    """Tell whether evaluating an expression once more than needed would change nothing."""
    for part in ast.walk(node):
        if isinstance(part, _OPEN):
            return False
        if isinstance(part, ast.Call):
            name = getattr(part.func, "attr", getattr(part.func, "id", None))
            if name in _MUTATORS or name is None:
                return False
    return True


class Place(object):
    """A line of the goal's chain in this module.

    `last` places take the locals along, and `where` are parsed expressions to evaluate there;
    `returns` is set instead of a line when the goal is what the function gives back.
    """

    def __init__(self, index, function, lineno, last=False, where=(), returns=False):
        self.index = index
        self.function = function
        self.lineno = lineno
        self.last = last
        self.where = where
        self.returns = returns
        self.guards = None


class Instrumenter(ast.NodeTransformer):
    """Rewrites one module.

    `places` are the goal's in this module.  `ghost` names the entry (qualified) when its goal is
    about a returned value; `unwanted` is the constant that such a goal does not want: True, False
    or None when it wants neither.  Afterwards `sites` maps each condition to its line, and each
    place has as `guards` the conditions that lead to it.
    """

    def __init__(self, places=(), ghost=None, unwanted=None, quantifiers=True):
        self.places = places
        self.ghost = ghost
        self.unwanted = unwanted
        self.quantifiers = quantifiers
        self.sites = []
        self.prefix = ""
        self.function = None
        self.haunted = False
        self.guards = []
        self.constants = []

    def site(self, node):
        """Number a condition; `sites` maps the number to its line."""
        self.sites.append(node.lineno)
        return ast.Constant(len(self.sites) - 1, kind=None)

    # Conditions.

    def condition(self, node):
        """Rewrite an expression whose truth is going to be asked for."""
        written = self.visit(node)
        if getattr(written, _REGISTERED, False):
            return written
        if isinstance(written, ast.Name):
            arguments = [ast.Constant(written.id, kind=None), written]
            return _registered(_call("local", arguments, node))
        if isinstance(node, ast.Call):
            return _registered(_call("called", [_call("fresh", [], node), written], node))
        return _registered(_call("truth", [written], node))

    def visit_Compare(self, node):
        names = [type(operator).__name__ for operator in node.ops]
        if any(_is_length(part) for part in [node.left, *node.comparators]):
            names = ["#" + name for name in names]
        if len(names) > 1 and any(_contains(part, _OPEN) for part in node.comparators[1:]):
            return self.generic_visit(node)
        sites = [self.site(node) for _ in names]
        harmless = all(map(_harmless, node.comparators[1:]))
        operands = [self.visit(part) for part in [node.left] + node.comparators]
        if len(names) == 1:
            arguments = [sites[0], ast.Constant(names[0], kind=None)] + operands
            return _registered(_call("compare", arguments, node))
        later = [ast.Lambda(_no_arguments(), part) for part in operands[2:]]
        words = [ast.Constant(name, kind=None) for name in names]
        arguments = [ast.Constant(harmless, kind=None)]
        arguments += [ast.Tuple(sites, ast.Load()), ast.Tuple(words, ast.Load())]
        return _registered(_call("chained", arguments + operands[:2] + later, node))

    def visit_BoolOp(self, node):
        if any(_contains(part, _OPEN) for part in node.values[1:]):
            return self.generic_visit(node)
        word = "conjunction" if isinstance(node.op, ast.And) else "disjunction"
        flags = [ast.Constant(_harmless(part), kind=None) for part in node.values[1:]]
        first, rest = self.condition(node.values[0]), node.values[1:]
        later = [ast.Lambda(_no_arguments(), self.condition(part)) for part in rest]
        arguments = [ast.Tuple(flags, ast.Load()), first] + later
        return _registered(_call(word, arguments, node))

    def visit_UnaryOp(self, node):
        if not isinstance(node.op, ast.Not):
            return self.generic_visit(node)
        return _registered(_call("negate", [self.condition(node.operand)], node))

    def visit_IfExp(self, node):
        node.test = self.condition(node.test)
        node.body = self.condition(node.body)
        node.orelse = self.condition(node.orelse)
        return _registered(node)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        plain = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
        if plain and isinstance(node.func, ast.Name) and name in ("all", "any"):
            if (
                self.quantifiers
                and len(node.args) == 1
                and isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp))
            ):
                return self._quantifier(node, name)
        if plain and isinstance(node.func, ast.Attribute) and name in _PREDICATES:
            parts = [self.visit(part) for part in [node.func] + node.args]
            return _registered(_call("predicate", [self.site(node)] + parts, node))
        converts = isinstance(node.func, ast.Name) and name in ("int", "float")
        looks = isinstance(node.func, ast.Attribute) and name in _LOOKING
        if plain and node.args and (converts or looks):
            parts = [self.visit(part) for part in [node.func] + node.args]
            return _call("call", [self.site(node)] + parts, node)
        return self.generic_visit(node)

    def visit_Subscript(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        key = getattr(node.slice, "value", node.slice) if _is_index(node.slice) else node.slice
        if isinstance(key, (ast.Tuple, ast.Slice)) or type(key).__name__ == "ExtSlice":
            return node
        return _call("item_of", [self.site(node), node.value, key], node)

    def _quantifier(self, node, name):
        """Rewrite `all` or `any` over a comprehension.

        `quantifiers` is off for modules that bind `all` or `any` themselves.
        """
        inner = node.args[0]
        if _contains(inner, _OPEN):
            return self.generic_visit(node)
        flags = [isinstance(inner, ast.GeneratorExp), _harmless(inner)]
        element = _call("item", [self.condition(inner.elt)], inner.elt)
        loops = [self.visit(loop) for loop in inner.generators]
        _measured(loops[0])
        written = ast.copy_location(ast.GeneratorExp(element, loops), inner)
        arguments = [_call("mark", [], node), written]
        arguments += [ast.Constant(flag, kind=None) for flag in flags]
        return _registered(_call("every" if name == "all" else "some", arguments, node))

    def visit_NamedExpr(self, node):
        node.value = self.condition(node.value)
        return _registered(node)

    # Statements.

    def visit_Assign(self, node):
        truth = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call)
        simple = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        if not simple or not isinstance(node.value, truth):
            return self.generic_visit(node)
        name = ast.Constant(node.targets[0].id, kind=None)
        node.value = _call("keep", [name, self.condition(node.value)], node.value)
        return node

    def _branch(self, node):
        site = self.site(node)
        node.test = _call("branch", [site, self.condition(node.test)], node.test)
        return site.value

    def visit_If(self, node):
        leaves_body, leaves_else = _leaves(node.body), _leaves(node.orelse)
        site = self._branch(node)
        node.body = self._guarded(node.body, [(site, True, False)])
        node.orelse = self._guarded(node.orelse, [(site, False, False)])
        if leaves_body != leaves_else:
            # The rest of the block is reached by the other arm only.
            self.guards.append((site, leaves_else, True))
        return node

    def visit_While(self, node):
        visits = self._visits(node)
        site = self._branch(node)
        if visits:
            node.test = _call("second", [visits[0].value, node.test], node.test)
        node.body = self._guarded(node.body, [(site, True, False)])
        node.orelse = self._guarded(node.orelse, [])
        return node

    def visit_For(self, node):
        node.iter = self.visit(node.iter)
        again = self._visits(node)
        tick = _placed(ast.Expr(_call("tick", [], node)), node)
        node.body = [tick, *self._guarded(node.body, []), *again]
        node.orelse = self._guarded(node.orelse, [])
        return node

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        node.items = [self.visit(item) for item in node.items]
        node.body = self._guarded(node.body, [])
        return node

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        node.body = self._guarded(node.body, [])
        for handler in node.handlers:
            handler.body = self._guarded(handler.body, [])
        node.orelse = self._guarded(node.orelse, [])
        node.finalbody = self._guarded(node.finalbody, [])
        return node

    visit_TryStar = visit_Try

    def _guarded(self, body, guards):
        outer = self.guards
        self.guards = outer + guards
        try:
            return self.statements(body)
        finally:
            self.guards = outer

    def statements(self, body):
        """Rewrite a block; a statement may become several."""
        written = []
        for statement in body:
            if not isinstance(statement, ast.While):
                written += self._visits(statement)
            result = self.visit(statement)
            written += result if isinstance(result, list) else [result]
        return written

    def _visits(self, statement):
        """Build the reports of the places whose line lies in a statement's own lines."""
        first, last = _own_lines(statement)
        found = []
        for place in self.places:
            if place.returns or place.lineno is None or not first <= place.lineno <= last:
                continue
            if place.function == self.function or self.function is None:
                place.guards = tuple((site, taken) for site, taken, _ in self.guards)
                found.append(ast.Expr(_visit(place, statement)))
        return [_placed(visit, statement) for visit in found]

    def visit_Assert(self, node):
        site = self.site(node)
        node.test = _call("check", [site, self.condition(node.test)], node.test)
        return node

    def visit_Return(self, node):
        if node.value is None:
            return node
        value = node.value
        if isinstance(value, ast.Constant) and value.value is not None:
            return self._constant(node, value)
        self.constants.append((None, None, list(self.guards)))
        node.value = _call("result", [self.condition(value)], value)
        landing = self._landing()
        if landing is not None:
            arguments = [ast.Constant(landing.index, kind=None), node.value]
            node.value = _call("landed", arguments, value)
        return node

    def _landing(self):
        found = [place for place in self.places if place.returns]
        return found[0] if found and found[0].function == self.function else None

    def _constant(self, node, value):
        around = [guard for guard in self.guards if not guard[2]]
        guards = ast.Tuple([_guard(site, taken) for site, taken, _ in around], ast.Load())
        self.constants.append((value.value, guards, list(self.guards)))
        if self.haunted and around and value.value is self.unwanted:
            arguments = [self.site(node), ast.Constant(value.value, kind=None), guards]
            return _placed(ast.If(_call("leaves", arguments, node), [node], []), node)
        node.value = _call("constant", [value, guards], value)
        return node

    def _link_constants(self):
        """Let each returned constant know the tests that would have led to another one."""
        for value, guards, _ in self.constants:
            for other, _, path in self.constants:
                if guards is not None and other is not value and path:
                    site, taken, _ = path[-1]
                    guards.elts.append(_placed(_guard(site, not taken, True), guards))

    # Functions.

    def visit_FunctionDef(self, node):
        outer = self.prefix, self.function, self.haunted, self.guards, self.constants
        qualname = self.prefix + node.name
        self.prefix, self.function = qualname + ".<locals>.", node.name
        self.haunted = qualname == self.ghost and _is_plain(node)
        self.guards, self.constants = [], []
        document = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = self.statements(node.body[len(document) :])
        self._link_constants()
        if self.haunted and body:
            body = _haunted_body(body)
        node.body = document + body
        self.prefix, self.function, self.haunted, self.guards, self.constants = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        outer, self.prefix = self.prefix, self.prefix + node.name + "."
        node.body = [self.visit(part) if isinstance(part, _DEFINITIONS) else part
                     for part in node.body]  # fmt: skip
        self.prefix = outer
        return node

    def visit_Match(self, node):
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.body = self._guarded(case.body, [])
        return node


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _is_length(node):
    """Tell whether an expression is a length, whose distance is a count of elements."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"


def _measured(loop):
    """Let the size of what a loop goes over be noted, inside `enumerate` and `zip` too."""
    inner = loop.iter
    builtin = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in _PASSING
    if builtin and inner.args and not isinstance(inner.args[0], ast.Starred):
        size = len(inner.args) if inner.func.id == "zip" else 1
        for index in range(size):
            if not isinstance(inner.args[index], ast.Starred):
                inner.args[index] = _call("sized", [inner.args[index]], inner.args[index])
    else:
        loop.iter = _call("sized", [inner], inner)


def _is_index(node):
    # Python 3.8 wraps a plain index.
    return type(node).__name__ == "Index"


def _no_arguments():
    return ast.arguments([], [], None, [], [], None, [])


def _is_plain(node):
    """Tell whether a function is neither a coroutine nor a generator."""
    if isinstance(node, ast.AsyncFunctionDef):
        return False
    return not _contains(node, (ast.Yield, ast.YieldFrom))


def _leaves(body):
    """Tell whether a block ends by leaving the block around it."""
    leaving = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return bool(body) and isinstance(body[-1], leaving)


def _own_lines(statement):
    """Return the first and last line of a statement, without the blocks inside it."""
    first, last = statement.lineno, getattr(statement, "end_lineno", None) or statement.lineno
    for decorator in getattr(statement, "decorator_list", ()):
        first = min(first, decorator.lineno)
    inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if isinstance(inner, list) and inner and hasattr(inner[0], "lineno"):
        last = max(first, inner[0].lineno - 1)
    return first, last


def _visit(place, like):
    arguments = [ast.Constant(place.index, kind=None)]
    if place.last:
        arguments.append(ast.Call(ast.Name("locals", ast.Load()), [], []))
        tests = [ast.Lambda(_no_arguments(), Instrumenter().condition(_copied(expression, like)))
                 for expression in place.where]  # fmt: skip
        arguments.append(ast.Tuple(tests, ast.Load()))
    return _call("visit", arguments, like)


def _copied(text, like):
    expression = ast.parse(text, mode="eval").body
    for part in ast.walk(expression):
        if hasattr(part, "lineno"):
            ast.copy_location(part, like)
    return expression


def _guard(site, taken, nearest=False):
    parts = [ast.Constant(part, kind=None) for part in (site, taken, nearest)]
    return ast.Tuple(parts, ast.Load())


def _haunted_body(body):
    """Let a body live on after a failed check, and then end as it would have."""
    enter = ast.Expr(_call("enter", [], body[0]))
    settle = ast.If(_call("settled", [], body[0]), [ast.Return(_call("settle", [], body[0]))], [])
    written = [enter, ast.Try(body, [], [], [settle])]
    return [_placed(part, body[0]) for part in written]
