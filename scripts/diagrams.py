#!/usr/bin/env python3
"""Draws the diagrams of docs/diagrams as SVG files in docs/images.

    scripts/diagrams.py            writes the files
    scripts/diagrams.py --check    fails if a file is out of date, or a text does not fit

A source has one statement in each line:

    title: TEXT, desc: TEXT, size: WIDTH HEIGHT
    box ID X Y WIDTH HEIGHT: TITLE | LINE | …          also "group", which contains boxes, and "quiet box"
    edge ID.SIDE[@PART] -> ID.SIDE[@PART] [via X,Y …] [at X,Y]: LABEL
    text X Y: TEXT
    actor ID: NAME, message ID -> ID: TEXT, answer ID -> ID: TEXT, step ID: TEXT, phase: TEXT    (a sequence)
    modules: FILE, layer FOLDER: NAME                                                     (modules in layers)
    matrix: FILE                                                 (labels of edges "ID… to ID" come from a test)
    bars: FILE                                                   (a bar for each row of the file's table with a goal)

A side is l, r, t or b, and a part is a number from 0 to 1. "at" is the centre of the label.
"""
import html
import math
import os
import re
import sys
from pathlib import Path

os.chdir(Path(__file__).resolve().parent.parent)
SOURCES, FOLDER = Path("docs/diagrams"), Path("docs/images")
STYLE = """
:root { --page: #ffffff; --box: #f2f5fa; --quiet: #ffffff; --line: #52606d; --text: #1f2933; --soft: #52606d;
--accent: #1d5fbf; --group: #f8fafc; --missed: #c2410c }
@media (prefers-color-scheme: dark) { :root { --page: #0f1620; --box: #1d2836; --quiet: #0f1620; --line: #9fb3c8;
--text: #e8eef5; --soft: #b4c3d3; --accent: #7fb2ff; --group: #151e2a; --missed: #fb923c } }
text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--text) }
.name { font-weight: 600; font-size: 12.5px } .soft { fill: var(--soft); font-size: 12px }
.page { fill: var(--page) } .box { fill: var(--box); stroke: var(--line); stroke-width: 1.2 }
.quiet { fill: var(--quiet); stroke: var(--line); stroke-dasharray: 4 3 }
.group { fill: var(--group); stroke: var(--line); stroke-width: 1 }
.edge { fill: none; stroke: var(--accent); stroke-width: 1.5 } .answer { stroke-dasharray: 5 4 }
.met { fill: var(--accent) } .missed { fill: var(--missed) } .goal { stroke: var(--text); stroke-width: 1 }
.life { stroke: var(--line); stroke-dasharray: 2 4 } .head { fill: var(--accent) }
.label { font-size: 12px; fill: var(--text); stroke: var(--page); stroke-width: 5px; paint-order: stroke }
"""
problems = []


def width(text, size=13, bold=False):
    """An upper estimate of a text's width in pixels."""
    narrow = sum(c in "il.,:;|!'()[]ftjrI " for c in text)
    wide = sum(c in "mwMW@—…→" for c in text)
    return size * (0.33 * narrow + 0.62 * (len(text) - narrow - wide) + 0.95 * wide) * (1.1 if bold else 1)


def words(name):
    return re.sub(r"([A-Z])", lambda c: " " + c[1].lower(), name)


class Drawing:
    def __init__(self, name):
        self.name, self.title, self.desc, self.size = name, "", "", (800, 400)
        self.shapes, self.edges, self.texts, self.boxes = [], [], [], {}

    def text(self, x, y, text, kind="", anchor="middle", room=None, size=13):
        if room is not None and width(text, size, kind == "name") > room:
            problems.append(f"{self.name}: “{text}” is too long: about {width(text, size):.0f} of {room:.0f} pixels")
        self.texts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"' + (f' class="{kind}"' if kind else "")
                          + f">{html.escape(text, quote=False)}</text>")

    def box(self, identifier, x, y, w, h, lines, kind="box"):
        self.boxes[identifier] = (x, y, w, h)
        self.shapes.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="6" class="{kind}"/>')
        if kind == "group":
            self.text(x + 10, y + 19, lines[0], "name", "start", w - 16)
            return
        top = y + h / 2 - 16 * (len(lines) - 1) / 2 + 4.5
        for number, line in enumerate(lines):
            self.text(x + w / 2, top + 16 * number, line, "soft" if number else "name", room=w - 8, size=12 if number else 13)

    def port(self, text):
        identifier, _, side = text.partition(".")
        side, _, part = side.partition("@")
        if identifier not in self.boxes:
            raise SystemExit(f"diagrams: {self.name}: there is no box {identifier}")
        x, y, w, h = self.boxes[identifier]
        part = float(part or 0.5)
        return {"l": (x, y + h * part), "r": (x + w, y + h * part), "t": (x + w * part, y), "b": (x + w * part, y + h)}[side]

    def edge(self, points, label="", at=None, kind="edge"):
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.edges.append(f'<polyline points="{path}" class="{kind}" marker-end="url(#head)"/>')
        if not label:
            return
        if at is None:
            a, b = max(zip(points, points[1:]), key=lambda s: abs(s[0][0] - s[1][0]) + abs(s[0][1] - s[1][1]))
            at = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + (-7 if a[1] == b[1] else 4))
        rows = label.split(" | ")
        for number, row in enumerate(rows):
            half = width(row, 12) / 2
            if not 4 <= at[0] - half or not at[0] + half <= self.size[0] - 4:
                problems.append(f"{self.name}: the label “{row}” leaves the picture")
            self.text(at[0], at[1] + 15 * (number - (len(rows) - 1)), row, "label", size=12)

    def svg(self):
        w, h = self.size
        if not self.title or not self.desc:
            problems.append(f"{self.name}: a title or a desc is missing")
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:g} {h:g}" width="{w:g}" height="{h:g}" role="img" '
                f'aria-labelledby="title desc">\n<title id="title">{html.escape(self.title)}</title>\n'
                f'<desc id="desc">{html.escape(self.desc)}</desc>\n<style>{STYLE}</style>\n'
                '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
                'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" class="head"/></marker></defs>\n'
                f'<rect width="{w:g}" height="{h:g}" rx="8" class="page"/>\n'
                + "\n".join([*self.shapes, *self.edges, *self.texts]) + "\n</svg>\n")


def sequence(drawing, statements):
    """Lays out actors in columns and messages below each other."""
    actors = [(i, t) for kind, i, t in statements if kind == "actor"]
    w, top, step = drawing.size[0], 20, 38
    column = (w - 20) / len(actors)
    place = {identifier: 10 + column * (n + 0.5) for n, (identifier, _) in enumerate(actors)}
    y = top + 62
    lines = []
    for kind, head, text in statements:
        if kind == "phase":
            drawing.text(12, y, text, "name", "start")
            y += 28
        elif kind in ("message", "answer"):
            a, b = [place[i] for i in head.split(" -> ")]
            rows = text.split(" | ")
            y += 15 * (len(rows) - 1)
            lines.append((kind, a, b, y, text))
            y += step
        elif kind == "step":
            rows = text.split(" | ")
            room = max(width(r, 12) for r in rows) + 16
            x = min(max(place[head], room / 2 + 6), w - room / 2 - 6)
            height = 16 * len(rows) + 10
            lines.append(("step", x - room / 2, room, y - 14, (height, rows)))
            y += height + 14
    for identifier, name in actors:
        drawing.shapes.append(f'<line x1="{place[identifier]:g}" y1="{top + 36}" x2="{place[identifier]:g}" '
                              f'y2="{y - 12:g}" class="life"/>')
    for identifier, name in actors:
        drawing.box("actor-" + identifier, place[identifier] - column / 2 + 5, top, column - 10, 36, name.split(" | "))
    for number, (kind, a, b, line_y, text) in enumerate(lines):
        if kind == "step":
            height, rows = text
            drawing.shapes.append(f'<rect x="{a:g}" y="{line_y:g}" width="{b:g}" height="{height}" rx="4" class="box"/>')
            for n, row in enumerate(rows):
                drawing.text(a + b / 2, line_y + 17 + 16 * n, row, "soft", size=12)
        else:
            drawing.edge([(a, line_y), (b, line_y)], text, kind="edge" if kind == "message" else "edge answer")
    drawing.size = (w, y + 4)


def layers(drawing, path, statements):
    """Draws the modules of each folder of Sources, with the modules that they import directly."""
    imports = {}
    for line in Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, others = line.partition(":")
            imports.setdefault(name, set()).update(others.replace("!", "").split())
    folder = {m.name: m.parent.name for m in Path("Sources").glob("*/*") if m.is_dir()}
    order = [head for kind, head, _ in statements if kind == "layer"]
    modules = [m for m in folder if folder[m] in order and m in imports]
    public = {p.stem for p in Path("docs/api").glob("*.txt")}

    def below(module):
        found = set()
        for other in imports.get(module, set()) & set(modules):
            found |= {other} | below(other)
        return found

    for module in modules:
        for other in below(module):
            if order.index(folder[other]) < order.index(folder[module]):
                problems.append(f"{drawing.name}: {module} imports {other} of a higher layer")
    left, y, gap, columns = 110, 12, 8, 4
    w = (drawing.size[0] - left - 14 - gap * (columns - 1)) / columns
    for kind, head, text in statements:
        if kind != "layer":
            continue
        members = sorted([m for m in modules if folder[m] == head], key=lambda m: (-len(below(m)), m))
        boxes = []
        for module in members:
            direct = imports[module] & set(modules)
            direct = sorted(d for d in direct if not any(d in below(o) for o in direct - {d}))
            rows, row = [], ""
            for name in direct:
                short = name.removeprefix("Holdfast")
                if row and width(row + ", " + short, 12) > w - 12:
                    rows.append(row + ",")
                    row = short
                else:
                    row = f"{row}, {short}" if row else short
            boxes.append((module, [module, *([*rows, row] if row else [])]))
        line_heights = [max(len(b[1]) for b in boxes[i:i + columns]) * 16 + 18 for i in range(0, len(boxes), columns)]
        height = sum(line_heights) + gap * (len(line_heights) - 1) + 20
        drawing.box("layer-" + head, 8, y, drawing.size[0] - 16, height, [""], "group")
        drawing.text(18, y + height / 2 - 2, head, "name", "start", left - 20)
        for n, line in enumerate(text.split(" | ")):
            drawing.text(18, y + height / 2 + 14 + 14 * n, line, "soft", "start", left - 14, 12)
        top = y + 10
        for number, (module, lines) in enumerate(boxes):
            if number and number % columns == 0:
                top += line_heights[number // columns - 1] + gap
            drawing.box(module, left + (w + gap) * (number % columns), top, w, line_heights[number // columns], lines,
                        "box" if module in public or module in ("HoldfastTool", "holdfast-lint") else "quiet")
        y += height + 12
    drawing.text(12, y + 10, "Solid: a product. Dashed: an internal module. Small: the modules that it imports directly, "
                 "without “Holdfast”.", "soft", "start")
    drawing.size = (drawing.size[0], y + 22)


def bars(drawing, path):
    """Draws a bar for each row with a goal: the quotient of figure and goal, inverted for a maximum, on a logarithmic
    scale. A bar to the right of the line means that the goal is met."""
    left, right, height, top = 410, 690, 18, 34
    low, high = math.log2(1 / 2), math.log2(8)

    def place(quotient):
        return left + (right - left) * (min(max(math.log2(quotient), low), high) - low) / (high - low)

    rows = []
    for line in Path(path).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        goal = len(cells) == 5 and re.match(r"([≥≤]) ([\d.]+(?:,\d{3})*)", cells[2])
        if not line.startswith("|") or not goal:
            continue
        figure = re.match(r"[\d.,]+", cells[1])
        if not figure:
            problems.append(f"{drawing.name}: “{cells[0]}” has a goal and no figure")
            continue
        figure, number = (float(text.replace(",", "")) for text in (figure[0], goal[2]))
        quotient = figure / number if goal[1] == "≥" else number / figure
        note = f"{cells[1]}, goal {goal[0]}" + (f", peer: {cells[3]}" if cells[3] else "")
        rows.append((cells[0].replace("`", ""), note.replace("`", ""), quotient))
    bottom = top + height * len(rows)
    for quotient in (0.5, 1, 2, 4, 8):
        x = place(quotient)
        kind = "goal" if quotient == 1 else "life"
        drawing.edges.append(f'<line x1="{x:g}" y1="{top - 6}" x2="{x:g}" y2="{bottom:g}" class="{kind}"/>')
        drawing.text(x, top - 12, "goal" if quotient == 1 else f"{quotient:g} ×", "soft", size=12)
    for number, (name, note, quotient) in enumerate(rows):
        y = top + height * number
        drawing.text(left - 8, y + 13, name, "soft", "end", left - 14, 12)
        a, b = sorted((place(1), place(quotient)))
        drawing.shapes.append(f'<rect x="{a:.1f}" y="{y + 3}" width="{max(b - a, 1):.1f}" height="{height - 6}" '
                              f'class="{"met" if quotient >= 1 else "missed"}"/>')
        drawing.text(right + 8, y + 13, note, "soft", "start", drawing.size[0] - right - 12, 12)
    drawing.size = (drawing.size[0], bottom + 10)


class Matrix:
    """The table of a test: what each event does in each phase."""

    def __init__(self, drawing, path):
        text = Path(path).read_text()
        self.name = drawing.name
        self.columns = re.findall(r'"(\w+)"', re.search(r"static let columns = \[(.*?)\]", text, re.S)[1])
        rows = re.findall(r"\(\.(\w+), \[(.*?)\]\)", re.search(r"static let matrix.*?= \[\n(.*?)\n    \]", text, re.S)[1])
        self.left = {}
        for event, cells in rows:
            for source, target in zip(self.columns, re.findall(r'"([^"]+)"', cells)):
                if target != "=":
                    self.left.setdefault((source, target), []).append(event)

    def label(self, sources, target):
        """The events that lead from all sources to the target. They may be drawn only once."""
        lists = [self.left.pop((source, target), []) for source in sources]
        common = []
        for event in dict.fromkeys(e for events in lists for e in events):
            missing = [s for s, events in zip(sources, lists) if event not in events]
            common.append(words(event) + (f" (not {', '.join(missing)})" if missing else ""))
        if not common:
            problems.append(f"{self.name}: no event leads from {', '.join(sources)} to {target}")
        return common

    def finish(self):
        for (source, target), events in self.left.items():
            problems.append(f"{self.name}: no edge shows {', '.join(events)} from {source} to {target}")


def draw(path):
    drawing, matrix, statements, modules = Drawing(path.stem), None, [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, _, text = line.partition(":")
        kind, _, rest = head.partition(" ")
        text = text.strip()
        if kind in ("title", "desc"):
            setattr(drawing, kind, text)
        elif kind == "size":
            drawing.size = tuple(float(n) for n in text.split())
        elif kind == "matrix":
            matrix = Matrix(drawing, text)
        elif kind == "modules":
            modules = text
        elif kind == "bars":
            bars(drawing, text)
        elif kind in ("box", "group", "quiet"):
            *_, x, y, w, h = rest.split()
            identifier = rest.removeprefix("box ").split()[0]
            drawing.box(identifier, *(float(n) for n in (x, y, w, h)), text.split(" | "), kind)
        elif kind == "text":
            x, y = rest.split()
            drawing.text(float(x), float(y), text, "soft", "start")
        elif kind == "edge":
            found = re.fullmatch(r"(\S+) -> (\S+)((?: via(?: -?[\d.]+,-?[\d.]+)+)?)((?: at [\d.]+,[\d.]+)?)"
                                 r"((?: events .* to \w+)?)", rest)
            if not found:
                raise SystemExit(f"diagrams: {path}:{number}: not an edge: {line}")
            points = [tuple(float(n) for n in p.split(",")) for p in found[3].split()[1:]]
            at = tuple(float(n) for n in found[4].split()[1].split(",")) if found[4] else None
            if found[5]:
                sources, target = found[5].removeprefix(" events ").split(" to ")
                events, rows = matrix.label(sources.split(), target), [""]
                for event in events:
                    if rows[-1] and len(rows[-1]) + len(event) > int(text or 40):
                        rows.append("")
                    rows[-1] += (", " if rows[-1] else "") + event
                text = ", | ".join(rows)
            drawing.edge([drawing.port(found[1]), *points, drawing.port(found[2])], text, at)
        elif kind in ("actor", "message", "answer", "step", "phase", "layer"):
            statements.append((kind, rest, text))
        else:
            raise SystemExit(f"diagrams: {path}:{number}: unknown statement: {line}")
    if modules:
        layers(drawing, modules, statements)
    elif statements:
        sequence(drawing, statements)
    if matrix:
        matrix.finish()
    return drawing.svg()


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit("usage: scripts/diagrams.py [--check]")
    outdated = []
    for source in sorted(SOURCES.glob("*.txt")):
        text, path = draw(source), FOLDER / f"{source.stem}.svg"
        if not path.exists() or path.read_text() != text:
            outdated.append(str(path))
            if not check:
                path.write_text(text)
    for problem in problems:
        print(f"diagrams: {problem}", file=sys.stderr)
    if check and outdated:
        print(f"diagrams: {', '.join(outdated)} out of date: run scripts/diagrams.py", file=sys.stderr)
    if problems or check and outdated:
        raise SystemExit(1)
    print("diagrams: the pictures are up to date" if check else f"diagrams: wrote {', '.join(outdated) or 'nothing'}")


main()
