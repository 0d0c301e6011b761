"""Exports many files, of which many may be broken, and counts what became of them.

    python export_codes.py OUT PATH...
"""

import sys
from collections import Counter

import worldview as wv


def main() -> None:
    out, *paths = sys.argv[1:]
    exported = wv.export(paths, out)
    # The code of a failure does not change between versions; docs/json.md has all of them.
    codes = Counter((one["status"], one.get("code", "")) for one in exported.inputs)
    for (status, code), count in codes.most_common():
        print(f"{count:>6} {status} {code}".rstrip())
    print(f"{len(exported)} files written")


if __name__ == "__main__":
    main()
