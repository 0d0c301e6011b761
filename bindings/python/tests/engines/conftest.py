"""The folder that all engines read, and what one process reads from it."""

from pathlib import Path

import collection
import pytest


class Collection:
    """The folder, what is known about it, and the rows of one process."""

    def __init__(self, folder: Path) -> None:
        import pyarrow as pa
        import worldview as wv

        self.folder = folder
        self.places = collection.write(folder)
        self.objects = pa.table(wv.read_objects(folder))
        self.items = pa.table(wv.read_records(folder, sheet="Item"))
        self.values = pa.table(wv.read_records(folder))


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return Collection(tmp_path_factory.mktemp("collection"))
