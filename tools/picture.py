#!/usr/bin/env python3
"""Draws docs/algorithms.svg, the picture in docs/collectives.md, from the program's output."""
import json
import math
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = [s for e in range(4, 10) for s in (f"{10 ** e}B", f"{3 * 10 ** e}B")][:-1]
ALGORITHMS = {
    "direct": "#c2185b",
    "halving_doubling": "#00796b",
    "double_binary_tree": "#e65100",
    "bidirectional_ring": "#5e35b1",
    "ring": "#1565c0",
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 390, 64, 170, 56, 48


def measure():
    command = [
        str(ROOT / "lightloom"), "collective", "all_reduce", "--gpus", "64", "--fabric", "switch",
        "--bandwidth", "400Gbps", "--latency", "1us", "--json",
        "--size", f"[{','.join(SIZES)}]", "--algorithm", f"[{','.join(ALGORITHMS)}]",
    ]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["rows"]
    lines = {name: [] for name in ALGORITHMS}
    for row in rows:
        lines[row["algorithm"]].append((int(row["size"][:-1]), row["bus_bandwidth"] / 1e9))
    return {name: sorted(points) for name, points in lines.items()}


def across(size):
    low, high = math.log10(1e4), math.log10(1e9)
    return LEFT + (math.log10(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def up(gbps):
    return HEIGHT - BOTTOM - gbps / 400 * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", color="#444", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" '
            f'font-weight="{weight}">{words}</text>')


def spread(ends):
    """Moves labels apart so that none overlap."""
    placed = []
    for y, name in sorted(ends):
        placed.append((max(y, placed[-1][0] + 16) if placed else y, name))
    return placed


def draw(lines):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="system-ui, sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           text(LEFT, 24, "All-reduce over 64 GPUs on a 400 Gbps switch, 1 µs: bus bandwidth by size",
                "start", "#111", "bold")]
    for gbps in range(0, 401, 100):
        out.append(f'<path d="M{LEFT} {up(gbps):.1f}H{WIDTH - RIGHT}" stroke="#e0e0e0"/>')
        out.append(text(LEFT - 8, up(gbps) + 4, f"{gbps}", "end"))
    out.append(text(LEFT - 8, TOP - 6, "Gbps", "end"))
    for size, label in zip((1e4, 1e5, 1e6, 1e7, 1e8, 1e9),
                           ("10 kB", "100 kB", "1 MB", "10 MB", "100 MB", "1 GB")):
        out.append(text(across(size), HEIGHT - BOTTOM + 20, label))
    for name, points in lines.items():
        path = "L".join(f"{across(s):.1f} {up(g):.1f}" for s, g in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{ALGORITHMS[name]}" stroke-width="2.2"/>')
    ends = spread([(up(points[-1][1]), name) for name, points in lines.items()])
    for y, name in ends:
        words = name.replace("_", " ")
        out.append(text(WIDTH - RIGHT + 8, y + 4, words, "start", ALGORITHMS[name]))
    return "\n".join(out + ["</svg>\n"])


if __name__ == "__main__":
    (ROOT / "docs" / "algorithms.svg").write_text(draw(measure()), encoding="utf-8")
