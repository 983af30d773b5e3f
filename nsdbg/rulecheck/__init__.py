"""Rules judged by running their programs: true where they speak, silent where they must be."""

from nsdbg.rulecheck.check import RuleReport, check_everywhere, check_rules, refuse_strays
from nsdbg.rulecheck.trial import Outcome, Standing

__all__ = ["Outcome", "RuleReport", "Standing", "check_everywhere", "check_rules", "refuse_strays"]
