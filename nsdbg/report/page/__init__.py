"""Findings as one self-contained HTML page."""

from nsdbg.report.page.document import html_page

__all__ = ["html_page"]
