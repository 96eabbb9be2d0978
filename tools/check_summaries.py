#!/usr/bin/python3
"""Checks that summaries of parameters and help texts of options are noun phrases.

Usage: check_summaries.py [ROOT]. A summary is read apart from its name, in tables and in --help, so
one that begins with a preposition or in the middle of a sentence is refused as file:line: reason,
and the exit code is 1. A summary is the literal after `.summary =`, or the argument of a function
whose parameter is called summary, help or description: add_option, add_subcommand, and whatever
else is declared in a header, or in the same file. Which functions those are is read from the
sources, so a new one needs no line here.
"""

import os
import re
import sys
from pathlib import Path

PREPOSITIONS = set("""about above across after against along among around as at because before
    behind below beneath beside between beyond but by despite down during except for from in inside into
    near of off on onto out outside over past per since through throughout to toward towards under
    until up upon via with within without""".split())
HALF_SENTENCES = set("what who whom whose which where when how that why".split())
# First two words of phrases that may begin with a preposition: "up to 8 threads".
PHRASES = {("up", "to")}
FOLDERS = ("loom", "cli", "bpf")

LITERAL = r'"((?:\\.|[^"\\\n])*)"'
COMMENT = re.compile(rf"(?P<literal>{LITERAL})|//[^\n]*|/\*.*?\*/", re.S)
FIELD = re.compile(rf"\.summary\s*=\s*{LITERAL}")
FUNCTION = re.compile(
    r"\b(\w+)\(((?:[^(){};]|\([^(){};]*\))*?\bstd::string(?:_view)?(?: const)?&?"
    r" (?:summary|help|description)\b"
    r"(?:[^(){};]|\([^(){};]*\))*)\)")
PARAMETER = re.compile(r"&? ?\b(?:summary|help|description)\b(?: = [^,]*)?$")
WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def without_comments(text):
    """The text with comments blanked, at the same offsets."""
    return COMMENT.sub(
        lambda it: it[0] if it["literal"] else re.sub(r"[^\n]", " ", it[0]), text)


def source_files(root):
    for top in FOLDERS:
        for folder, subfolders, names in os.walk(root / top):
            subfolders.sort()
            for name in sorted(names):
                if re.search(r"(?<!_test)\.(?:cc|h)$", name):
                    yield (Path(folder) / name).relative_to(root)


def arguments(text, begin):
    """The arguments of the call whose parenthesis opens before begin: [(offset, text)]."""
    found, depth, start = [], 0, begin
    for match in re.compile(rf"{LITERAL}|'(?:\\.|[^'])'|[][(){{}},;]").finditer(text, begin):
        token = match[0]
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}") and depth > 0:
            depth -= 1
        elif depth == 0 and token in (")", "]", "}", ";"):
            return found + [(start, text[start:match.start()])]
        elif token == "," and depth == 0:
            found.append((start, text[start:match.start()]))
            start = match.end()
    return found


def functions_in(text):
    """The functions declared in a text that take a summary: {name: the argument's index}."""
    return {match[1]: index for match in FUNCTION.finditer(text)
            for index, (_, argument) in enumerate(arguments(text, match.start(2)))
            if PARAMETER.search(argument.rstrip())}


def summaries(text, functions):
    """Every summary of a source: (offset, text)."""
    for match in FIELD.finditer(text):
        yield match.start(1), match[1]
    if not functions:
        return
    for call in re.finditer(rf"\b({'|'.join(sorted(functions))})\(", text):
        given = arguments(text, call.end())
        index = functions[call[1]]
        literal = re.search(LITERAL, given[index][1]) if index < len(given) else None
        if literal:
            yield given[index][0] + literal.start(1), literal[1]


def objection(summary):
    words = [it.lower() for it in WORD.findall(summary)[:2]]
    if not words or tuple(words) in PHRASES or not summary[0].isalpha():
        return None
    if words[0] in PREPOSITIONS | HALF_SENTENCES:
        return f"summary begins with '{words[0]}'; a noun phrase that stands alone is needed"
    return None


def check(root):
    """Every violation below root, in the order of the files."""
    texts = {path: without_comments((root / path).read_text(errors="replace"))
             for path in source_files(root)}
    shared = {}
    for path, text in texts.items():
        if path.suffix == ".h":
            shared |= functions_in(text)
    violations = []
    for path, text in texts.items():
        for offset, summary in sorted(summaries(text, shared | functions_in(text))):
            reason = objection(summary)
            if reason:
                number = text.count("\n", 0, offset) + 1
                violations.append(f"{path}:{number}: {reason}")
    return violations


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations = check(root)
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
