#!/usr/bin/python3
"""Keeps words outside the glossary (docs/glossary.md) and British spellings out of the sources.

Usage: check_words.py [ROOT]. Prints each violation as file:line: 'old' found; say 'new', and exits
1 if there is one. Two scopes are checked, each by the rules that name it:
  names   identifiers in C++, keys in its string literals and file names, all split into words at
          `_` and at changes of case: kMaxLinksDrawn is read as "max links drawn"
  prose   comments and string literals in C++, names of TESTs (sentences, split into words), and
          the complete text of docs, README.md, examples and other files
An old word with an ordinary sense is denied in names, where it is easy to avoid; in prose only the
phrases that have no ordinary sense are denied.
"""

import bisect
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

NAMES, PROSE = frozenset({"names"}), frozenset({"prose"})
BOTH = NAMES | PROSE


class Rule(NamedTuple):
    old: str  # regex of words; a space stands for any white space, also across lines of a comment
    say: str
    scope: frozenset
    allowed: str = ""  # regex of phrases with the ordinary sense
    paths: str = ""  # regex of paths: the rule holds only there
    exempt: str = ""  # regex of paths with the ordinary sense


OPTICS = r"photonic|lightning|^tests/hardware"  # light itself is the subject: modulated, detected
# Files in which "drawn" and "wide" have their ordinary sense: lines are drawn, columns are wide.
PICTURES = r"^loom/report|^web|compatib|digits|_claims|^tools/picture"
MESSAGE = r"(?:jobs?|collectives?|transfers?|flows?|messages?)"

RULES = [
    # Paths and parallelization
    Rule(r"ways?", "path, route, degree or candidate", NAMES),
    Rule(r"ways? to (?:cut|shard|partition|split|place)(?: it)?", "candidate strategies", PROSE),
    Rule(r"(?:another|shortest|longest) ways?|other ways", "path", PROSE),
    Rule(r"(?:equal|parallel) ways", "paths", PROSE),
    Rule(r"cuts?|cutting", "partition or shard", NAMES, allowed=r"cut through|min cut"),
    Rule(r"(?:is|are|be|been|being|was|were|model|layers?|operators?|not|jobs?) cut|cutting|cuts",
         "partitioned or sharded", PROSE,
         allowed=r"cut (?:off|short|through|out|at|down)|cuts? (?:off|through|the (?:time|cost))"),
    # Circuits
    Rule(r"lit|relit|unlit|lighting|lights?|relight", "provisioned, provisioning or circuit", NAMES,
         allowed=r"light ?(?:paths?|weight)", exempt=OPTICS),
    Rule(r"lit|relit|unlit|lighting|relight(?:s|ed|ing)?|lights (?:a|the|its|up|circuits?)",
         "provisioned", PROSE, exempt=OPTICS),
    Rule(r"pass(?:ed|es|ing)? on", "forward, relay or transit traffic", BOTH),
    Rule(r"grounds?|grounded|grounding", "network provider or mapped job", NAMES),
    Rule(r"grounded|the ground of|a job's ground", "network provider or mapped job", PROSE),
    Rule(r"strewn", "scattered", BOTH),
    Rule(r"narrowest", "bottleneck", BOTH),
    Rule(r"wide|widest|narrow", "bandwidth or bottleneck", NAMES,
         paths=r"^loom/(?:fabric|plan|simulate|transport|jobs|run|scenario)"),
    Rule(r"(?:narrow|wide|wider|narrower|widest) (?:links?|paths?|ports?|networks?|trunks?)",
         "the link's bandwidth", PROSE),
    Rule(r"joins|joined", "edge", NAMES, paths=r"^loom/fabric"),
    Rule(r"meanwhile", "unserved", NAMES),
    # Times and limits
    Rule(r"prices?|priced|pricing", "estimate or predicted time", NAMES,  # elsewhere it is money
         paths=r"^loom/(?:model|parallelize|place|workload|fabric|transport|simulate|plan|jobs)"),
    Rule(r"priced by|(?:engine|search|planner)s? prices?", "estimated", PROSE),
    Rule(r"least", "min or lower bound", NAMES, allowed=r"at least|least (?:loaded|squares)"),
    Rule(r"least times?", "lower bound", PROSE),
    Rule(r"most", "max", NAMES, allowed=r"at most"),
    Rule(r"moments?", "time point", NAMES),
    Rule(r"moments?", "time point or instant", PROSE,
         allowed=r"(?:at|for) the moment|moments of an? \w+ distribution|"
                 r"(?:optimizer|Adam's|one|two|weights and) moments?"),  # Adam keeps two per weight
    Rule(r"turn|turned", "rotation or time shift", NAMES,
         paths=r"^loom/(?:jobs/cassini|compatibility)"),
    Rule(r"turned by", "rotated by", PROSE),
    Rule(r"days?", "cluster trace or scheduling simulation", NAMES),
    Rule(r"clusters?'s? day|day of (?:a|the) cluster", "cluster trace", PROSE),
    # Parts, wholes and kinds of values
    Rule(r"parts?", "subnetwork, component, fraction, rank task or section", NAMES,
         allowed=r"takes? part"),
    Rule(r"the whole of", "all of", PROSE),
    Rule(r"whole numbers?", "integer", BOTH),
    Rule(r"alike", "equivalent or the same", BOTH),
    # Contention and randomness
    Rule(r"alone|lone", "isolated or uncontended", NAMES),
    Rule(rf"lone|{MESSAGE} (?:runs? |is |are )?alone", "isolated or uncontended", PROSE),
    Rule(r"chances?", "random", NAMES),
    Rule(r"by chance", "random or at random", PROSE),
    Rule(r"drawn", "sampled", NAMES, exempt=PICTURES),
    Rule(r"(?:requests|times|sizes|inputs|jobs|samples) (?:that )?are drawn|"
         r"drawn (?:from|at random|ones?|requests?|times?)", "sampled", PROSE, exempt=PICTURES),
    Rule(r"meets?|met", "contend or share", NAMES),
    Rule(rf"{MESSAGE} (?:that )?meet|meets? nobody|meet (?:on|at) (?:a|the|one) link", "contend",
         PROSE),
    Rule(r"mend(?:s|ed|ing)?", "fix", BOTH),
    # Spelling
    Rule(r"\w*colour\w*", "color", BOTH),
    Rule(r"\w*fibre\w*", "fiber", BOTH),
    Rule(r"\w*neighbour\w*", "neighbor", BOTH),
    Rule(r"\w*(?:behaviour|favour|honour)\w*", "-or", BOTH),
    Rule(r"centred?|centres|centring|(?:kilo)?metres?", "center, meter", BOTH),
    Rule(r"licences?|defence|artefacts?|grey|misspelt|acknowledgements?",
         "license, defense, artifact, gray, misspelled, acknowledgment", BOTH),
    Rule(r"\w*(?:modell|labell|cancell|travell|signall)(?:ed|ing|er)", "one l, as in modeled",
         BOTH),
    Rule(r"\w*(?:optimi|utili|reali|normali|seriali|paralleli|synchroni|organi|minimi|maximi|"
         r"initiali|summari|recogni|priori|generali|quanti|randomi|visuali)"
         r"s(?:e[drs]?|ing|ations?)",
         "-ize", BOTH),
    Rule(r"analys(?:e[drs]?|ing)", "analyze", BOTH, allowed=r"analyses of"),
]

# Files to which no rule applies.
SKIPPED = re.compile(
    r"^tools/check_words|"  # the table itself
    r"^CHANGELOG\.md$|"  # tells what was renamed
    r"renamed(?:_options)?(?:_test)?\.(?:cc|h)$|"  # the old names that users are told about
    r"^tests/(?:golden/expected|fuzz/corpus)/|"  # written by the program; what others may feed it
    r"(?:^|/)(?:build|node_modules|\.[^/]+)/|package-lock")
PLAIN = {".md", ".yaml", ".py", ".js", ".mjs", ".css", ".sh", ".cmake"}
CPP = {".cc", ".h", ".c"}

# Lines that may contain an old word: regex of the path, regex of the line.
KEPT = [
    (r"^loom/base/settings_test\.cc$", r"'?colour"),  # a key misspelled, and the right one offered
    (r"^(loom/cost/prices_test|tests/hostile/\w+)\.cc$", r"fibres?\b"),  # old names are refused
]

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"|'
    r'"(?P<string>(?:\\.|[^"\\\n])*)"|[0-9][\w\'.]*|\'(?:\\.[^\']*|[^\'\\\n])\'|'
    r"#\s*include[^\n]*|\bTEST(?:_[FP])?\(\s*\w+,\s*(?P<test>\w+)\s*\)|"
    r"(?P<name>[A-Za-z_]\w*)", re.S)
KEY = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MARKER = re.compile(r"^[ \t]*(?://+|/?\*+/?)|\\n|^[ \t]*#", re.M)
GAP = "\x01"  # code between two comments or literals: no phrase reaches across it


def words_of(name):
    """kMaxLinksDrawn -> max links drawn"""
    words = WORD.findall(name)
    if len(words) > 1 and words[0] == "k":
        words = words[1:]
    return " ".join(words).lower()


def blanked(match):
    return " " * len(match[0])


class Excerpt:
    """Pieces of a text, which knows where in the text each was. Pieces with nothing but white space
    between them are read as one; no phrase reaches across code."""

    def __init__(self):
        self.text, self.starts, self.end = "", [], 0

    def add(self, source, match, kind):
        apart = source[self.end:match.start()].strip()
        self.text += GAP if apart else " "
        self.starts.append((len(self.text), match.start(kind)))
        self.text += MARKER.sub(blanked, match[kind])
        self.end = match.end()

    def offset(self, at):
        begin, source = self.starts[bisect.bisect(self.starts, (at, sys.maxsize)) - 1]
        return source + at - begin


def take_apart(text):
    """A C++ source as names and TESTs [(offset, name)], and excerpts: its comments, its strings."""
    names, tests, comments, strings = [], [], Excerpt(), Excerpt()
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "name":
            names.append((match.start(), match[0]))
        elif kind == "test":
            tests.append((match.start("test"), match["test"]))
        elif kind == "comment":
            comments.add(text, match, "comment")
        elif kind in ("raw", "string"):
            if KEY.fullmatch(match[kind]):
                names.append((match.start(kind), match[kind]))
            strings.add(text, match, kind)
    return names, tests, comments, strings


def compiled(words):
    return re.compile(r"(?<![\w-])(?:" + words.replace(" ", r"\s+") + r")(?![\w-])", re.I)


PATTERNS = [(rule, compiled(rule.old), compiled(rule.allowed) if rule.allowed else None)
            for rule in RULES]


def rules_for(path, scope):
    return tuple(it for it in PATTERNS
                 if scope in it[0].scope and re.search(it[0].paths, path)
                 and not (it[0].exempt and re.search(it[0].exempt, path)))


def find(text, rules):
    """The violations of a text: (offset, the words found, what to say)."""
    for rule, old, allowed in rules:
        fine = [it.span() for it in allowed.finditer(text)] if allowed and old.search(text) else []
        for match in old.finditer(text):
            if not any(begin < match.end() and match.start() < end for begin, end in fine):
                yield match.start(), " ".join(match[0].split()), rule.say


def check_cpp(text, names_rules, prose_rules):
    names, tests, comments, strings = take_apart(text)
    for group, rules in ((names, names_rules), (tests, prose_rules)):
        found = {name: list(find(words_of(name), rules)) for name in {it[1] for it in group}}
        for offset, name in group:
            yield from ((offset, f"{old}' in '{name}", say) for _, old, say in found[name])
    for excerpt in (comments, strings):
        for at, old, say in find(excerpt.text, prose_rules):
            yield excerpt.offset(at), old, say


def kept(path, line):
    return any(re.search(where, path) and re.search(what, line) for where, what in KEPT)


def check_file(root, path):
    names_rules, prose_rules = rules_for(path, "names"), rules_for(path, "prose")
    stem = words_of(Path(path).name.split(".")[0])
    violations = [f"{path}: '{old}' found in the name of the file; say '{say}'"
                for _, old, say in find(stem, names_rules)]
    suffix = Path(path).suffix
    if suffix not in CPP | PLAIN and Path(path).name != "CMakeLists.txt":
        return violations
    text = (root / path).read_text(errors="replace")
    if suffix in CPP:
        found = check_cpp(text, names_rules, prose_rules)
    else:
        found = find(MARKER.sub(blanked, text), prose_rules)
    lines = text.split("\n")
    for offset, old, say in sorted(found):
        number = text.count("\n", 0, offset)
        if not kept(path, lines[number]):
            violations.append(f"{path}:{number + 1}: '{old}' found; say '{say}'")
    return violations


def files_below(root):
    for folder, subfolders, names in os.walk(root):
        at = Path(folder).relative_to(root)
        subfolders[:] = sorted(it for it in subfolders if not SKIPPED.search(f"{at / it}/"))
        yield from (str(at / it) for it in sorted(names) if not SKIPPED.search(str(at / it)))


def check(root):
    """Every violation below root, in the order of the files."""
    return [violation for path in files_below(root) for violation in check_file(root, path)]


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations = check(root)
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
