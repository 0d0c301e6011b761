"""Mistakes that a type checker has to find, and nothing else. Not run.

No type knows the names in a file: of records, fields and columns, of members of archives, and of models.
"""

import numpy as np
import worldview as wv

level = wv.open("a.wwd", kind="level")
table = wv.open("a.wdb", kind="table")
print(level.planes[0].name.upper(), table["potion"].name, wv.open("a.wdb").data)
with open("a.wdb", "rb") as file:
    print(wv.open(file, name="a.wdb"), wv.open(b"WPD"))
level.column("price")  # wrong
table.objects()  # wrong
wv.open("a.wwd", kind="levle")  # wrong
wv.open("a.wwd", lossy="yes")  # wrong
wv.open(5)  # wrong
level.planes[0].rows + "1"  # wrong
table["potion"]["price"].upper()  # wrong
table["potion"]["price"] = np.uint32(7)
table["potion"]["price"] = object()  # wrong
level.objects()[0]["x"] = None  # wrong
for found in wv.scan("levels", kind="level"):
    if found.error is None:
        print(found.asset.planes, found.unwrap().planes)
        found.asset.plains  # wrong
    found.unwrap().plains  # wrong
wv.scan("levels", kind="tabel")  # wrong
wv.scan("levels", lossi=True)  # wrong
wv.read_objects("levels", columns=["x", "y"], strings="view")
wv.read_objects("levels", columns="x")  # wrong
wv.read_records("tables", strings="veiw")  # wrong
wv.read_objects("levels", filters=[("logic", "in", ["Key", "Crate"]), ("x", ">", 800)])
wv.read_objects("levels", filters=[("x", "=>", 800)])  # wrong
hits = wv.find("potion", "tables")
wv.apply("a.wdb", [{"set": hits[0]["place"], "to": 7, "from": 5}], "b.wdb")
wv.apply("a.wdb", wv.changes("a.wdb", "b.wdb"), "b.wdb")
hits[0]["plaice"]  # wrong
wv.apply("a.wdb", 5, "b.wdb")  # wrong
wv.apply("a.wdb", [{"sett": "potion/price", "to": 7}], "b.wdb")  # wrong
exported = wv.export("levels", "out", to=["png", "tmx"], scale=8, game="CLAW.REZ")
print(exported.errors[0].code, exported.errors.to_frame(), wv.check("levels", threads=2).errors)
exported.errors[0].cod  # wrong
wv.export("levels", "out", nonsense=True)  # wrong
wv.export("levels", "out", to="cvs")  # wrong
wv.export("levels", "out", scale="8")  # wrong
wv.find("potion", "tables", wat=1)  # wrong
wv.find("potion", "tables", in_="nmaes")  # wrong
wv.check("tables", fail_on="sever")  # wrong
wv.repair("a.wdb")  # wrong
wv.scan("levels").errors.to_fram()  # wrong
for task in wv.tasks("levels", columns=["x"], signed=True, errors=False, lossy=True):
    print(task.files, task.schema.names, [batch.num_rows for batch in task.read()])
wv.tasks("levels", rows="tables")  # wrong
wv.tasks("levels", fetch="s3")  # wrong
wv.read_meshes("island", columns=["model"])["model"]  # wrong
