"""What deploy/bench measured, as a picture and as tables: bench.py FIGURES.json PICTURE.svg TABLES.md"""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 1200, 300, 60, 60, 70
COLOURS = ["#1f77b4", "#2ca02c", "#d62728", "#9467bd", "#7f7f7f"]


def table(figures, name):
    return next((t["rows"] for t in figures["tables"] if t["name"] == name), [])


class Panel:
    """A drawing area with linear y from 0 and x by a function that gives 0 to 1."""

    def __init__(self, left, width, title, top_value):
        self.left, self.width, self.top_value = left, width, top_value
        self.out = [f'<text x="{left}" y="{TOP - 30}" class="title">{title}</text>']
        step = 0.25 if top_value <= 2.5 else 0.5
        for i in range(int(top_value / step) + 1):
            v = i * step
            line = "one" if v == 1 else "grid"
            self.out.append(f'<line x1="{left}" x2="{left + width}" y1="{self.y(v)}" y2="{self.y(v)}" class="{line}"/>')
            self.out.append(f'<text x="{left - 8}" y="{self.y(v) + 4}" text-anchor="end">{v:g}</text>')

    def x(self, share):
        return round(self.left + share * self.width, 1)

    def y(self, v):
        return round(TOP + HEIGHT * (1 - min(v, self.top_value) / self.top_value), 1)

    def mark(self, share, text):
        self.out.append(f'<text x="{self.x(share)}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{text}</text>')

    def samples(self, share, s, colour):
        x = self.x(share)
        self.out.append(
            f'<line x1="{x}" x2="{x}" y1="{self.y(s["least"])}" y2="{self.y(s["most"])}" stroke="{colour}" stroke-opacity="0.5" stroke-width="2"/>'
            f'<circle cx="{x}" cy="{self.y(s["median"])}" r="3.5" fill="{colour}"/>'
        )

    def line(self, points, colour, dash=""):
        path = " ".join(f"{self.x(share)},{self.y(v)}" for share, v in points)
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dash}"/>')

    def legend(self, names):
        at = self.left
        for name, colour, dash in names:
            self.out.append(f'<line x1="{at}" x2="{at + 22}" y1="{TOP - 14}" y2="{TOP - 14}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
            self.out.append(f'<text x="{at + 26}" y="{TOP - 10}">{name}</text>')
            at += 36 + 7.2 * len(name)


def bytes_text(n):
    return f"{n / 1e6:.0f} MB" if n >= 999e3 else f"{n / 1e3:.0f} KB" if n >= 1e3 else f"{n:.0f} B"


def compiles(figures, left, width):
    rows = table(figures, "compiles")
    most = max(row["service/bare"]["median"] for row in rows)
    p = Panel(left, width, "A compile: service over bare LLVM, time", max(1.5, math.ceil(most * 4 + 1) / 4))
    sizes = sorted({row["bytes"] for row in rows})
    low, high = math.log(sizes[0]), math.log(sizes[-1])
    place = {n: 0.03 + 0.94 * (math.log(n) - low) / (high - low) for n in sizes}
    names = []
    for target, dash in (("x86-64", ""), ("AArch64", "5 3")):
        for level in range(4):
            mine = [r for r in rows if r["target"] == target and r["level"] == f"O{level}"]
            if not mine or (target == "AArch64" and level != 2):
                continue
            colour = COLOURS[4] if dash else COLOURS[level]
            shift = 0.012 * (level - 1.5) if not dash else 0.03
            p.line([(place[r["bytes"]] + shift, r["service/bare"]["median"]) for r in mine], colour, dash)
            for r in mine:
                p.samples(place[r["bytes"]] + shift, r["service/bare"], colour)
            names.append((f"O{level}" if not dash else "AArch64, O2", colour, dash))
    p.legend(names)
    for n in sizes:
        p.mark(place[n], bytes_text(n))
    return p.out


def marks(figures, left, width, title, rows, column, label):
    most = max([r[column]["most"] for r in rows] + [1])
    p = Panel(left, width, title, max(1.25, math.ceil(min(most, 2.5) * 4) / 4))
    for i, r in enumerate(rows):
        share = (i + 0.5) / len(rows)
        p.samples(share, r[column], COLOURS[0])
        x, y = p.x(share), TOP + HEIGHT + 16
        p.out.append(f'<text transform="translate({x + 4},{y}) rotate(-40)" text-anchor="end">{label(r)}</text>')
    return p.out


def code(figures):
    """Bars: what programs take over the same without GC, a mean and the worst program."""
    rows = [r for r in table(figures, "code") if r["polls, gc_registers"] != "no GC"]
    kinds = (("time", "worst"), ("x86-64", "worst of it"), ("AArch64", "worst there"))
    names = ("time, x86-64", "instructions, x86-64", "instructions, AArch64")
    p = Panel(LEFT, WIDTH - 2 * LEFT, "Programs over the same without GC: geometric means, and up to the worst", 2.5)
    for i, r in enumerate(rows):
        for k, (mean, worst) in enumerate(kinds):
            p.samples((i + 0.3 + 0.2 * k) / len(rows), {"least": r[mean], "median": r[mean], "most": r[worst]}, COLOURS[k])
        x, y = p.x((i + 0.5) / len(rows)), TOP + HEIGHT + 16
        p.out.append(f'<text transform="translate({x + 4},{y}) rotate(-40)" text-anchor="end">{r["polls, gc_registers"]}</text>')
    p.legend([(name, COLOURS[k], "") for k, name in enumerate(names)])
    return p.out


def cell(v):
    if isinstance(v, dict):
        digits = 0 if v["median"] >= 100 else 1 if v["median"] >= 10 else 2
        return f'{v["median"]:.{digits}f} ({v["least"]:.{digits}f} to {v["most"]:.{digits}f})'
    return f"{v:.0f}" if isinstance(v, float) and v == int(v) else str(v)


def markdown(figures):
    keys = ("processor", "cores", "load", "kernel", "llvm", "libmicrohttpd")
    out = [", ".join(f"{k}: {figures[k]}" for k in keys) + "\n"]
    for t in figures["tables"]:
        heads = list(t["rows"][0])
        out += [f'### {t["name"]}\n', t["title"] + "\n", "| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
        out += ["| " + " | ".join(cell(r[h]) for h in heads) + " |" for r in t["rows"]]
        out.append("")
    return "\n".join(out)


def panels(figures):
    if table(figures, "code"):
        return code(figures)
    widths = (450, 230, 300)
    body = compiles(figures, LEFT, widths[0])
    left = LEFT + widths[0] + GAP
    body += marks(figures, left, widths[1], "Clients: over two bare processes, rate", table(figures, "clients"), "service/bare",
                  lambda r: f'{r["clients"]:.0f}, {bytes_text(r["bytes"])}')
    left += widths[1] + GAP
    kinds = {"by key, object": "object", "by key, artifact": "artifact", "by key, JSON": "JSON"}
    body += marks(figures, left, widths[2], "Hits: over libmicrohttpd, rate", table(figures, "hits"), "smd/bare",
                  lambda r: f'{kinds.get(r["answer"], "POST")}, {bytes_text(r["bytes"])}')
    return body


def main():
    figures = json.load(open(sys.argv[1]))
    body = panels(figures)
    style = "text{font:11px sans-serif;fill:#333}.title{font-size:13px;font-weight:bold}.grid{stroke:#ddd}.one{stroke:#555;stroke-width:1.5}"
    height = TOP + HEIGHT + 75
    with open(sys.argv[2], "w") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">')
        out.write(f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>')
        out.write("\n".join(body) + "</svg>\n")
    with open(sys.argv[3], "w") as out:
        out.write(markdown(figures))


main()
