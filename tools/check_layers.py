#!/usr/bin/python3
"""Checks every include against layers.txt.

Usage: check_layers.py [ROOT]. Prints each violation as file:line: reason and exits 1 if there is
any. Violations: an include that the table does not allow or that is not relative to the root, a
file in a folder without an entry, a loom_library() that links more than the table allows, and a
cycle between folders or files. Types with two definitions are found by the linker: see preset lto.
"""

import os
import re
import sys
from pathlib import Path

SUFFIXES = {".cc", ".h", ".c", ".cpp", ".cxx", ".hpp", ".hh"}
SKIPPED_FOLDERS = {"build", "node_modules"}  # and every hidden folder
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
LIBRARY = re.compile(r"\s*loom_library\((\w+)(?:.*?\bUSES\b([\w\s]*?))?(?:\bLIBRARIES\b.*)?\)")


def read_table(path):
    """The table as {folder: the folders it may use, itself included}, and its violations."""
    table, breaches = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, colon, uses = line.partition(":")
        if not colon or folder in table:
            breaches.append(f"{path.name}:{number}: needs exactly one line `folder: uses` per folder")
        above = set(table) if "above" in uses.split() else set()
        table[folder] = (set(uses.split()) - {"above"}) | above | {folder}
    for folder, uses in table.items():
        for unknown in sorted(uses - set(table) - {"*"}):
            breaches.append(f"{path.name}: {folder} may use {unknown}, which has no line")
    return table, breaches


def find_cycle(edges):
    """One cycle of the graph {node: nodes}, as a list that ends where it began, or None."""
    done = set()

    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        for target in sorted(edges.get(node, ())):
            cycle = visit(target, path + [node])
            if cycle:
                return cycle
        done.add(node)
        return None

    return next(filter(None, (visit(node, []) for node in sorted(edges))), None)


def source_files(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(
            name for name in subfolders if name not in SKIPPED_FOLDERS and not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix in SUFFIXES:
                yield (Path(folder) / name).relative_to(root)


def folder_of(path):
    """The table's name for a file's folder: fabric for loom/fabric/ring.h; None at the root."""
    parts = Path(path).parts[:-1]
    if parts[:1] == ("loom",):
        parts = parts[1:]
    return parts[0] if parts else None


def check_includes(root, path, table):
    """The files of this repository that a file includes, and its violations."""
    included, breaches = set(), []
    uses = table[folder_of(path)]
    for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        used = folder_of(target)
        if target.startswith("loom/") or (quote == '"' and used in table):
            included.add(target)
            if "*" not in uses and used not in uses:
                allowed = " ".join(sorted(uses - {folder_of(path)})) or "nothing"
                breaches.append(f"{path}:{number}: {folder_of(path)} may not use {used} "
                                f"({target}); it may use: {allowed}")
        elif quote == '"':
            breaches.append(f'{path}:{number}: "{target}" is not relative to the root')
    return included, breaches


def check_links(root, table):
    path = Path("loom/CMakeLists.txt")
    if not (root / path).exists():
        return []
    breaches = []
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        match = LIBRARY.match(line)
        if match and match[1] in table:
            for used in sorted(set((match[2] or "").split()) - table[match[1]]):
                breaches.append(f"{path}:{number}: {match[1]} may not link {used}")
        elif match:
            breaches.append(f"{path}:{number}: {match[1]} has no line in layers.txt")
    return breaches


def check(root):
    """All violations below root, in file order."""
    table, breaches = read_table(root / "layers.txt")
    cycle = find_cycle({folder: uses - {folder, "*"} for folder, uses in table.items()})
    if cycle:
        breaches.append(f"layers.txt: a cycle: {' -> '.join(cycle)}")
    includes = {}
    for path in source_files(root):
        if folder_of(path) not in table:
            breaches.append(f"{path}: its folder has no line in layers.txt")
            continue
        includes[str(path)], found = check_includes(root, path, table)
        breaches += found
    cycle = find_cycle(includes)
    if cycle:
        breaches.append(f"{cycle[0]}: a cycle: {' -> '.join(cycle)}")
    return breaches + check_links(root, table)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    breaches = check(root)
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
