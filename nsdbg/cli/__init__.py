"""The command line: `nsdbg COMMAND`.

Starts the command and turns our errors into one line and an exit code.  The commands themselves are
in the neighbouring modules, and `root` is what they hang on; typer is loaded only with that, so
that `nsdbg --version` is instant.
"""

from __future__ import annotations

import io
import sys

TYPE_CHECKING = False  # `typing` takes long to import
if TYPE_CHECKING:
    from nsdbg.cli.root import app

__all__ = ["app", "main"]


def __getattr__(name: str) -> object:
    if name == "app":
        from nsdbg.cli import root

        return root.app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> None:
    """Run the command line; an error of ours is one message on stderr and its exit code."""
    if sys.argv[1:] == ["--version"]:
        import nsdbg

        print(f"nsdbg {nsdbg.__version__}")
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What the encoding of a console lacks is spelled out, as Python does it on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    import typer

    from nsdbg.cli.root import app
    from nsdbg.errors import NsdbgError

    if sys.argv[1:2] != ["run"]:  # what that runs has signals of its own
        _heed_signals()
    try:
        app()
    except NsdbgError as error:
        typer.echo(f"nsdbg: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("nsdbg: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and nothing may be said at exit.
        sys.stderr.close()
        sys.exit(141)
    except Exception:
        # 1 would say that something was found.
        import traceback

        traceback.print_exc()
        typer.echo("nsdbg: this is a mistake in nsdbg; the lines above say where", err=True)
        sys.exit(2)


def _heed_signals() -> None:
    """Let a terminated command remove its scratch folders, as one that ends otherwise does."""
    import signal

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
            signal.signal(number, end)
