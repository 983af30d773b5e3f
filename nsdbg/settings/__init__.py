"""Settings: what [tool.nsdbg] and the user's own file say, and where each value comes from.

`find` the files, `read` each against what is `known`, with `trust` for the project's own, and say
what is in `force`.  Commands do not ask here: their options' defaults are filled by `cli`.
"""

from nsdbg.settings.find import File, Owner, user_path
from nsdbg.settings.force import InForce, Settings, load
from nsdbg.settings.known import Given, Kind, Known, Option, Words
from nsdbg.settings.read import Setting

__all__ = [
    "File", "Given", "InForce", "Kind", "Known", "Option", "Owner", "Setting", "Settings", "Words",
    "load", "user_path",
]  # fmt: skip
