"""The options of the pytest plugin, as data: for pytest's command line and for [tool.nsdbg.pytest].

The commands' own options are read off the commands; pytest has its own way to declare them.
"""

from nsdbg.settings.known import Kind, Option

PYTEST = (
    Option("budget", "budget", Kind.NUMBER, minimum=0.1, default=5.0),
    Option("total-budget", "total_budget", Kind.NUMBER, minimum=0.1, default=60.0),
    Option("top", "top", Kind.INTEGER, minimum=1, default=3),
    Option("no-exec", "no_exec", Kind.FLAG, default=False),
)
