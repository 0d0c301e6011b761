"""Six mistakes that a type checker has to find, and nothing else. Not run."""

import worldview as wv

level = wv.open("a.wwd", kind="level")
table = wv.open("a.wdb", kind="table")
print(level.planes[0].name.upper(), table["potion"].name, wv.open("a.wdb").data)
level.column("price")  # wrong
table.objects()  # wrong
wv.open("a.wwd", kind="levle")  # wrong
wv.open("a.wwd", lossy="yes")  # wrong
level.planes[0].rows + "1"  # wrong
table["potion"]["price"].upper()  # wrong
