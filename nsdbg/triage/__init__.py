"""Triage: the new crashes of a change, each one run in both versions."""

from nsdbg.triage.flow import Allowance, Stopped, triage

__all__ = ["Allowance", "Stopped", "triage"]
