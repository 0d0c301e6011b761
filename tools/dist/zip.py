"""Packs the files named on standard input, without anything that differs from run to run.

    find FOLDER -type f | sort | python3 zip.py ARCHIVE
"""

import os
import sys
import time
import zipfile

WHEN = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]

with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for name in sys.stdin.read().splitlines():
        entry = zipfile.ZipInfo(name, WHEN)
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        with open(name, "rb") as file:
            archive.writestr(entry, file.read(), compresslevel=9)
