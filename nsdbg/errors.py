"""The errors a user can meet: each a leaf with a slug and an exit code.

Not for failures of the debugged program: those are data, a `Reason` of `nsdbg.claim`.
"""


class NsdbgError(Exception):
    """What every error of ours is; the message names the thing, its value and the next step."""

    slug = "error"
    exit_code = 2


class UsageError(NsdbgError):
    """An option or an argument that cannot be used as given."""

    slug = "usage"


class StateError(NsdbgError):
    """A STATE that is not JSON, or has a field that is unknown or of the wrong kind."""

    slug = "bad-state"


class SourceError(NsdbgError):
    """A file, a function or a line that is not there, or source that does not parse."""

    slug = "no-source"


class CrashLogError(NsdbgError):
    """A log that cannot be opened or decoded."""

    slug = "bad-log"


class NoCrashFound(NsdbgError):
    """A log that was read to its end and holds no crash."""

    slug = "no-crash"
    exit_code = 1


class RuleError(NsdbgError):
    """A rule file that does not parse, lacks a field or has no paired program."""

    slug = "bad-rule"


class ProposalError(NsdbgError):
    """A line of a proposals file that is not a proposal."""

    slug = "bad-proposal"


class EpisodeError(NsdbgError):
    """A line of a trace corpus that is no episode, or of another version."""

    slug = "bad-episode"


class CorpusError(NsdbgError):
    """A corpus that cannot be recorded, written or read as asked."""

    slug = "bad-corpus"


class ModelError(NsdbgError):
    """A model that is missing, damaged or of another version, or that cannot be run here."""

    slug = "bad-model"


class InterpreterError(NsdbgError):
    """A target interpreter that is not there, is too old or does not start."""

    slug = "bad-interpreter"


class GuardError(NsdbgError):
    """A guard that cannot be set up as asked."""

    slug = "no-guard"


class ChangeError(NsdbgError):
    """A change that cannot be read: no git, a revision that is not here, a broken index."""

    slug = "bad-change"


class BaselineError(NsdbgError):
    """A baseline that is broken, of another version, or being written by somebody else."""

    slug = "bad-baseline"


class JUnitError(NsdbgError):
    """A test report (JUnit XML) that is cut off, too large or not one."""

    slug = "bad-test-report"


class SettingsError(NsdbgError):
    """A configuration with a key that is unknown, refused there, or has a value of a wrong kind."""

    slug = "bad-settings"
