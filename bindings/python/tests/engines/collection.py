"""A folder of 200 files made from the samples, one of which is broken, and the recipes of ENGINES.md."""

import re
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[4] / "samples"
PAGE = Path(__file__).resolve().parents[2] / "ENGINES.md"
NAMES = ["garden.wwd", "items.wdb", "harbour.wwd", "bestiary.wdb", "cellar.wwd", "wdbpack.bin"]


def write(folder: Path) -> None:
    """Writes the files."""
    for number in range(199):
        name = NAMES[number % len(NAMES)]
        path = folder / f"part{number % 7}" / f"{number}-{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((SAMPLES / name).read_bytes())
    # A packed level that is cut within its zlib stream.
    (folder / "broken.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:2000])


def recipe(engine: str) -> tuple[str, str]:
    """Returns the recipe of an engine as it stands in ENGINES.md, and its example."""
    _, _, section = PAGE.read_text(encoding="utf-8").partition(f"## {engine}\n")
    code, example, *_ = re.findall(r"```python\n(.*?)```", section, re.S)
    return code, example
