#!/bin/sh
# Checks rules that the compiler does not check: permitted imports, forbidden words in pure modules, the size of files
# and types, and code that needs a reason. The permitted imports are in scripts/layering.txt. docs/internals/architecture.md
# describes the rules.
#
# A line may break a rule about words if it gives a reason: `// reason: …` on the same line.
set -eu
cd "$(dirname "$0")/.."

files=$(find Sources Tests -name '*.swift' | sort)
[ -n "$files" ] || { echo "check-layering: no Swift file found" >&2; exit 1; }

awk -v table=scripts/layering.txt '
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
        if (!("HoldfastTrust" in known)) complain(table, 0, "the list of permitted imports cannot be read")

        # Pure modules: their decisions depend only on their input, not on clocks, identifiers or random numbers.
        # check-pure.sh has stricter rules for the modules that one loop drives.
        pure["HoldfastBase"]; pure["HoldfastTrust"]
        pure["ChatWire"]; pure["ChatCenterCore"]; pure["ChatServerCore"]; pure["ChatSimulation"]; pure["FleetSimulation"]
        pure["ChatPage"]; pure["ChatCenterCoreTestSupport"]
        # Programs, which may print.
        tools["HoldfastTool"]; tools["holdfast-lint"]; tools["holdfast-conformance"]
    }

    function complain(file, line, text) { print file ":" line ": " text; failures++ }

    # Returns whether `text` contains the whole word `word` (a regular expression).
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

    # Counts the lines of a type: its declaration and its extensions, in all files of the target.
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

        # Remove string literals and comments.
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
            complain(FILENAME, FNR, target " may import Foundation only if FoundationEssentials is missing")
        previous = code
        next
    }

    { previous = code }

    # Rules for all files.
    code ~ /try!/ { complain(FILENAME, FNR, "do not use try!") }
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
        complain(FILENAME, FNR, "a library must not print")
    }
    { own = code; gsub(/Tracing\.Span/, "", own) }
    has(own, "(Observations|InlineArray|Span|RawSpan|MutableSpan)") || code ~ /Task\.immediate/ {
        complain(FILENAME, FNR, "this API is newer than macOS 15 and iOS 18")
    }
    code ~ /^[ ]*#(if|elseif).*[^A-Za-z_]DEBUG([^A-Za-z_]|$)/ {
        complain(FILENAME, FNR, "do not use the condition DEBUG")
    }

    # Rules inside `withLock { … }`. The closure ends at the brace with the same indentation.
    target == "ChatCenter" && lockIndent == "" && code ~ /withLock.*\{[^}]*$/ { match(code, /^ */); lockIndent = "x" substr(code, 1, RLENGTH) }
    target == "ChatCenter" && (lockIndent != "" || code ~ /withLock/) {
        if (code ~ /(store|Store|reader|database|db)[A-Za-z()]*[.?!]+(commit|page|search|restore|erase|group|messages|opened|read|write)[ ({]/ || code ~ /FileManager|FileHandle|Data\(contentsOf/)
            complain(FILENAME, FNR, "do not access a store or a file while holding a lock, because other threads wait for it")
    }
    lockIndent != "" { closing = code; sub(/[^ ].*/, "", closing); if ("x" closing == lockIndent && code ~ /^ *\}/) lockIndent = "" }

    target in pure {
        if (code ~ /Date\(\)|Date\.now/ || code ~ /UUID\(\)/ || code ~ /\.random\(/ || has(code, "SystemRandomNumberGenerator"))
            complain(FILENAME, FNR, "pass time, identifiers and random numbers to a pure module as parameters")
        if (has(code, "(ContinuousClock|SuspendingClock|DispatchQueue|DispatchTime|Thread|RunLoop)"))
            complain(FILENAME, FNR, "a pure module must not use clocks or threads")
        if (has(code, "Task"))
            complain(FILENAME, FNR, "a pure module must not start tasks")
    }
    END {
        longFile()
        for (type in lines) {
            if (lines[type] > 800) complain("Sources", lines[type], type " has " lines[type] " lines, the limit is 800")
        }
        if (failures) exit 1
        print "check-layering: " NR " lines follow the rules"
    }
' $files
