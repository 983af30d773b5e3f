"""Where `files` must speak, and where it must stay silent."""

import os
import os.path as paths
from pathlib import Path


def propose_a_file():
    with open("peg.txt", "w") as file:
        file.write("3")


def propose_a_listing():
    return os.listdir(".")


def propose_a_method_of_a_path():
    Path("peg.txt").write_text("3")


def silent_a_path_as_text():
    return paths.join("a", os.path.basename("b/c"))


def silent_a_method_named_open():
    class Door(object):
        def open(self):
            return 3

    return Door().open()
