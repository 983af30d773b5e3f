"""Logged frames are mapped to files and lines below the roots, and to no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport, FrameKind
from nsdbg.localize.locate import LineStatus, LocatedFrame, locate

ORDERS = """\
class Order:
    def __init__(self, rows):
        self.rows = rows

    def total(self):
        return sum(row["price"] * row["count"] for row in self.rows)


def checkout(order):
    return round(order.total(), 2)
"""


def logged(
    *frames: tuple[str, int, str, str | None], error: str = "KeyError: 'price'"
) -> CrashReport:
    lines = ["Traceback (most recent call last):"]
    for file, lineno, function, source in frames:
        lines.append(f'  File "{file}", line {lineno}, in {function}')
        lines += [f"    {source}"] if source else []
    (report,) = crashlog.read("\n".join([*lines, error, ""]).encode())
    return report


def put(folder: Path, name: str, text: str = ORDERS) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.resolve()


def only(report: CrashReport, *roots: Path) -> LocatedFrame:
    (frame,) = locate(report, roots).frames
    return frame


CHECKOUT = ("/app/shop/orders.py", 10, "checkout", "return round(order.total(), 2)")


def test_a_path_of_another_machine_is_matched_by_its_end(tmp_path: Path) -> None:
    path = put(tmp_path, "shop/orders.py")
    put(tmp_path, "other/orders.py", "x = 1\n")
    frame = only(logged(CHECKOUT), tmp_path)
    assert (frame.source_path, frame.lineno, frame.status) == (path, 10, LineStatus.EXACT)
    assert frame.function == "checkout"


def test_a_windows_path_is_matched_whatever_its_case(tmp_path: Path) -> None:
    path = put(tmp_path, "src/shop/orders.py")
    file = r"C:\Build\Shop\Orders.py"
    frame = only(logged((file, 10, "checkout", "return round(order.total(), 2)")), tmp_path)
    assert frame.source_path == path


def test_a_method_gets_its_qualified_name(tmp_path: Path) -> None:
    put(tmp_path, "shop/orders.py")
    source = 'return sum(row["price"] * row["count"] for row in self.rows)'
    frame = only(logged(("/app/shop/orders.py", 6, "<genexpr>", source)), tmp_path)
    assert frame.function == "Order.total"


def test_the_root_may_be_the_package_itself(tmp_path: Path) -> None:
    path = put(tmp_path / "shop", "orders.py")
    assert only(logged(CHECKOUT), tmp_path / "shop").source_path == path


def test_of_several_files_the_one_with_the_logged_lines_is_taken(tmp_path: Path) -> None:
    put(tmp_path, "a/shop/orders.py", "\n" * 9 + "    return None\n")
    path = put(tmp_path, "b/shop/orders.py")
    assert only(logged(CHECKOUT), tmp_path).source_path == path


def test_a_line_that_moved_is_found_in_its_function(tmp_path: Path) -> None:
    put(tmp_path, "shop/orders.py", '"""Orders."""\n\n\n' + ORDERS)
    frame = only(logged(CHECKOUT), tmp_path)
    assert (frame.lineno, frame.status) == (13, LineStatus.MOVED)
    assert frame.detail == "moved from 10 to 13"


def test_the_same_text_in_another_function_does_not_count_as_moved(tmp_path: Path) -> None:
    text = "".join(f"def {name}(x):\n    return x.name\n\n\n" for name in "ab")
    text += "def c(x):\n    return x.name + 1\n"
    put(tmp_path, "shop/orders.py", text)
    frame = only(logged(("/app/shop/orders.py", 9, "c", "return x.name")), tmp_path)
    assert frame.status is LineStatus.CHANGED
    assert frame.lineno == 10


def test_an_edited_line_is_found_by_likeness_and_both_are_shown(tmp_path: Path) -> None:
    put(tmp_path, "shop/orders.py", ORDERS.replace("order.total(), 2", "order.total(), 3"))
    frame = only(logged(CHECKOUT), tmp_path)
    assert (frame.lineno, frame.status) == (10, LineStatus.CHANGED)
    assert "round(order.total(), 3)" in frame.detail
    assert "round(order.total(), 2)" in frame.detail


def test_a_line_behind_the_end_of_the_file_is_said_to_be_so(tmp_path: Path) -> None:
    put(tmp_path, "shop/orders.py")
    frame = only(logged(("/app/shop/orders.py", 99, "checkout", None)), tmp_path)
    assert frame.status is LineStatus.CHANGED
    assert frame.detail == "line 99 is behind the end of the file (10 lines)"


def test_a_frame_without_source_is_unchecked(tmp_path: Path) -> None:
    put(tmp_path, "shop/orders.py")
    frame = only(logged(("/app/shop/orders.py", 10, "checkout", None)), tmp_path)
    assert (frame.lineno, frame.status) == (10, LineStatus.UNCHECKED)


@pytest.mark.parametrize("name", ["/etc/passwd", "/etc/hostname", "../../etc/passwd"])
def test_files_outside_the_root_are_never_read(tmp_path: Path, name: str) -> None:
    frame = only(logged((name, 1, "f", "x")), tmp_path)
    assert (frame.source_path, frame.status, frame.source) == (None, LineStatus.MISSING, None)


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "secret/orders.py")
    root = tmp_path / "root"
    (root / "shop").mkdir(parents=True)
    (root / "shop" / "orders.py").symlink_to(tmp_path / "secret" / "orders.py")
    assert only(logged(CHECKOUT), root).source_path is None


def test_the_same_name_in_another_folder_is_not_the_file(tmp_path: Path) -> None:
    put(tmp_path, "deep/unrelated/orders.py", "def nothing():\n    pass\n")
    assert only(logged(CHECKOUT), tmp_path).status is LineStatus.MISSING


def test_a_library_is_found_in_the_packages_and_stays_a_library(tmp_path: Path) -> None:
    path = put(tmp_path, "venv/lib/python3.11/site-packages/shop/orders.py")
    file = "/usr/lib/python3.11/site-packages/shop/orders.py"
    report = logged((file, *CHECKOUT[1:]))
    packages = tmp_path / "venv/lib/python3.11/site-packages"
    (tmp_path / "src").mkdir()
    (frame,) = locate(report, [tmp_path / "src"], [packages]).frames
    assert (frame.source_path, frame.kind) == (path, FrameKind.LIBRARY)
    assert locate(report, [tmp_path / "src"], [packages]).user_frames == ()


def test_an_installed_copy_of_the_project_is_the_project(tmp_path: Path) -> None:
    path = put(tmp_path, "src/shop/orders.py")
    file = "/usr/lib/python3.11/site-packages/shop/orders.py"
    frame = only(logged((file, *CHECKOUT[1:])), tmp_path)
    assert (frame.source_path, frame.kind) == (path, FrameKind.USER)


def test_generated_code_has_no_file(tmp_path: Path) -> None:
    frame = only(logged(("<string>", 1, "<module>", None)), tmp_path)
    assert (frame.source_path, frame.kind) == (None, FrameKind.GENERATED)


def test_the_place_of_a_syntax_error_is_located(tmp_path: Path) -> None:
    path = put(tmp_path, "shop/broken.py", "def f(:\n    pass\n")
    text = '  File "/app/shop/broken.py", line 1\n    def f(:\n          ^\nSyntaxError: invalid\n'
    (report,) = crashlog.read(text.encode())
    (place,) = locate(report, [tmp_path]).places
    assert place is not None
    assert (place.source_path, place.status, place.function) == (path, LineStatus.EXACT, None)


def test_members_of_a_group_are_located(tmp_path: Path) -> None:
    path = put(tmp_path, "shop/orders.py")
    text = """\
  + Exception Group Traceback (most recent call last):
  |   File "/app/run.py", line 1, in <module>
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/shop/orders.py", line 10, in checkout
    |     return round(order.total(), 2)
    | KeyError: 'price'
    +------------------------------------
"""
    (report,) = crashlog.read(text.encode())
    ((leaf, (frame,)),) = locate(report, [tmp_path]).related
    assert leaf.exception == "KeyError"
    assert frame.source_path == path
