#!/usr/bin/env python3
"""Checks that every Swift sample of README.md, docs/*.md and the DocC catalogues is part of a compiled file, line by line.

Most samples are in Documentation/Snippets, one file for each page. Those that tests run are in the test targets.
Imports may stand anywhere in the file. "…" in a sample stands for any code.

    scripts/check-snippets.py            compares the samples, and type-checks Documentation/Snippets with the built modules
    scripts/check-snippets.py compare    only compares them
"""
import glob
import os
import re
import shlex
import subprocess
import sys

import debugbuild

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SNIPPETS = os.path.join(ROOT, "Documentation", "Snippets")
# Compiled files with the samples of several pages. Tests run the code of the first two.
SHARED = ["Tests/EndToEndTests/Documents/ReadmeSamples.swift",
          "Tests/Lab/HoldfastTestKitTests/Documents/TestingPageSamples.swift"]
# Samples that are not compiled, with the reason.
LEFT_OUT = {
    "Sources/Chat/ChatCenterUI/Documentation.docc/ChatCenterUI.md": {1: "SwiftUI"},
    "Sources/Chat/ChatCenterUI/Documentation.docc/Views.md": {1: "SwiftUI", 2: "UIKit"},
    "Sources/Chat/ChatCenter/Documentation.docc/Push-Notifications.md": {2: "UIKit", 3: "UserNotifications"},
    "docs/clients.md": {3: "grpc-swift, which only the example GRPCClient uses"},
}


def pages():
    """Returns the files with samples: the README, the guides, and the pages of the DocC catalogues."""
    patterns = ["docs/*.md", "Sources/*/*/Documentation.docc/*.md", "Documentation/*.docc/*.md"]
    return ["README.md"] + sorted(os.path.relpath(path, ROOT) for pattern in patterns
                                  for path in glob.glob(os.path.join(ROOT, pattern)))


def lines(text):
    """Returns the lines without their indentation, and without empty lines."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def samples(page):
    """Returns the Swift samples of a page."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return [block.split("\n```")[0] for block in re.split(r"^```swift\n", file.read(), flags=re.M)[1:]]


def same(expected, actual):
    """Whether a line of a file is the line of a sample."""
    if "…" not in expected:
        return expected == actual
    return re.fullmatch(".*".join(re.escape(part) for part in expected.split("…")), actual) is not None


def contains(source, body):
    """Whether the lines of a file contain the lines of a sample, one after the other."""
    return any(
        all(same(line, source[start + offset]) for offset, line in enumerate(body))
        for start in range(len(source) - len(body) + 1))


def compiled(sample, source, manifest):
    """Whether a sample is part of a compiled file."""
    sample = lines(sample)
    if manifest:
        # The parts of a manifest stand in different places of it.
        return all(any(same(line.rstrip(","), other.rstrip(",")) for other in source) for line in sample
                   if not line.startswith("//"))
    for line in sample:
        if line.startswith("import ") and not any(
                re.fullmatch(re.escape(line.split("//")[0].strip()), re.sub(r"^public ", "", other)) for other in source):
            return False
    body = [line for line in sample if not line.startswith("import ")]
    part, parts = [], []
    for line in body + ["…"]:
        if line.startswith("…"):
            parts.append(part)
            part = []
        else:
            part.append(line)
    return all(contains(source, part) for part in parts if part)


def compare():
    """Returns the number of the samples and the problems."""
    sources = []
    for path in sorted(glob.glob(os.path.join(SNIPPETS, "*Snippets.swift"))) + [os.path.join(ROOT, s) for s in SHARED]:
        with open(path, encoding="utf-8") as file:
            sources.append(lines(file.read()))
    with open(os.path.join(SNIPPETS, "Manifest.swift"), encoding="utf-8") as file:
        manifest = lines(file.read())
    count, problems = 0, []
    for page in pages():
        left_out = LEFT_OUT.get(page, {})
        for number, sample in enumerate(samples(page), 1):
            count += 1
            if number in left_out:
                continue
            is_manifest = lines(sample)[0].startswith((".package(", ".product(", "dependencies:", "targets:"))
            if not any(compiled(sample, source, is_manifest) for source in ([manifest] if is_manifest else sources)):
                problems.append(f"{page}: sample {number} is not part of a compiled file: {lines(sample)[0]}")
        problems += [f"{page}: scripts/check-snippets.py leaves out sample {number}, which does not exist"
                     for number in left_out if number > len(samples(page))]
    problems += [f"{page}: scripts/check-snippets.py leaves out samples of this page, which does not exist"
                 for page in LEFT_OUT if page not in pages()]
    return count, problems


def type_check():
    """Type-checks the snippets with the modules of the last build."""
    built, plan = debugbuild.plan(ROOT)
    # The samples do not use all their results.
    files = sorted(glob.glob(os.path.join(SNIPPETS, "*Snippets.swift")))
    subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-module-name",
         "Snippets", "-I", os.path.join(built, "Modules")] + debugbuild.headers(plan) + files,
        check=True)
    tools = os.path.dirname(os.path.realpath(subprocess.run(
        ["which", "swiftc"], capture_output=True, text=True, check=True).stdout.strip()))
    subprocess.run(
        ["swiftc", "-typecheck", "-package-description-version", "6.1", "-I",
         os.path.join(os.path.dirname(tools), "lib", "swift", "pm", "ManifestAPI"),
         os.path.join(SNIPPETS, "Manifest.swift")], check=True)


def main():
    """Runs the command."""
    # The check itself must be able to fail.
    if compiled("import A\nlet a = 1\nlet b = 2", ["import A", "let a = 1", "let c = 3"], False):
        raise SystemExit("check-snippets: a sample with a changed line was not reported")
    count, problems = compare()
    for problem in problems:
        print(f"check-snippets: {problem}", file=sys.stderr)
    if problems:
        return 1
    if sys.argv[1:] != ["compare"]:
        try:
            type_check()
        except subprocess.CalledProcessError as error:
            print(f"check-snippets: failed: {shlex.join(error.cmd[:3])} …", file=sys.stderr)
            return 1
    left_out = sum(len(numbers) for numbers in LEFT_OUT.values())
    print(f"check-snippets: {count - left_out} of {count} samples are compiled as printed; "
          f"{left_out} need frameworks or packages that this check does not have")
    return 0


if __name__ == "__main__":
    sys.exit(main())
