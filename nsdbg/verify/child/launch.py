"""The launcher: takes a plan, applies the guard's layers to itself, becomes the target's Python.

Runs under nsdbg's own interpreter with `-I -S`, so that nothing of the target has run before the
kernel's layers hold.  Not imported by anything: it is a script.
"""

import json
import os
import resource
import sys


def main():
    """Apply the plan in `argv[1]` (JSON) and exec the command that follows it."""
    plan = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (plan["memory_bytes"],) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (plan["file_bytes"],) * 2)
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
