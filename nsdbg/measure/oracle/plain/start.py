"""The script that a fresh interpreter runs: loads the worker by its path, and lets it answer."""

# It runs on 3.8.

import importlib
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "_nsdbg_oracle"


def main() -> None:
    """Answer the requests on standard input until it ends."""
    # This folder is no place for the target to import from.
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != HERE]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE]
    )
    assert spec is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    importlib.import_module(NAME + ".serve").main()


if __name__ == "__main__":
    main()
