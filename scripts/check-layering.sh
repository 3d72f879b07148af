#!/bin/sh
# The rules that no compiler checks: who may import whom, which words a pure module may not contain, how long a file and a
# type may be, and what needs a reason beside it. The allow-list is scripts/layering.txt; the rules are told in
# docs/internals/architecture.md. Types that are still too long are in scripts/large-types.txt, and may not grow.
#
# A line may break a word rule if it says why: `// reason: …` on the same line.
set -eu
cd "$(dirname "$0")/.."

files=$(find Sources Tests -name '*.swift' | sort)
[ -n "$files" ] || { echo "check-layering: no Swift file found" >&2; exit 1; }

awk -v table=scripts/layering.txt -v types=scripts/large-types.txt '
    BEGIN {
        while ((getline line < table) > 0) {
            if (line ~ /^#/ || line ~ /^[ ]*$/) continue
            split(line, halves, ":")
            known[halves[1]] = 1
            count = split(halves[2], names, " ")
            for (i = 1; i <= count; i++) {
                if (names[i] ~ /!$/) { sub(/!$/, "", names[i]); whole[halves[1], names[i]] = 1 }
                allowed[halves[1], names[i]] = 1
            }
        }
        while ((getline line < types) > 0) {
            if (line ~ /^#/ || line ~ /^[ ]*$/) continue
            split(line, halves, " ")
            large[halves[1] " " halves[2]] = halves[3]
        }
        if (!("HoldfastTrust" in known)) complain(table, 0, "the allow-list cannot be read")

        # Modules whose decisions are functions of their input. No clock, no identifier, no random number of their own.
        # (Those that one loop drives as well have a script of their own, check-pure.sh.)
        pure["HoldfastBase"]; pure["HoldfastTrust"]; pure["ChatWire"]; pure["ChatCenterCore"]; pure["ChatServerCore"]; pure["ChatSimulation"]
        # Those that speak to a person.
        tools["HoldfastTool"]; tools["holdfast-conformance"]
    }

    function complain(file, line, text) { print file ":" line ": " text; failures++ }

    # Whether `word` (a regular expression) stands alone in `text`.
    function has(text, word) { return (" " text " ") ~ ("[^A-Za-z0-9_]" word "[^A-Za-z0-9_]") }

    function longFile() { if (length_ > 600) complain(name, length_, "the file has " length_ " lines, the limit is 600") }

    FNR == 1 {
        if (name != "") longFile()
        name = FILENAME
        split(FILENAME, parts, "/")
        inSources = parts[1] == "Sources"
        target = parts[3]
        if (inSources && !(target in known) && !(target in reported)) {
            complain(FILENAME, 1, "the target " target " is not in " table)
            reported[target]
        }
        inText = 0
        type = ""
        previous = ""
        lockIndent = ""
    }

    # The lines of a type: those of its declaration and of its extensions, in all files of the target.
    inSources && type == "" && /^(@[A-Za-z_]+(\([^)]*\))? +)*((public|package|internal|fileprivate|private|final|indirect|nonisolated) +)*(struct|class|enum|actor|extension) +[A-Z]/ {
        type = $0
        sub(/^.*(struct|class|enum|actor|extension) +/, "", type)
        sub(/[^A-Za-z0-9_.].*/, "", type)
        type = target " " type
    }
    type != "" { lines[type]++ }
    /^}/ || /^[^ ].*}$/ { type = "" }

    {
        length_ = FNR
        reason = $0 ~ /\/\/ reason: ./

        # Leave the code: no string literals, no comments.
        code = $0
        if (inText) {
            if (code !~ /"""/) next
            sub(/.*"""/, "", code)
            inText = 0
        }
        gsub(/\\\\/, "", code)
        gsub(/\\"/, "", code)
        if (code ~ /"""/) {
            sub(/""".*/, "", code)
            inText = 1
        }
        gsub(/"[^"]*"/, "\"\"", code)
        sub(/\/\/.*/, "", code)
        if (code ~ /^[ \t]*$/) next
    }

    inSources && code ~ /^[ ]*(@[A-Za-z_]+(\([^)]*\))?[ ]+)*((public|package|internal|fileprivate|private)[ ]+)?import[ ]/ {
        module = code
        sub(/.*import[ ]+/, "", module)
        sub(/^(struct|class|enum|protocol|func|var|let|typealias)[ ]+/, "", module)
        sub(/[ .;].*/, "", module)
        if (!((target, module) in allowed))
            complain(FILENAME, FNR, target " may not import " module)
        else if (module == "Foundation" && !((target, module) in whole) && previous !~ /^#else/)
            complain(FILENAME, FNR, target " may import Foundation only where FoundationEssentials is missing")
        previous = code
        next
    }

    { previous = code }

    # What holds everywhere.
    code ~ /try!/ { complain(FILENAME, FNR, "try! is not used") }
    reason { next }
    code ~ /@unchecked[ ]+Sendable/ { complain(FILENAME, FNR, "@unchecked Sendable needs // reason:") }
    code ~ /nonisolated\(unsafe\)/ { complain(FILENAME, FNR, "nonisolated(unsafe) needs // reason:") }
    code ~ /@_exported/ { complain(FILENAME, FNR, "@_exported needs // reason:") }
    inSources && has(code, "Task") && code ~ /Task(\.detached)?[ ]*(\([^)]*\))?[ ]*\{/ {
        complain(FILENAME, FNR, "an unstructured task needs // reason:")
    }
    code ~ /Task\.sleep/ || has(code, "(sleep|usleep|nanosleep)") && code ~ /sleep\(/ {
        complain(FILENAME, FNR, "sleeping needs // reason:")
    }
    !inSources { next }

    has(code, "(fatalError|preconditionFailure|precondition|assertionFailure)") {
        complain(FILENAME, FNR, "a trap needs // reason: why no peer and no file can reach it")
    }
    !(target in tools) && has(code, "(print|debugPrint|dump)") && code ~ /(print|dump)\(/ {
        complain(FILENAME, FNR, "a library prints nothing")
    }
    { own = code; gsub(/Tracing\.Span/, "", own) }
    has(own, "(Observations|InlineArray|Span|RawSpan|MutableSpan)") || code ~ /Task\.immediate/ {
        complain(FILENAME, FNR, "this API is newer than macOS 15 and iOS 18")
    }
    code ~ /^[ ]*#(if|elseif).*[^A-Za-z_]DEBUG([^A-Za-z_]|$)/ {
        complain(FILENAME, FNR, "nothing depends on DEBUG")
    }

    # Inside `withLock { … }`: the closure ends with the brace of its own indentation.
    target == "ChatCenter" && lockIndent == "" && code ~ /withLock.*\{[^}]*$/ { match(code, /^ */); lockIndent = "x" substr(code, 1, RLENGTH) }
    target == "ChatCenter" && (lockIndent != "" || code ~ /withLock/) {
        if (code ~ /(store|Store|reader|database|db)[A-Za-z()]*[.?!]+(commit|page|search|restore|erase|group|messages|opened|read|write)[ ({]/ || code ~ /FileManager|FileHandle|Data\(contentsOf/)
            complain(FILENAME, FNR, "no store and no file is used under a lock: others wait for it")
    }
    lockIndent != "" { closing = code; sub(/[^ ].*/, "", closing); if ("x" closing == lockIndent && code ~ /^ *\}/) lockIndent = "" }

    target in pure {
        if (code ~ /Date\(\)|Date\.now/ || code ~ /UUID\(\)/ || code ~ /\.random\(/ || has(code, "SystemRandomNumberGenerator"))
            complain(FILENAME, FNR, "a pure module takes its time, identifiers and random numbers as parameters")
        if (has(code, "(ContinuousClock|SuspendingClock|DispatchQueue|DispatchTime|Thread|RunLoop)"))
            complain(FILENAME, FNR, "a pure module knows no clock and no thread")
        if (has(code, "Task"))
            complain(FILENAME, FNR, "a pure module starts nothing")
    }
    END {
        longFile()
        for (type in lines) {
            limit = type in large ? large[type] : 800
            if (lines[type] > limit) complain("Sources", lines[type], type " has " lines[type] " lines, the limit is " limit)
        }
        for (type in large) {
            if (lines[type] <= 800) complain(types, large[type], type " is listed as too long, and has " lines[type] + 0 " lines")
        }
        if (failures) exit 1
        print "check-layering: " NR " lines keep to the rules"
    }
' $files
