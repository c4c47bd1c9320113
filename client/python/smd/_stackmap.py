"""A decoded stackmap (proto/stackmap.schema.json) as objects that show themselves."""

from __future__ import annotations

import html
from typing import Any, Iterator, Mapping, Optional

Json = Mapping[str, Any]


class Location:
    """Where a value is: kind is register, direct, indirect or constant; the rest as the schema has it."""

    def __init__(self, json: Json) -> None:
        self.json = json
        self.kind = json["kind"]
        self.register = json.get("register")
        self.offset = json.get("offset")
        self.size = json.get("size")
        self.value = json.get("value")

    def __str__(self) -> str:
        if self.kind == "constant":
            return str(self.value)
        if self.kind == "register":
            return self.register or f"register {self.json.get('dwarf')}"
        place = f"{self.register or '?'}{'' if self.offset is None else format(self.offset, '+d')}"
        return place if self.kind == "direct" else f"[{place}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Location) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    __repr__ = __str__


class Root:
    """A pointer into the heap, derived, and the object that it is in, base: the same place for a pointer to an object."""

    def __init__(self, json: Json) -> None:
        self.json = json
        self.base = Location(json["base"])
        self.derived = Location(json["derived"])

    @property
    def is_derived(self) -> bool:
        return self.base != self.derived

    def __repr__(self) -> str:
        return f"{self.derived} in {self.base}" if self.is_derived else str(self.derived)


class Region(Location):
    """Stack memory: references has the place of each reference in it where the map tells them (fields), and is otherwise None.
    pinned: the objects must not move. tag_mask: bits of each reference that are no part of the address."""

    SHOWN = 16  # references of a run that a picture has

    def __init__(self, json: Json) -> None:
        super().__init__(json)
        self.bytes = json.get("bytes")
        self.fields = json.get("fields")
        self.pinned = json.get("pinned", False)
        self.tag_mask = json.get("tag_mask")

    def _at(self, field: Json, i: int) -> Location:
        return Location({"kind": "indirect", "register": self.register, "dwarf": self.json.get("dwarf"), "size": field["size"],
                         "offset": self.offset + field["offset"] + i * field.get("stride", 0)})

    @property
    def references(self) -> Optional[list[Location]]:
        return None if self.fields is None else [self._at(f, i) for f in self.fields for i in range(f.get("count", 1))]

    def _places(self) -> Iterator[tuple[str, Location]]:
        """Pairs of words and a place: each reference, or the first ones and the rest of a long run."""
        if self.fields is None:
            yield "of unknown size" if self.bytes is None else f"{self.bytes} bytes", self
        for f in self.fields or []:
            count = f.get("count", 1)
            shown = count if count <= self.SHOWN + 1 else self.SHOWN
            for i in range(shown):
                yield "tagged reference" if self.tag_mask else "reference", self._at(f, i)
            if shown < count:
                yield f"{count - shown} more, every {f['stride']} bytes", self._at(f, shown)


class Safepoint:
    """A place in the code where a collection may happen.

    offset   of the return address from the function's first byte
    kind     "statepoint", "gcroot", "stackmap" or "patchpoint"
    reason   "call", "entry-poll", "backedge-poll", ...; None if it is not known
    callee   the symbol that is called, "indirect", or None
    roots    live pointers; deopt: deoptimisation values; regions: stack memory with references in it
    frames   whose values those of deopt are, the outermost first, as in the JSON; None if the state does not say
    """

    def __init__(self, json: Json, function: Function) -> None:
        self.json = json
        self.function = function
        self.offset = json["offset"]
        self.kind = json["kind"]
        self.reason = json.get("reason")
        self.callee = json.get("callee")
        self.id = json["id"]
        self.roots = [Root(r) for r in json.get("roots", [])]
        self.deopt = [Location(v) for v in json.get("deopt", [])]
        self.frames: list[Json] | None = json.get("frames")
        self.regions = [Region(v) for v in json.get("regions", [])]

    def __repr__(self) -> str:
        what = f"{self.reason or self.kind}{' to ' + self.callee if self.callee else ''}"
        return f"{self.function.name}+{self.offset:#x}: {what}: roots {self.roots}" + (f", deopt {self.deopt}" if self.deopt else "")

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("derived" if r.is_derived else "root", repr(r)) for r in self.roots]
        rows += [(f"deopt {i}", str(v)) for i, v in enumerate(self.deopt)]
        return rows + [(f"{'pinned ' if v.pinned else ''}region {i}", f"{place}: {what}")
                       for i, v in enumerate(self.regions) for what, place in v._places()]

    def _slots(self) -> dict[tuple[str, int], list[str]]:
        slots: dict[tuple[str, int], list[str]] = {}
        for what, location in self._places():
            if location.kind in ("indirect", "direct") and location.register is not None and location.offset is not None:
                slots.setdefault((location.register, location.offset), []).append(what)
        return slots

    def _places(self) -> Iterator[tuple[str, Location]]:
        derived = {r.derived for r in self.roots if r.is_derived}
        for r in self.roots:
            yield ("derived" if r.base in derived else "root"), r.base
            if r.is_derived:
                yield "derived", r.derived
        for i, v in enumerate(self.deopt):
            yield f"deopt {i}", v
        for i, v in enumerate(self.regions):
            for what, place in v._places():
                yield f"{'pinned ' if v.pinned else ''}region {i}: {what}", place

    def svg(self) -> str:
        """The frame's slots, from high addresses to low, as an SVG's text."""
        slots, size = self._slots(), self.function.frame_size
        rows = sorted(slots.items(), reverse=True)
        colours = {"pinned": "#ffd9ec", "root": "#d6e8ff", "derived": "#ffe7c7", "deopt": "#eadcff", "region": "#d3f2e3"}
        body, y = [], 4
        if size is not None and self.function.arch != "aarch64":
            rows.insert(0, (("rsp", size), ["return address"]))
        for (register, offset), whats in rows:
            text = " \u00b7 ".join(dict.fromkeys(whats))
            fill = next((c for k, c in colours.items() if any(w.startswith(k) for w in whats)), "#e4e7ec")
            body.append(f'<text x="62" y="{y + 16}" text-anchor="end" font-family="monospace">{register}{offset:+d}</text>'
                        f'<rect x="70" y="{y}" width="220" height="23" rx="4" fill="{fill}" stroke="#566074"/>'
                        f'<text x="80" y="{y + 16}">{html.escape(text)}</text>')
            y += 26
        label = html.escape(f"frame of {self.function.name} at {self.offset:#x}")
        return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" width="300" height="{y + 4}" '
                f'font-family="sans-serif" font-size="12" fill="#1b2330">{"".join(body)}</svg>')

    def _repr_html_(self) -> str:
        title = html.escape(f"{self.function.name} + {self.offset:#x}: {self.reason or self.kind}" + (f" to {self.callee}" if self.callee else ""))
        rows = "".join(f"<tr><td>{html.escape(a)}</td><td><code>{html.escape(b)}</code></td></tr>" for a, b in self._rows())
        table = f"<table>{rows}</table>" if rows else "<p>nothing is alive</p>"
        return f"<div><b>{title}</b><div style='display:flex;gap:2em;align-items:start'>{table}{self.svg()}</div></div>"


class Function:
    """A function of the object: name, size of its code and frame in bytes (frame_size None: dynamic), safepoints."""

    def __init__(self, json: Json, arch: str) -> None:
        self.json = json
        self.arch = arch
        self.name = json["name"] or "(no name)"
        self.size = json["size"]
        self.frame_size = json["frame_size"]
        self.safepoints = [Safepoint(s, self) for s in json["safepoints"]]

    def __repr__(self) -> str:
        frame = "dynamic" if self.frame_size is None else f"{self.frame_size} bytes"
        return f"<{self.name}: {self.size} bytes of code, frame {frame}, {len(self.safepoints)} safepoints>"


class Stackmap:
    """functions, in the map's order; m["name"] is one of them."""

    SHOWN = 50  # safepoints that a notebook draws

    def __init__(self, json: Json) -> None:
        self.json = json
        self.format = json["format"]
        self.arch = json["arch"]
        self.functions = [Function(f, self.arch) for f in json["functions"]]

    def __getitem__(self, name: str) -> Function:
        for f in self.functions:
            if f.name == name:
                return f
        raise KeyError(name)

    def __iter__(self) -> Iterator[Function]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def safepoints(self) -> list[Safepoint]:
        """Every safepoint of every function."""
        return [s for f in self.functions for s in f.safepoints]

    def __repr__(self) -> str:
        return f"<stackmap {self.format} of {len(self.functions)} functions, {len(self.safepoints())} safepoints>"

    def _repr_html_(self) -> str:
        points = self.safepoints()
        more = f"<p>and {len(points) - self.SHOWN} more safepoints</p>" if len(points) > self.SHOWN else ""
        return f"<p>{html.escape(repr(self)[1:-1])}</p>" + "".join(s._repr_html_() for s in points[:self.SHOWN]) + more
