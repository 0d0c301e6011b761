"""Prints the licenses of everything that is compiled into a program, with their texts.

    python3 tools/dist/licenses.py TARGET PACKAGE [FEATURE...]

Texts of equal words are printed once, after the names of the crates that they belong to.
"""

import json
import subprocess
import sys
from pathlib import Path

TARGET, PACKAGE, *FEATURES = sys.argv[1:]


def cargo(*args):
    return subprocess.run(["cargo", *args], check=True, capture_output=True, text=True).stdout


def texts(package):
    """Returns the texts of a crate's licenses and notices."""
    folder = Path(package["manifest_path"]).parent
    names = ("LICEN", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")
    files = [file for file in folder.rglob("*") if file.name.upper().startswith(names) and file.is_file()]
    # Not the licenses of test data and scripts.
    files = [file for file in files if file.suffix in ("", ".md", ".txt", ".MIT", ".APACHE") and "test" not in str(file)]
    return sorted({file.read_text(errors="replace").strip() for file in files})


features = ["--features", ",".join(FEATURES)] if FEATURES else []
tree = cargo("tree", "-p", PACKAGE, "--target", TARGET, "--edges", "normal", "--prefix", "none", "--format", "{p}", *features)
# Each line is a name, a version with a leading v, and for crates of the workspace a folder.
used = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
metadata = json.loads(cargo("metadata", "--format-version", "1", "--all-features"))
packages = [package for package in metadata["packages"] if (package["name"], "v" + package["version"]) in used]
packages = [package for package in packages if package["source"]]
packages.sort(key=lambda package: package["name"])

print("What is compiled into this program besides its own code, and under which licenses.\n")
by_words = {}
for package in packages:
    print(f"{package['name']} {package['version']}: {package['license']}")
    for text in texts(package):
        by_words.setdefault(" ".join(text.split()), (text, []))[1].append(package["name"])
for text, names in by_words.values():
    print(f"\n{'-' * 80}\n{', '.join(names)}\n\n{text}")

if any(name == "worldview-view" for name, _ in used):
    bundle = Path("crates/view/web/dist/LICENSES.txt")
    print(f"\n{'-' * 80}\nThe page of the viewer\n\n{bundle.read_text().strip()}")
