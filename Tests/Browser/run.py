#!/usr/bin/env python3
"""Runs the browser tests.

    run.py --holdfast .build/debug/holdfast            all tests
    run.py --only sending --only test_files            tests whose file or name contains one of the words
    run.py --only kills --kills 1000 --seed 7          a thousand random kills
    run.py --only kills --kills 1000 --jobs 4          the same, divided among four workers
"""

import argparse
import faulthandler
import os
import pathlib
import subprocess
import sys
import threading
import time
import traceback
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent


class Result(unittest.TestResult):
    """Prints a line for each test, and keeps pictures of failed ones."""

    kills = 0

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        # A test that waits for something without a limit ends the run, with the place where it waits.
        faulthandler.dump_traceback_later(180 + 10 * self.kills, exit=True)

    def stopTest(self, test):
        faulthandler.cancel_dump_traceback_later()
        super().stopTest(test)

    def _line(self, word, test, text=""):
        took = time.monotonic() - getattr(self, "began", time.monotonic())
        print(f"{word:4} {test.id()} ({took:.1f} s){text}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line("skip", test, f": {reason}")

    def _keep(self, test):
        from harness import Suite
        notes = []
        Suite.failures.mkdir(parents=True, exist_ok=True)
        for number, screen in enumerate(getattr(test, "screens", [])):
            path = Suite.failures / f"{test.id()}-{number}.png"
            try:
                screen.page.screenshot(path=str(path), timeout=3000)
                path.with_suffix(".html").write_text(screen.page.content())
                notes.append(f"  picture: {path}")
            except Exception:  # The page is closed, or its process is paused.
                continue
        for process in getattr(test, "processes", []):
            notes.append(process.child.log(25))
        if getattr(test, "server", None):
            notes.append(test.server.child.log(15))
        return "\n".join(notes)

    def _failed(self, test, error):
        text = "".join(traceback.format_exception(*error))
        print(f"FAIL {test.id()}\n{text}{self._keep(test)}\n", flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failed(subtest, err)


def flatten(suite):
    """Returns the tests of a suite in order."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def files(words):
    """Returns the test files in which a word occurs, as a name of the file or of a test."""
    found = sorted(path.stem for path in FOLDER.glob("test_*.py"))
    if not words:
        return found
    text = {name: (FOLDER / f"{name}.py").read_text() for name in found}
    return [name for name in found if any(word in name or word in text[name] for word in words)]


def run(options):
    """Runs the tests of the chosen files in this process, and returns whether all succeeded."""
    sys.path.insert(0, str(FOLDER))
    from harness import Suite
    Suite.binary = pathlib.Path(options.holdfast).resolve()
    Suite.chromium = options.chromium
    Suite.seed, Suite.kills, Suite.headed = options.seed, options.kills, options.headed
    Suite.failures = pathlib.Path(options.failures)
    loader = unittest.TestLoader()
    tests = []
    for name in options.files or files(options.only):
        tests += flatten(loader.loadTestsFromName(name))
    if loader.errors:
        print("\n".join(loader.errors))
        return False
    if options.only:
        tests = [test for test in tests if any(word in test.id() for word in options.only)]
    result = Result()
    result.kills = options.kills
    unittest.TestSuite(tests).run(result)
    Suite.close()
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun} tests, {failed} failed, {len(result.skipped)} skipped", flush=True)
    return failed == 0 and (result.testsRun > 0 or bool(options.files))


# Files that take longest come first, so that the workers end at about the same time.
LONG = ["test_kills", "test_accessibility", "test_hostile", "test_banners", "test_files", "test_sending"]


FEW_KILLS = 50
"""Fewer kills than twice this number are not divided: a part must be long enough for a long conversation."""


def parts(names, options):
    """Returns the work of the workers: the file, the seed and the number of kills of each part.

    A worker for kills mostly waits for connections, so several need little more time than one. Each has a browser, a
    server, a user and a seed of its own, and checks everything after each of its kills.
    """
    found = [name for name in LONG if name in names] + [name for name in names if name not in LONG]
    work = []
    for name in found:
        count = max(1, min(options.jobs, options.kills // FEW_KILLS)) if name == "test_kills" else 1
        for part in range(count):
            kills = options.kills * (part + 1) // count - options.kills * part // count
            work.append((name, options.seed + part, kills))
    return work


def share(work, options):
    """Runs the parts in several worker processes, each with a browser and servers of its own. Returns the names of the
    failed ones."""
    words = ["--holdfast", options.holdfast, "--chromium", options.chromium, "--failures", options.failures,
             "--jobs", "1", *(["--headed"] if options.headed else [])]
    words += [word for only in options.only for word in ("--only", only)]
    several = {name for name, seed, _ in work if seed != options.seed}
    lock, failed, unstable = threading.Lock(), [], []

    def label(part):
        return f"{part[0]} --seed {part[1]} --kills {part[2]}" if part[0] in several else part[0]

    def begin(part):
        name, seed, kills = part
        command = [sys.executable, __file__, *words, "--seed", str(seed), "--kills", str(kills), "--file", name]
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return worker.communicate()[0], worker.returncode

    def run_parts():
        while True:
            with lock:
                if not work:
                    return
                part = work.pop(0)
            output, code = begin(part)
            with lock:
                print(output, end="", flush=True)
                if code:
                    failed.append(part)

    threads = [threading.Thread(target=run_parts) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A browser and a slow machine can miss a time limit. Alone, the file has the whole machine.
    for part in list(failed) if options.repeat else []:
        print(f"repeating {label(part)}", flush=True)
        output, code = begin(part)
        print(output, end="", flush=True)
        if not code:
            failed.remove(part)
            unstable.append(label(part))
    if unstable:
        print(f"browser tests: unstable, succeeded only when repeated: {', '.join(sorted(unstable))}")
    return [label(part) for part in failed]


def main():
    """Parses the command line and runs the tests."""
    parser = argparse.ArgumentParser(description="Runs the browser tests.")
    parser.add_argument("--holdfast", default=".build/debug/holdfast", help="the tool to test")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    parser.add_argument("--only", action="append", default=[], help="a part of a test's name; repeatable")
    parser.add_argument("--file", dest="files", action="append", default=[], help="a test file; repeatable")
    parser.add_argument("--seed", type=int, default=20, help="the seed of the random numbers (default: 20)")
    parser.add_argument("--kills", type=int, default=50, help="the number of random kills (default: 50)")
    parser.add_argument(
        "--jobs", type=int, default=min(2, os.cpu_count() or 1),
        help="workers that run at the same time; --kills of 100 or more are divided among them")
    parser.add_argument("--repeat", action="store_true", help="run each failed file a second time, by itself")
    parser.add_argument("--headed", action="store_true", help="show the browser's window")
    parser.add_argument("--failures", default=".build-browser/failures", help="the folder for pictures of failures")
    options = parser.parse_args()
    if not os.access(options.holdfast, os.X_OK):
        sys.exit(f"run.py: {options.holdfast} is not a program; build it with: swift build --product holdfast")
    started = time.monotonic()
    names = options.files or files(options.only)
    work = parts(list(names), options)
    if options.jobs > 1 and len(work) > 1:
        failed = share(work, options)
        took = time.monotonic() - started
        print(f"browser tests: {len(names)} files in {took:.0f} s; "
              + (f"failed: {', '.join(sorted(failed))}" if failed else "all succeeded"))
        return 1 if failed else 0
    return 0 if run(options) else 1


if __name__ == "__main__":
    sys.exit(main())
