"""What a change touches: two versions of a tree on disk, and the functions that differ in them."""

from nsdbg.changes.changed import Changed, ChangeSet, Files, Since, Staged
from nsdbg.changes.opening import open_changes

__all__ = ["ChangeSet", "Changed", "Files", "Since", "Staged", "open_changes"]
