"""The proposer "search": typed guesses first, then small changes of what came nearest."""

from nsdbg.propose.search.session import SearchProposer

__all__ = ["SearchProposer"]
