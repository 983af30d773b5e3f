"""Findings in the formats that other tools read: one module a format.

Each is a function of `Findings` alone, the same text for the same findings, every line ended.
`outputs` writes them where `--output FORMAT=PATH` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from nsdbg.finding import Findings


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the module and the function that write it, and a file's name when none is given.

    `about` is what it is for, in a few words for `--help`.
    """

    module: str
    function: str
    default_name: str
    about: str

    def __call__(self, found: Findings) -> str:
        """Return findings in this format; only now its module is loaded."""
        module = import_module(f"{__name__}.{self.module}")
        return cast("Callable[[Findings], str]", getattr(module, self.function))(found)


FORMATS: Mapping[str, Format] = {
    "text": Format("text", "findings_text", "nsdbg.txt", "for a person"),
    "json": Format("document", "json_document", "nsdbg.json", "nsdbg.findings/1, everything"),
    "json-lines": Format("document", "json_lines", "nsdbg.jsonl", "the same, a finding a line"),
    "github": Format("github", "github_annotations", "nsdbg-github.txt", "annotations of a job"),
    "gitlab": Format("gitlab", "code_quality", "gl-code-quality-report.json", "Code Quality"),
    "junit": Format("junit", "junit_xml", "nsdbg-junit.xml", "a test report"),
    "sarif": Format("sarif", "sarif_text", "nsdbg.sarif", "for GitHub's code scanning"),
    "sarif-full": Format(
        "sarif", "sarif_with_accepted", "nsdbg-full.sarif", "with what is accepted, as suppressed"
    ),
    "markdown": Format("markdown", "markdown_text", "nsdbg.md", "for a pull request"),
}
