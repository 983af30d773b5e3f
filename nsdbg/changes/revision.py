"""Which commit a change is held against, and what to say when it is not here."""

from __future__ import annotations

from nsdbg.changes.changed import Since
from nsdbg.changes.repository import Repository
from nsdbg.errors import ChangeError


def base_of(repository: Repository, since: Since) -> str:
    """Return the commit against which a change since a revision is held.

    Raises ChangeError for a revision that is not here, and where no common commit is.
    """
    wanted = _commit(repository, since.revision)
    if not since.merge_base or repository.commit is None:
        return wanted
    code, text, said = repository.git.ask("merge-base", wanted, repository.commit)
    if code == 0:
        return text.decode("ascii").split()[0]
    if repository.shallow:
        raise ChangeError(
            f"this clone is shallow: the commit that {since.revision} and HEAD have in common is "
            f"not in it. {_DEEPER}"
        )
    raise ChangeError(
        f"{since.revision} and HEAD have no commit in common"
        + (f": {said}" if said else "; name a revision that HEAD comes from")
    )


_DEEPER = (
    "Fetch more of the history: `git fetch --unshallow`, or `fetch-depth: 0` for "
    "actions/checkout, or `GIT_DEPTH: 0` for GitLab"
)


def _commit(repository: Repository, revision: str) -> str:
    if not revision.strip():
        raise ChangeError(
            "the revision is empty: the variable that it was to come from may have no value"
        )
    if ".." in revision:
        raise ChangeError(f"{revision} is a range; name the one revision that is the old version")
    code, text, said = repository.git.ask(
        "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"
    )
    if code == 0:
        return text.decode("ascii").strip()
    if repository.shallow:
        raise ChangeError(f"{revision} is not in this clone, which is shallow. {_DEEPER}")
    hint = "fetch it first" if "/" in revision else "name a branch, a tag or a commit"
    raise ChangeError(f"there is no revision {revision} here ({said}); {hint}")
