"""Triage: the new crashes of a change, each one run in both versions."""

from nsdbg.triage.flow import Allowance, triage

__all__ = ["Allowance", "triage"]
