"""Writes what other sources say into `_worldview.pyi`: docstrings from the documentation in Rust, and the options of the verbs.

    python tests/stub.py        # after the module was built
"""

import ast
import inspect
import keyword
import textwrap
from pathlib import Path
from typing import Any

from worldview import _worldview

STUB = Path(__file__).resolve().parents[1] / "python" / "worldview" / "_worldview.pyi"
OPTIONS = "\n# The options of the verbs.\n"
TYPES = {"Bool": "bool", "Number": "int", "Text": "str", "TextOrNumber": "str | float", "Path": "str | PathLike[str]"}


def written(stub: str) -> str:
    """Returns the stub with the docstrings and options of the module."""
    text = stub.partition(OPTIONS)[0].encode()
    for start, end, docstring in sorted(_docstrings(text), reverse=True):
        text = text[:start].rstrip() + docstring.encode() + text[end:]
    return text.decode().rstrip("\n") + "\n" + OPTIONS + _typed(_worldview._options())


def _docstrings(text: bytes) -> list[tuple[int, int, str]]:
    """Returns where docstrings belong, what they replace, and the docstrings."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    edits = []

    def visit(nodes: list[ast.stmt], owner: object) -> None:
        seen = set()
        for node in nodes:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name in seen or node.name.startswith("_"):
                continue
            seen.add(node.name)
            item = getattr(owner, node.name)
            first, indent = node.body[0], " " * (node.col_offset + 4)
            decorators = getattr(first, "decorator_list", [])
            start = lines[min((each.lineno for each in decorators), default=first.lineno) - 1] + first.col_offset
            is_replaced = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            end = lines[first.end_lineno - 1] + first.end_col_offset if is_replaced else start
            if doc := item.__doc__:
                quoted = textwrap.indent(f'"""{inspect.cleandoc(doc)}"""', indent, lambda line: bool(line.strip()))
                quoted = quoted.replace('\n' + indent + '"""', '"""')
                edits.append((start, end, f"\n{quoted}" + ("" if is_replaced else f"\n\n{indent}")))
            if isinstance(node, ast.ClassDef):
                visit(node.body, item)

    visit(ast.parse(text).body, _worldview)
    return edits


def _typed(verbs: dict[str, list[list[Any]]]) -> str:
    """Returns the types of the options of the verbs. Those that several verbs share are in base classes, each called after its first."""
    owners = {str(row): [verb for verb, rows in verbs.items() if row in rows] for rows in verbs.values() for row in rows}
    own: dict[str, list[str]] = {verb: [] for verb in verbs}
    shared: dict[tuple[str, ...], list[str]] = {}
    for row in {str(row): row for rows in verbs.values() for row in rows if row[0] != "out"}.values():  # `out` is a parameter.
        of = tuple(owners[str(row)])
        (shared.setdefault(of, [row[0]]) if of[1:] else own[of[0]]).append(_option(*row))
    bases = {of: f"_{name.title().replace('_', '')}Options" for of, (name, *_) in shared.items()}
    text = [f"\nclass {bases[of]}(TypedDict, total=False):\n" + "".join(fields) for of, (_, *fields) in shared.items()]
    for verb, fields in own.items():
        of = ", ".join(base for verbs, base in bases.items() if verb in verbs)
        text.append(f"\nclass _{verb.title()}Options({of}, total=False):" + ("\n" + "".join(fields) if fields else " ...\n"))
    return "".join(text)


def _option(name: str, form: str, choices: list[str], is_list: bool, help: str) -> str:
    of = f"Literal[{', '.join(map(repr, choices))}]".replace("'", '"') if choices and form == "Text" else TYPES[form]
    of = f"{of} | Sequence[{of}] | None" if is_list else f"{of} | None"
    text = textwrap.fill(" ".join(help.split()).removesuffix(".") + ".", 116, initial_indent='    """', subsequent_indent="    ")
    return f"    {name}{'_' * keyword.iskeyword(name)}: {of}\n{text}\"\"\"\n"


if __name__ == "__main__":
    STUB.write_text(written(STUB.read_text(encoding="utf-8")), encoding="utf-8")
