"""Where the samples are, and the command to compare with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.suffix in {".wdb", ".wwd", ".bin", ".rez"})


def worldview(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command that the package installs, as a process of its own."""
    program = Path(sys.executable).with_name("worldview")
    return subprocess.run([program, *arguments], capture_output=True, check=False)


def shown(path: Path, *arguments: str):
    """Returns what the command shows of a file."""
    done = worldview("show", str(path), "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def samples() -> Path:
    return SAMPLES
