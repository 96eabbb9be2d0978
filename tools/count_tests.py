"""Summarizes ctest's JUnit file: one line with the numbers of passed, failed and skipped tests, then
the name and reason of each skipped test."""

import re
import sys
import xml.etree.ElementTree as xml


def reason(output):
    found = re.search(r"^skipped: (.*)$|: Skipped\n(.+)$", output, re.MULTILINE)
    return (found[1] or found[2]) if found else "no reason given"


cases = list(xml.parse(sys.argv[1]).getroot().iter("testcase"))
failed = [case for case in cases if case.get("status") == "fail"]
skipped = [case for case in cases if case.get("status") in ("notrun", "disabled")]
print(len(cases) - len(skipped) - len(failed), len(failed), len(skipped))
for case in skipped:
    print(f"{case.get('name')}: {reason(case.findtext('system-out') or '')}")
