"""The code of ENGINES.md, run in a folder with the samples."""

import re
import subprocess
import sys
from pathlib import Path

from collection import SAMPLES


def test_the_code_runs(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "ENGINES.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 4
    (tmp_path / "samples").symlink_to(SAMPLES)
    (tmp_path / "recipes.py").write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, "recipes.py"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert list((tmp_path / "items").glob("*.parquet")) and list((tmp_path / "meshes").glob("*.parquet"))
    out = done.stdout.decode()
    assert "'logic': ['TreasurePowerup'" in out and "max(uPurchasePrice)=" in out
    print(out)
