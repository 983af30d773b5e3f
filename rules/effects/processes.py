"""Where `processes` must speak, and where it must stay silent."""

import os
import subprocess


def propose_a_command():
    return subprocess.run(["true"])


def propose_a_shell():
    return os.system("true")


def silent_an_exception_class():
    return subprocess.CalledProcessError(1, "true").returncode
