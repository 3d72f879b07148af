"""Reads the last debug build, for scripts that compile with its modules."""
import os
import re
import subprocess


def plan(root):
    """Returns the folder of the built files and the text of the build plan."""
    built = subprocess.run(
        ["swift", "build", "--package-path", root, "--show-bin-path"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with open(os.path.join(os.path.dirname(os.path.dirname(built)), "debug.yaml"), encoding="utf-8") as file:
        return built, file.read()


def headers(plan):
    """Returns the compiler's options for the C modules that Swift modules import."""
    options = []
    for flag in sorted(set(re.findall(r'"-fmodule-map-file=[^"]*"|"-I","[^"]*/include"|"-I/[^"]*"', plan))):
        for part in flag.replace('"', "").split(","):
            options += ["-Xcc", part]
    return options
