#!/usr/bin/env python3
"""Draws docs/circuits_joint.svg, the picture in README.md, from the program's output.

One job on a switch, on circuit switches and on a ring of fiber: with the strategy that suits the
switch and circuits by a published rule, and with strategy and circuits planned together.
"""
import json
import math
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
JOB = {"model": "mixtral-8x7b", "batch": "16"}
DEVICES, BANDWIDTH = 16, "400 Gbps"
SHARED = f"bandwidth: {BANDWIDTH}, latency: 1 us"
SWITCH = f"{{kind: switch, {SHARED}}}"
OCS = f"{{kind: sip_ocs, switches: 4, {SHARED}}}"
OCS_RULE = f"{{kind: topoopt, degree: 4, split: rule, {SHARED}}}"
RING = f"{{kind: sip_ring, {SHARED}}}"
RING_RULE = f"{{kind: sip_ring, provisioner: max_min, {SHARED}}}"
DIMENSIONS = ("tensor", "pipeline", "data", "context", "expert")
PARTS = r"(tensor|pipeline|data|context|expert) (\d+)"
# The report's colors (web/report/palette.js): light, dark.
COLORS = {
    "tensor": ("#e69f00", "#f0b13c"), "data": ("#009e73", "#2cb88d"),
    "pipeline": ("#cc79a7", "#dd96bf"), "expert": ("#d55e00", "#ee7c3f"),
    "context": ("#56b4e9", "#8acdf3"), "other": ("#8a93a0", "#98a2b0"),
    "idle": ("#c9ced6", "#4a5260"),
}
WIDTH, HEIGHT, RADIUS = 1000, 372, 78
CENTERS, MIDDLE, BASE = (100, 300, 500, 700, 900), 168, 300


def simulate(fabric, strategy=""):
    """The result of the HTML report for the job on the fabric."""
    job = ", ".join(f"{key}: {value}" for key, value in JOB.items())
    text = (f"workload: {{{job}{strategy}}}\ngpus: {DEVICES}\naccelerator: a100\n"
            f"fabric: {fabric}\n")
    with tempfile.TemporaryDirectory() as folder:
        scenario, page = pathlib.Path(folder, "job.yaml"), pathlib.Path(folder, "job.html")
        scenario.write_text(text, encoding="utf-8")
        subprocess.run([str(ROOT / "lightloom"), "simulate", str(scenario), "--report", str(page)],
                       check=True, capture_output=True)
        html = page.read_text(encoding="utf-8")
    report = re.search(r'<script type="application/json" id="report">(.*?)</script>', html, re.S)
    return json.loads(report.group(1))["results"][0]


def fixed(strategy):
    """The degrees of a strategy as keys of a workload."""
    given = dict(re.findall(PARTS, strategy))
    return "".join(f", {key}: {given.get(key, 1)}" for key in DIMENSIONS)


def divided(count, weights):
    """Divides circuits among kinds of traffic by largest remainders, as the report does."""
    total = sum(weights.values())
    if total == 0:
        return ["idle"] * count
    exact = {kind: count * weight / total for kind, weight in weights.items()}
    given = {kind: math.floor(value) for kind, value in exact.items()}
    order = sorted(exact, key=lambda kind: (given[kind] - exact[kind], -weights[kind]))
    for kind in order[:count - sum(given.values())]:
        given[kind] += 1
    return [kind for kind, number in given.items() for _ in range(number)]


def colored(circuits):
    """The circuits of the first set, each with its kind of traffic."""
    names = [kind.get("category", "other") for kind in circuits["kinds"]]
    loads = {(row[0], row[1]): row[2:] for row in circuits["loads"][0]}
    pairs = {}
    for circuit in circuits["sets"][0]["circuits"]:
        pairs.setdefault((circuit[0], circuit[1]), []).append(circuit)
    for pair, members in pairs.items():
        weights = dict.fromkeys(COLORS, 0)
        for name, size in zip(names, loads.get(pair, [])):
            weights[name] += size
        yield from zip(members, divided(len(members), weights))


def place(device, radius, x):
    angle = 2 * math.pi * device / DEVICES - math.pi / 2
    return x + radius * math.cos(angle), MIDDLE + radius * math.sin(angle)


def chord(circuit, kind, x, beside):
    """A circuit of a switch: a curve toward the center, shifted to the right of its direction."""
    (x1, y1), (x2, y2) = place(circuit[0], RADIUS, x), place(circuit[1], RADIUS, x)
    length = math.hypot(x2 - x1, y2 - y1)
    shift, pull = 2.5 + 4 * beside, min(0.6, 0.4 * length / RADIUS)
    cx = (x1 + x2) / 2 * (1 - pull) + x * pull - (y2 - y1) / length * shift
    cy = (y1 + y2) / 2 * (1 - pull) + MIDDLE * pull + (x2 - x1) / length * shift
    return f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}"/>'


def arc(circuit, kind, x, circuits):
    """A circuit of a ring: an arc along the fiber, one track per fiber, direction, wavelength."""
    start, end, plane, wavelength = circuit
    track = plane * circuits["wavelengths"] + wavelength
    tracks = 2 * circuits["fibers"] * circuits["wavelengths"]
    radius = RADIUS - 6 - track * min(3.4, 52 / tracks)
    first, last = (end, start) if plane % 2 else (start, end)
    gap = 1.2 / radius * DEVICES / (2 * math.pi)
    long = int((last - first) % DEVICES > DEVICES / 2)
    (x1, y1), (x2, y2) = place(first + gap, radius, x), place(last - gap, radius, x)
    return (f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}A{radius:.1f} {radius:.1f} 0 {long} 1 '
            f'{x2:.1f} {y2:.1f}"/>')


def lines(result, x):
    circuits = result.get("circuits")
    if circuits is None:  # a switch: every device has one link
        for device in range(DEVICES):
            (x1, y1), (x2, y2) = place(device, RADIUS, x), place(device, 14, x)
            yield f'<path class="idle" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
        yield f'<rect class="node" x="{x - 13}" y="{MIDDLE - 13}" width="26" height="26" rx="5"/>'
        return
    seen = {}
    for circuit, kind in colored(circuits):
        if circuits["limits"] == "ring":
            yield arc(circuit, kind, x, circuits)
        else:
            pair = (circuit[0], circuit[1])
            seen[pair] = seen.get(pair, -1) + 1
            yield chord(circuit, kind, x, seen[pair])


def text(x, y, words, style="", anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{words}</text>'


def panel(result, name, x, best, slowest):
    took = result["iteration_time_ps"]
    out = [text(x, 62, name, "strong"), '<g fill="none" stroke-width="1.5">', *lines(result, x), "</g>"]
    for device in range(DEVICES):
        at = place(device, RADIUS, x)
        out.append(f'<circle class="node" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="3.6"/>')
    length = 160 * took / slowest
    out.append(f'<rect class="bar" x="{x - 80}" y="{BASE - 22}" width="{length:.1f}" height="9" rx="2"/>')
    seconds = f"{took / 1e12:.2f} s"
    out.append(text(x - 80, BASE + 6, seconds, "strong", "start"))
    if took != best:
        out.append(text(x + 80, BASE + 6, f"{took / best:.2f}× the switch", "soft", "end"))
    strategy = ", ".join(f"{key} {value}" for key, value in re.findall(PARTS, result["strategy"]))
    out.append(text(x - 80, BASE + 25, strategy, "soft small", "start"))
    return out


def style():
    def rules(shade):
        surface, words, soft, node, bar = (("#ffffff", "#161b22", "#57606c", "#8a93a0", "#0067a3"),
                                           ("#171c23", "#e7ebf0", "#a3adba", "#98a2b0", "#58aee8"))[shade]
        kinds = "".join(f"path.{kind}{{stroke:{both[shade]}}}rect.{kind}{{fill:{both[shade]}}}"
                        for kind, both in COLORS.items())
        return (f".page{{fill:{surface}}}text{{fill:{words}}}.soft{{fill:{soft}}}"
                f".node{{fill:{node}}}.bar{{fill:{bar}}}{kinds}")
    return (f"<style>{rules(0)}.strong{{font-weight:600}}.small{{font-size:11.5px}}"
            f"@media(prefers-color-scheme:dark){{{rules(1)}}}</style>")


def legend(results):
    used = [kind for kind in COLORS
            if any(kind == each for result in results if "circuits" in result
                   for _, each in colored(result["circuits"]))]
    out, x = [], 20
    for kind in used:
        name = "no traffic" if kind == "idle" else kind
        out += [f'<rect class="{kind}" x="{x}" y="{HEIGHT - 22}" width="10" height="10" rx="2"/>',
                text(x + 15, HEIGHT - 13, name, "soft", "start")]
        x += 36 + 7 * len(name)
    return out


def draw(panels):
    results = [result for _, result in panels]
    best, slowest = results[0]["iteration_time_ps"], max(r["iteration_time_ps"] for r in results)
    title = f"{JOB['model']} on {DEVICES} A100s with {BANDWIDTH} each: circuits by kind of traffic, time of an iteration"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="system-ui, sans-serif" font-size="13">', style(),
           f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
           text(20, 28, title, "strong", "start")]
    for x, (name, result) in zip(CENTERS, panels):
        out += panel(result, name, x, best, slowest)
    return "\n".join(out + legend(results) + ["</svg>\n"])


def main():
    switch = simulate(SWITCH)
    same = fixed(switch["strategy"])
    picture = draw([
        ("electrical switch", switch),
        ("circuit switches, by rule", simulate(OCS_RULE, same)),
        ("circuit switches, jointly", simulate(OCS)),
        ("ring of fiber, by rule", simulate(RING_RULE, same)),
        ("ring of fiber, jointly", simulate(RING)),
    ])
    (ROOT / "docs" / "circuits_joint.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
