#!/usr/bin/env python3
"""Follows the tutorials of Documentation/Holdfast.docc/Tutorials literally, from an empty folder.

Each step writes the file that the step shows, or runs its commands and compares their output. After each step that
changes a Swift file, the package must compile. The commands of a tutorial accept a real server, and refuse one.

    scripts/check-tutorials.py               follows all tutorials with the modules of the last `./run test`, in minutes
    scripts/check-tutorials.py WORD...       only the tutorials whose file name contains a word
    scripts/check-tutorials.py --real DIR    with SwiftPM instead of the built modules, in DIR. It builds all dependencies

The text of a step with the name "Terminal", "Second terminal" or "Third terminal" has commands after "$ ". The lines
that follow are the output; "…" stands for any text, and a line "…" for any lines. The commands of the other terminals
are servers, and "^C" ends them.
Without --real, `swift` is replaced by a program that compiles with the modules of this checkout, and every port by a
free one. The placeholders of pins are replaced by the pins of the keys that the commands made, as the reader does.
"""
import base64
import hashlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import debugbuild

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TUTORIALS = os.path.join(ROOT, "Documentation", "Holdfast.docc", "Tutorials")
RESOURCES = os.path.join(TUTORIALS, "Resources")
PORTS = ["8443", "8475", "8476"]
# The placeholders of pins in the code, and the certificate or public key whose pin replaces them.
PINS = {
    "sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc=": "server.pem",
    "sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI=": "backup.pem",
    "sha256/uv4iooYPKro2fDhUMBPVm4kdQlFCg4r5yv3AHrsNeDI=": "attacker.pem",
    "sha256/6lpKXV5rzcIQKiNv7kNgE+istPhL0ZAZLpNLv9bZdN4=": "ca.pem",
    "sha256/h9E2hlPM8kZ8qXKsYd3kUZAkUW0n1zoYxBsF4HJ0ev8=": "next.pem",
}
TERMINALS = ("Second terminal", "Third terminal")
SECONDS = 300


class Failure(Exception):
    """A tutorial that cannot be followed."""


def steps(tutorial):
    """Returns the name and the file of each @Code of a tutorial, in order."""
    with open(os.path.join(TUTORIALS, tutorial), encoding="utf-8") as file:
        found = re.findall(r'@Code\(name: "([^"]+)", file: ([^\s,)]+)', file.read())
    if not found:
        raise Failure("it has no steps")
    return found


def commands(text):
    """Returns the commands of a terminal's text, each with the expected output."""
    result = []
    for line in text.splitlines():
        if line.startswith("$ "):
            result.append([line[2:], []])
        elif line == "^C":
            result.append(["^C", []])
        elif result and not result[-1][1] and result[-1][0].endswith("\\"):
            result[-1][0] += "\n" + line
        elif result:
            result[-1][1].append(line)
        else:
            raise Failure(f"the text does not begin with a command: {line}")
    return result


def matches(expected, actual):
    """Whether the output matches the expected lines, in which an ellipsis stands for anything."""
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"\s*\n"
    text = "".join(line.rstrip() + "\n" for line in actual.splitlines())
    return re.fullmatch(pattern, text) is not None


def pin(path):
    """Returns the pin of a certificate or of a public key."""
    with open(path, encoding="utf-8") as file:
        pem = file.read()
    if "CERTIFICATE" in pem:
        pem = subprocess.run(
            ["openssl", "x509", "-noout", "-pubkey"], input=pem, capture_output=True, text=True, check=True).stdout
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "DER"], input=pem.encode(), capture_output=True, check=True).stdout
    return "sha256/" + base64.b64encode(hashlib.sha256(der).digest()).decode()


def free_port():
    """Returns a free port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Follower:
    """The reader of one tutorial, with two terminals."""

    def __init__(self, folder, real):
        self.folder = folder
        self.where = folder
        self.real = real
        self.status = 0
        self.servers = {}
        self.count = 0
        self.ports = {port: port if real else free_port() for port in PORTS}
        self.environment = dict(os.environ)
        for name in ("HOLDFAST_TARGETS", "HOLDFAST_TESTS", "SSL_CERT_FILE"):
            self.environment.pop(name, None)
        if not real:
            shims = os.path.join(os.path.dirname(os.path.dirname(folder)), "bin")
            self.environment["PATH"] = shims + ":" + self.environment["PATH"]

    def as_here(self, text):
        """The text with the ports and pins of this run."""
        for port, own in self.ports.items():
            text = re.sub(rf"\b{port}\b", own, text)
        for placeholder, name in PINS.items():
            path = os.path.join(self.where, name)
            if placeholder in text and os.path.exists(path):
                text = text.replace(placeholder, pin(path))
        return text

    def as_written(self, text):
        """The output with the ports and pins of the tutorial, without colors."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        for port, own in self.ports.items():
            text = re.sub(rf"\b{own}\b", port, text)
        for placeholder, name in PINS.items():
            path = os.path.join(self.where, name)
            if "sha256/" in text and os.path.exists(path):
                text = text.replace(pin(path), placeholder)
        return text

    def step(self, name, resource):
        """Does one step."""
        with open(os.path.join(RESOURCES, resource), encoding="utf-8") as file:
            text = file.read()
        if name == "Terminal":
            for command, expected in commands(text):
                self.run(command, expected)
        elif name in TERMINALS:
            for command, _ in commands(text):
                self.stop(name) if command == "^C" else self.serve(name, command)
        else:
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.as_here(text))
            if name.endswith(".swift") and not self.real:
                self.run("swift package dump-package >/dev/null" if name.endswith("Package.swift") else "swift build",
                         ["…"], where=os.path.join(self.folder, name.split("/")[0]))

    def run(self, command, expected, where=None):
        """Runs a command of the first terminal and compares its output."""
        self.count += 1
        after = os.path.join(os.path.dirname(self.folder), "after")
        script = f"(exit {self.status})\n{self.as_here(command)}\nstatus=$?; pwd >{shlex.quote(after)}; exit $status\n"
        try:
            done = subprocess.run(
                ["bash", "-c", script], cwd=where or self.where, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=7200 if self.real else SECONDS)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"$ {command}\nran longer than {error.timeout:.0f} s") from error
        if where is None:
            self.status = done.returncode
            with open(after, encoding="utf-8") as file:
                self.where = file.read().rstrip("\n")
        elif done.returncode:
            raise Failure(f"the package does not compile:\n{done.stdout}")
        output = self.as_written(done.stdout)
        if os.environ.get("TUTORIAL_OUTPUT"):
            print(f"$ {command}\n{output}", end="", flush=True)
        if not matches(expected or ["…"], output):
            wanted = "\n".join(expected)
            raise Failure(f"$ {command}\nprinted:\n{output}\nexpected:\n{wanted}")
        if done.returncode and not expected:
            raise Failure(f"$ {command}\nfailed with exit code {done.returncode}:\n{output}")

    def serve(self, name, command):
        """Starts a command of another terminal and waits until its port accepts connections."""
        self.stop(name)
        self.count += 1
        local = self.as_here(command)
        log = open(os.path.join(os.path.dirname(self.folder), name + ".log"), "w", encoding="utf-8")
        server = self.servers[name] = subprocess.Popen(
            ["bash", "-c", "exec " + local], cwd=self.where, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        port = next((own for own in self.ports.values() if re.search(rf"\b{own}\b", local)), None)
        if port is None:
            raise Failure(f"$ {command}\nnames none of the ports {', '.join(PORTS)}")
        for _ in range(72000 if self.real else 600):
            if server.poll() is not None:
                raise Failure(f"$ {command}\nended:\n{open(log.name, encoding='utf-8').read()}")
            with socket.socket() as probe:
                # A socket can get the port that it connects to, and then accepts itself.
                if probe.connect_ex(("127.0.0.1", int(port))) == 0 and probe.getsockname()[1] != int(port):
                    return
            time.sleep(0.1)
        raise Failure(f"$ {command}\ndoes not listen on port {port}")

    def stop(self, name):
        """Ends the command of another terminal, as Control-C does."""
        server = self.servers.pop(name, None)
        if server is None:
            return
        os.killpg(server.pid, signal.SIGINT)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


SHIM = r"""#!/bin/sh
# Replaces `swift build`, `swift run` and `swift test` in a package that depends on Holdfast: compiles with the modules
# of the checkout, and links with the objects of its tests.
set -eu
command=$1; shift
if [ "$command" = package ]; then exec '@SWIFT@' package "$@"; fi
flags='-swift-version 6 -warnings-as-errors -enable-testing -parse-as-library -Onone -I @BUILT@/Modules -I .shim @HEADERS@'
mkdir -p .shim
# Files that did not change since the last command are not compiled and linked again.
sum=$(cat Package.swift Sources/*/*.swift Tests/*/*.swift 2>/dev/null | cksum)
[ "$(cat .shim/sum 2>/dev/null)" = "$sum" ] || { rm -rf .shim; mkdir .shim; }
objects=
for folder in Sources/* Tests/*; do
    [ -n "$(ls "$folder"/*.swift 2>/dev/null)" ] || continue
    name=${folder#*/}
    [ "$folder" = "Sources/$name" ] || [ "$command" = test ] || [ "$command" = build ] || continue
    # Each import of a module of Holdfast needs a dependency in the manifest.
    for module in $(sed -nE 's/^(@testable )?import ((Holdfast|Chat)[A-Za-z]*)$/\2/p' "$folder"/*.swift | sort -u); do
        [ -d "Sources/$module" ] || grep -q "name: \"$module\", package: \"holdfast\"" Package.swift ||
            { echo "error: Package.swift does not name the product $module" >&2; exit 1; }
    done
    [ -e ".shim/$name.o" ] || swiftc -emit-module -emit-module-path ".shim/$name.swiftmodule" -c -wmo \
        -o ".shim/$name.o" -module-name "$name" $flags "$folder"/*.swift || exit 1
    objects="$objects .shim/$name.o"
done
echo "$sum" >.shim/sum
case $command in
    build) echo "Build complete! (0.10s)"; exit 0 ;;
    run) product=$1; shift; [ "$product" != --quiet ] || { product=$1; shift; } ;;
    test)
        product=tests
        printf '%s\n' 'import Testing' '@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }' >.shim/runner.swift
        swiftc -c -wmo -o .shim/runner.o -module-name TutorialRunner -parse-as-library .shim/runner.swift
        objects="$objects .shim/runner.o"
        set -- --testing-library swift-testing "$@" ;;
    *) echo "error: the tutorials do not use swift $command" >&2; exit 1 ;;
esac
[ -x ".shim/$product" ] || swiftc @LINK@ -o ".shim/$product" -module-name shim -emit-executable -use-ld=lld \
    -Xlinker --strip-debug -Xlinker -rpath=@RUNTIME@ '@@OBJECTS@' $objects
echo "Build of product '$product' complete! (0.10s)" >&2
exec ".shim/$product" "$@"
"""


def prepare(scratch):
    """Writes the replacements of `swift` and `holdfast/run`."""
    built, plan = debugbuild.plan(ROOT)
    listed = os.path.join(built, "holdfastPackageTests.product", "Objects.LinkFileList")
    if not os.path.exists(listed):
        raise SystemExit("check-tutorials: the tests are not built; run ./run test first")
    # The modules of the package and of its dependencies, without the tests and the programs.
    left_out = re.compile(r"/(HoldfastTool|holdfast[_-]?[a-z]*|[A-Za-z]*Tests|holdfastPackage[A-Za-z]*)\.build/")
    with open(listed, encoding="utf-8") as file:
        objects = [line for line in file if not left_out.search(line)]
    with open(os.path.join(scratch, "objects"), "w", encoding="utf-8") as file:
        file.writelines(objects)
    libraries = ["-lstdc++"]
    if '"-lpq"' in plan:
        libraries += sorted(set(re.findall(r'"(-L/usr/lib/[^"]*)"', plan))) + ["-lpq"]
    swift = shutil.which("swift")
    runtime = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(swift))), "lib", "swift", "linux")
    shim = SHIM
    for name, value in {
        "@@OBJECTS@": "@" + os.path.join(scratch, "objects"), "@SWIFT@": swift, "@BUILT@": built,
        "@HEADERS@": " ".join(debugbuild.headers(plan)), "@LINK@": " ".join(libraries), "@RUNTIME@": runtime,
    }.items():
        shim = shim.replace(name, value)
    os.mkdir(os.path.join(scratch, "bin"))
    write_program(os.path.join(scratch, "bin", "swift"), shim)
    return os.path.join(built, "holdfast")


def write_program(path, text):
    """Writes an executable file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def follow(tutorial, folder, real, tool):
    """Follows a tutorial in an empty folder, beside a checkout with the name "holdfast"."""
    os.makedirs(folder)
    checkout = os.path.join(folder, "holdfast")
    if real:
        os.symlink(ROOT, checkout)
    else:
        os.mkdir(checkout)
        write_program(os.path.join(checkout, "run"), f'#!/bin/sh\nexec {shlex.quote(tool)} "$@"\n')
    reader = Follower(folder, real)
    number = 0
    begin = time.monotonic()
    try:
        for number, (name, resource) in enumerate(steps(tutorial), 1):
            try:
                reader.step(name, resource)
            except Failure as error:
                raise Failure(f"step {number} ({resource}): {error}") from error
    finally:
        for name in list(reader.servers):
            reader.stop(name)
    print(f"check-tutorials: {tutorial}: {number} steps, {reader.count} commands and builds, "
          f"{time.monotonic() - begin:.0f} s", flush=True)


def main(arguments):
    """Runs the command."""
    real = None
    if arguments[:1] == ["--real"]:
        real = os.path.abspath(arguments[1])
        arguments = arguments[2:]
    # The check itself must be able to fail.
    if matches(["…", "accepted: …"], "refused: pinMismatch\n") or not matches(["…", "accepted: …"], "a\naccepted: 200\n"):
        raise SystemExit("check-tutorials: another output was not reported")
    tutorials = sorted(
        name for name in os.listdir(TUTORIALS) if name.endswith(".tutorial") and name != "Holdfast.tutorial")
    used = set()
    for tutorial in tutorials:
        used.update(resource for _, resource in steps(tutorial))
    for tutorial in tutorials + ["Holdfast.tutorial"]:
        with open(os.path.join(TUTORIALS, tutorial), encoding="utf-8") as file:
            used.update(re.findall(r"@Image\(source: ([^\s,)]+)", file.read()))
    problems = [f"no tutorial uses Resources/{name}" for name in sorted(set(os.listdir(RESOURCES)) - used)]
    with open(os.path.join(TUTORIALS, "Holdfast.tutorial"), encoding="utf-8") as file:
        contents = file.read()
    problems += [f"{name} is not in Holdfast.tutorial" for name in tutorials if f'doc:{name[:-9]}"' not in contents]
    wanted = [name for name in tutorials if not arguments or any(word in name for word in arguments)]
    if not wanted:
        raise SystemExit(f"check-tutorials: the name of no tutorial contains {' or '.join(arguments)}")
    scratch = tempfile.mkdtemp()
    try:
        tool = None if real else prepare(scratch)
        for tutorial in wanted:
            folder = os.path.join(real or scratch, tutorial[:-9])
            try:
                follow(tutorial, os.path.join(folder, "work"), real is not None, tool)
            except Failure as error:
                problems.append(f"{tutorial}: {error}")
            if not real:
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for problem in problems:
        print(f"check-tutorials: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
