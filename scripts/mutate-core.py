#!/usr/bin/env python3
"""Measures the simulation of the chat by mutants of ChatCenterCore.

Writes a copy of the core that contains all mutants; an environment variable activates one of them. Builds the copy with
the simulation once. A first run without a mutant finds the mutants whose code each seed executes. A mutant then runs
with these seeds only, until one breaks a rule: in all others, it changes nothing. docs/internals/simulation.md shows the
result. Nothing is written to the repository.
"""
import argparse, concurrent.futures, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = "Sources/Chat/ChatCenterCore"
TARGETS = {
    "HoldfastBase": ("Sources/Base", []),
    "ChatWire": ("Sources/Chat", ["HoldfastBase"]),
    "ChatCenterCore": ("Sources/Chat", ["HoldfastBase", "ChatWire"]),
    "ChatServerCore": ("Sources/Servers", ["HoldfastBase", "ChatWire"]),
    "ChatCenterCoreTestSupport": ("Sources/Lab", ["ChatWire", "ChatCenterCore"]),
    "ChatSimulation": (
        "Sources/Lab", ["HoldfastBase", "ChatWire", "ChatCenterCore", "ChatCenterCoreTestSupport", "ChatServerCore"]),
    "Mutants": ("Sources", ["ChatCenterCore", "ChatSimulation"]),
}
LIBC = "#if canImport(Darwin)\nimport Darwin\n#else\nimport Glibc\n#endif\n"
MUTANT = LIBC + """
/// The mutant that this process runs. Without one, it records which mutants the code would have executed.
package enum Mutant {
    private static let active = getenv("MUTANT").flatMap { Int(String(cString: $0)) }
    private nonisolated(unsafe) static var reached: Set<Int> = []
    package static var isRecording: Bool { active == nil }
    static func flips(_ number: Int, _ condition: Bool) -> Bool { condition != executes(number) }
    static func keeps(_ number: Int) -> Bool { !executes(number) }
    static func kept<Element>(_ number: Int, _ list: [Element]) -> [Element] {
        list.isEmpty || !executes(number) ? list : []
    }
    private static func executes(_ number: Int) -> Bool {
        if active == nil { reached.insert(number) }
        return active == number
    }
    /// Returns the mutants that were reached since the last call.
    package static func takeReached() -> Set<Int> {
        defer { reached = [] }
        return reached
    }
}
"""
RUNNER = "import ChatCenterCore\nimport ChatSimulation\n" + LIBC + """
func say(_ text: String) { _ = Array((text + "\\n").utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) } }
func list(_ numbers: Set<Int>) -> String { numbers.sorted().map { String($0) }.joined(separator: " ") }
var known: Set<Int> = []
for seed in CommandLine.arguments.dropFirst().compactMap({ UInt64($0) }) {
    var limit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: 30, tv_usec: 0))
    setitimer(1, &limit, nil)  // ITIMER_VIRTUAL: Glibc imports the constant with a type that setitimer does not take.
    say("\\(seed)")
    if let complaint = Simulation.check(seed).complaints.first {
        say("\\(seed)\\t\\(complaint.rule)\\t\\(complaint.text)")
        break
    }
    guard Mutant.isRecording else { continue }
    let reached = Mutant.takeReached()
    say("\\(seed)\\treached\\t\\(list(reached))")
    // A static property is computed once in a process, and has an effect on all later seeds.
    if !reached.isSubset(of: known) {
        _ = Simulation.check(seed)
        say("\\(seed)\\tonce\\t\\(list(reached.subtracting(known).subtracting(Mutant.takeReached())))")
        known.formUnion(reached)
    }
}
"""


def mask(text):
    """The text with blanks in place of comments and strings."""
    pattern = r'//[^\n]*|"""(?:.|\n)*?"""|"(?:\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", "_" if m[0][0] == '"' else " ", m[0]), text)


def scan(code, start, stop):
    """The first place from `start`, outside of all brackets, where `stop(place)` holds or a bracket closes."""
    depth = 0
    for place in range(start, len(code)):
        if depth == 0 and (stop(place) or code[place] in ")]}"):
            return place
        depth += (code[place] in "([{") - (code[place] in ")]}")
    return len(code)


def split(code, start, end, separators):
    """The parts between separators outside of all brackets, without the blanks around them."""
    parts = []
    while start < end:
        place = min(scan(code, start, lambda at: code.startswith(separators, at)), end)
        part = code[start:place]
        parts.append((start + len(part) - len(part.lstrip()), start + len(part.rstrip())))
        start = place + max((len(s) for s in separators if code.startswith(s, place)), default=1)
    return parts


def statement_end(code, start):
    def stops(at):
        if code[at] != "\n":
            return False
        before, after = code[start:at].rstrip(), code[at:].lstrip()
        return not after.startswith((".", "?", ":", "+", "-", "&&", "||")) and not before.endswith(("=", ",", "+", "&&", "||", "?", ":"))
    return scan(code, start, stops)


class Candidates:
    """What can be changed in one file: (kind, [(start, text before it)], [(end, text after it)], line, excerpt)."""

    def __init__(self, name, text, void):
        self.name, self.text, self.code, self.found = name, text, mask(text), []
        self.conditions(), self.booleans(), self.statements(void), self.lists()

    def add(self, kind, start, end, before, after):
        excerpt = " ".join(self.text[start:end].split())
        line = self.text.count("\n", 0, start) + 1
        self.found.append((start, kind, end, before, after, line, excerpt))

    def flips(self, start, end):
        parts = [(start, end)]
        if " ? " not in self.code[start:end]:
            parts = split(self.code, start, end, ("&&", "||"))
        for part in parts:
            self.add("flip", *part, "Mutant.flips(#, ", ")")

    def conditions(self):
        code = self.code
        for match in re.finditer(r"(?<![#.\w])(if|guard)\s", code):
            ends = (lambda at: code[at] == "{") if match[1] == "if" else (lambda at: re.match(r"\selse\b", code[at:at + 6]))
            end = scan(code, match.end(), ends)
            clauses = split(code, match.end(), end, (",",))
            bindings = [c for c in clauses if re.match(r"(let|var|case)\b", code[c[0]:])]
            for clause in clauses:
                if clause not in bindings:
                    self.flips(*clause)
            if bindings:
                self.add("fail", clauses[0][0], clauses[-1][1], "", ", Mutant.keeps(#)")
        for match in re.finditer(r"^ *(case|for)\b[^\n]*? where ", code, re.M):
            end = scan(code, match.end(), lambda at: code[at] == (":" if match[1] == "case" else "{"))
            self.flips(match.end(), len(code[:end].rstrip()))

    def booleans(self):
        for match in re.finditer(r"(?:: |-> )Bool \{ (?!if |switch |get )(.+) \}$", self.code, re.M):
            self.flips(*match.span(1))
        for match in re.finditer(r"\breturn (?!\[)[^\n?]*(&&|\|\||==|!=|<=|>=)[^\n?]*$", self.code, re.M):
            end = statement_end(self.code, match.start() + 7)
            if re.search(r" (&&|\|\||==|!=|<=|>=) ", re.sub(r"\([^()]*\)|\{[^{}]*\}", "", self.code[match.start():end])):
                self.flips(match.start() + 7, end)

    def statements(self, void):
        code = self.code
        makers = [(m.end(), scan(code, m.end(), lambda at: False)) for m in re.finditer(r"\binit\??\([^{]*\{", code)]
        late = set(re.findall(r"\blet (\w+): [^=\n]+$", code, re.M))
        for match in re.finditer(r"^ +(?:(?:case [^\n]*?|default): +)?([A-Za-z_][\w.?!\[\]]*)( [-+]?= |\()", code, re.M):
            start, name, operator = match.start(1), match[1], match[2]
            before = code[:match.start()].rstrip()
            if before.endswith(("(", ",", "=", "+", "?", "&&", "||", "[")) or any(a <= start < b for a, b in makers):
                continue
            if name in late or name in ("self", "case", "return", "switch", "for", "while", "if", "guard", "func"):
                continue
            if operator == "(" and name.split(".")[-1] not in void:
                continue
            end = statement_end(code, start)
            statement = code[start:end].rstrip()
            is_log = re.match(r"\w+\.log\(|\w+\.append\(\s*\.log\(", statement)
            if not is_log and (operator != "(" or statement.endswith(")")):
                self.add("drop", start, start + len(statement), "if Mutant.keeps(#) { ", " }")

    def lists(self):
        for match in re.finditer(r"(?:return|\+) (\[)(?!\])", self.code):
            end = scan(self.code, match.end(), lambda at: False) + 1
            rest = self.code[end:].split("\n")[0].strip()
            if rest in ("", "}") and not re.match(r"\[\.?log\b[^,]*(,[^.]*)*\]$", self.code[match.start(1):end]):
                self.add("drop", match.start(1), end, "Mutant.kept(#, ", ")")


def void_functions(codes):
    """The names of functions that return nothing, whatever their parameters."""
    names = {True: {"append", "removeAll", "formUnion", "subtract", "sort", "insert", "removeValue"}, False: set()}
    for code in codes:
        for match in re.finditer(r"\bfunc (\w+)", code):
            end = scan(code, match.end(), lambda at: code[at] in "{\n" and code[at - 1] != "(")
            names["->" not in re.sub(r"\(.*\)(?! *->)", "", code[match.end():end], flags=re.S)].add(match[1])
    return names[True] - names[False]


def choose(every, pattern):
    """The mutants: one of `every` candidates, by a hash of its file, its kind and its text."""
    texts = {path: path.read_text() for path in sorted((ROOT / CORE).rglob("*.swift"))}
    void = void_functions(mask(text) for text in texts.values())
    chosen, total = [], 0
    for path, text in texts.items():
        seen = {}
        for start, kind, end, before, after, line, excerpt in sorted(Candidates(path.name, text, void).found):
            total += 1
            key = f"{path.name} {kind} {excerpt}"
            seen[key] = seen.get(key, 0) + 1
            mutant = f"{path.name}:{line} {kind} `{excerpt}`"
            if re.search(pattern, mutant) if pattern else zlib.crc32(f"{key} {seen[key]}".encode()) % every == 0:
                chosen.append((path, start, end, before, after, mutant))
    return chosen, total


def write(folder, mutants):
    """Writes the package with all mutants in it."""
    for target, (group, _) in TARGETS.items():
        if target != "Mutants":
            shutil.copytree(ROOT / group / target, folder / group / target)
    (folder / "Sources/Mutants").mkdir()
    (folder / "Sources/Mutants/main.swift").write_text(RUNNER)
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", folder)
    features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    settings = ", ".join(f'.enableUpcomingFeature("{feature}")' for feature in features)
    targets = ""
    for target, (group, modules) in TARGETS.items():
        names = ", ".join(f'"{module}"' for module in modules)
        names += "".join(f', .product(name: "{p}", package: "swift-collections")' for p in ("OrderedCollections", "DequeModule"))
        kind = "executableTarget" if target == "Mutants" else "target"
        targets += f'.{kind}(name: "{target}", dependencies: [{names.lstrip(", ")}], path: "{group}/{target}", swiftSettings: [{settings}]),\n'
    collections = re.search(r"\.package\(url: [^)]*swift-collections[^)]*\)", (ROOT / "Package.swift").read_text())[0]
    (folder / "Package.swift").write_text(
        f'// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: "mutants", '
        f"platforms: [.macOS(.v15)], dependencies: [{collections}], targets: [\n{targets}])\n")
    (folder / CORE / "Mutant.swift").write_text(MUTANT)
    insertions = {}
    for number, (path, start, end, before, after, _) in enumerate(mutants):
        places = insertions.setdefault(path, [])
        # Of two at one place, what ends comes first, then what begins; the inner one of two that end there is the later one.
        places.append((end, 0, -start, -number, after.replace("#", str(number))))
        places.append((start, 1, -end, number, before.replace("#", str(number))))
    for path, places in insertions.items():
        text, result, last = path.read_text(), "", 0
        for place, *_, inserted in sorted(places):
            result, last = result + text[last:place] + inserted, place
        (folder / path.relative_to(ROOT)).write_text(result + text[last:])


def start(program, seeds, **variables):
    """Runs seeds in a process of their own. Returns the exit code and the fields of the lines."""
    process = subprocess.run(
        [program, *map(str, seeds)], env={**os.environ, **variables}, capture_output=True, text=True)
    return process.returncode, [line.split("\t") for line in process.stdout.splitlines()]


def record(program, seeds, count):
    """The seeds that execute each mutant. Ends the script if a seed breaks a rule without a mutant."""
    code, lines = start(program, seeds)
    found, once = [set() for _ in range(count)], set()
    for seed, *fields in lines:
        if fields and fields[0] == "reached":
            for number in fields[1].split():
                found[int(number)].add(int(seed))
        elif fields and fields[0] == "once":
            once.update(map(int, fields[1].split()))
        elif fields:
            sys.exit(f"without a mutant, seed {seed} breaks {fields[0]}: {fields[1]}")
    if code or {int(fields[0]) for fields in lines} != set(seeds):
        sys.exit(f"without a mutant, seed {lines[-1][0] if lines else seeds[0]} ends with the code {code}")
    return found, once


def run(program, number, seeds):
    """The first seed that finds a mutant, with the rule that it breaks; none if no seed does."""
    if not seeds:
        return None
    code, lines = start(program, seeds, MUTANT=str(number))
    last = lines[-1] if lines else [str(seeds[0])]
    if code != 0:
        return last[0], "hangs" if code == -signal.SIGVTALRM else "traps", ""
    return tuple(last) if len(last) > 1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=5000, help="the number of seeds for each mutant (default: 5000)")
    parser.add_argument("--every", type=int, default=24, help="select one of this many candidates (default: 24)")
    parser.add_argument("--only", help="run the mutants whose description matches this expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="the number of mutants that run at the same time (default: all cores)")
    parser.add_argument("--folder", type=pathlib.Path, help="keep the build in this folder (default: a temporary folder)")
    parser.add_argument("--list", action="store_true", help="list the mutants without running them")
    options = parser.parse_args()
    mutants, total = choose(options.every, options.only)
    print(f"{len(mutants)} mutants of {total} candidates", flush=True)
    if options.list:
        return print("\n".join(mutant[-1] for mutant in mutants))
    if options.folder:
        return measure(options, mutants, options.folder.resolve())
    with tempfile.TemporaryDirectory(prefix="holdfast-mutants-") as folder:
        measure(options, mutants, pathlib.Path(folder))


def measure(options, mutants, folder):
    """Builds the mutants in a folder, runs them, and prints the results."""
    if folder.is_relative_to(ROOT):
        sys.exit("the folder must not be in the repository")
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, mutants)
    subprocess.run(["swift", "build", "-c", "release", "--package-path", folder], check=True, stdout=sys.stderr)
    program = folder / ".build/release/Mutants"
    found, missed, every = 0, 0, [set() for _ in mutants]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        shares = [range(job, options.seeds, options.jobs) for job in range(min(options.jobs, options.seeds))]
        computed_once = set()
        for reached, once in pool.map(lambda seeds: record(program, seeds, len(mutants)), shares):
            every = [seeds | more for seeds, more in zip(every, reached)]
            computed_once |= once
        for number in computed_once:
            every[number] = set(range(options.seeds))
        print(f"{sum(map(len, every))} runs instead of {len(mutants) * options.seeds}", flush=True)
        runs = pool.map(lambda number: run(program, number, sorted(every[number])), range(len(mutants)))
        for mutant, seeds, result in zip(mutants, every, runs):
            found += result is not None
            missed += not seeds
            text = f"seed {result[0]}, {result[1]} {result[2]}" if result else "SURVIVES" if seeds else "NOT REACHED"
            print(f"{mutant[-1]}: {text}", flush=True)
    print(f"{found} of {len(mutants)} found within {options.seeds} seeds; no seed reaches {missed}")


main()
