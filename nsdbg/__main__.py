"""`python -m nsdbg COMMAND`: the command line, where no script is on the path."""

from nsdbg.cli import main

if __name__ == "__main__":
    main()
