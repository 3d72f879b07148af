#!/bin/sh
# Checks the modules that one loop drives: the chat's cores, their protocol, their base module and their simulation. The
# same events must cause the same effects in every run and in every process. Therefore these modules must not wait,
# lock, read a clock or generate random numbers. They must not iterate over a dictionary or a set, whose order varies.
#
# scripts/pure-allowed.txt lists the exceptions with their reasons. An unused exception is an error.
set -eu
cd "$(dirname "$0")/.."

files=$(for target in HoldfastBase ChatWire ChatCenterCore ChatCenterCoreTestSupport ChatPage ChatServerCore ChatSimulation FleetSimulation; do
    for folder in Sources/*/"$target"; do
        [ ! -d "$folder" ] || find "$folder" -name '*.swift'
    done
done | sort)
[ -n "$files" ] || { echo "check-pure: no Swift file found" >&2; exit 1; }

awk -v table=scripts/pure-allowed.txt '
    BEGIN {
        while ((getline line < table) > 0) {
            number++
            if (line ~ /^#/ || line ~ /^[ ]*$/) continue
            if (split(line, halves, /[ ]+# /) != 2 || split(halves[1], parts, /[ ]+/) != 2 || halves[2] !~ /[a-z]/) {
                complain(table, number, "an exception must have the form FILE WORD # reason")
                continue
            }
            allowed[parts[1], parts[2]] = number
        }

        words["async await Task TaskGroup actor AsyncStream AsyncSequence CheckedContinuation"] = "this module must not wait or run concurrently"
        words["Mutex NSLock NSRecursiveLock OSAllocatedUnfairLock Atomic DispatchQueue DispatchSemaphore Thread"] = "this module must not lock, because one loop drives it"
        words["Date DispatchTime ContinuousClock SuspendingClock Clock Timer RunLoop clock_gettime gettimeofday"] = "use the time of the event"
        words["TimeInterval Duration Double Float CGFloat"] = "use integers, also for time"
        words["UUID random shuffled shuffle randomElement SystemRandomNumberGenerator arc4random"] = "pass random numbers and identifiers as parameters"
        words["Hasher hashValue ObjectIdentifier"] = "the value differs between processes"
        words["FileManager ProcessInfo getenv print debugPrint dump"] = "this module must not do input or output"
        for (list in words) {
            count = split(list, names, " ")
            for (i = 1; i <= count; i++) why[names[i]] = words[list]
        }
    }

    function complain(file, line, text) { print file ":" line ": " text; failures++ }

    # Reports a word unless it is allowed in this file.
    function found(word, text) {
        if ((FILENAME, word) in allowed) { used[FILENAME, word] = 1; return }
        complain(FILENAME, FNR, "`" word "`: " text)
    }

    # The first pass collects the names of dictionaries and sets. The second pass reports violations.
    FNR == 1 {
        if (FILENAME in seen) pass = 2; else { seen[FILENAME] = 1; pass = 1 }
        inText = 0
        split(FILENAME, parts, "/")
        target = parts[3]
    }

    {
        # Remove comments and string literals with their interpolations.
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

    # The name of a dictionary or set. A private name applies to its own file only.
    pass == 1 && code ~ /(var|let)[ ]+[A-Za-z_]+[ ]*(:[ ]*(\[[A-Za-z.?]+[ ]*:[ ]*|Set<|Dictionary<)|=[ ]*(Set|Dictionary)[(<])/ {
        name = code
        sub(/.*(var|let)[ ]+/, "", name)
        sub(/[ :=].*/, "", name)
        if (code ~ /private[ ]+(static[ ]+)?(var|let)/ || code ~ /^        /) unordered[FILENAME, name] = 1
        else unordered[target, name] = 1
    }
    pass == 1 { next }

    {
        rest = code
        while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
            word = substr(rest, RSTART, RLENGTH)
            if (word in why) found(word, why[word])
            rest = substr(rest, RSTART + RLENGTH)
        }
    }

    { past = "" }

    # `for x in table`, `table.map`, `table.keys` and the like.
    {
        rest = code
        before = ""
        while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
            before = before past substr(rest, 1, RSTART - 1)
            past = word = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (!((FILENAME, word) in unordered) && !((target, word) in unordered)) continue
            if (rest ~ /^\??\.(map|compactMap|flatMap|filter|forEach|reduce|keys|values|first|sorted|min|max|enumerated|lazy|prefix|dropFirst|makeIterator|elements|indices|popFirst|description)([^A-Za-z0-9_]|$)/ \
                || before ~ /[^A-Za-z0-9_]in[ ]+([A-Za-z0-9_]+\??\.)*$/)
                found(word, "the order of a dictionary or a set varies")
        }
    }

    # A state with a stored closure cannot be compared.
    code ~ /^[ ]*((public|package|internal|fileprivate|private)(\(set\))?[ ]+)*(var|let)[ ]+[A-Za-z_]+[ ]*:[^={]*->/ {
        found("->", "a state must not contain a closure")
    }

    END {
        for (key in allowed) if (!(key in used)) {
            split(key, halves, SUBSEP)
            complain(table, allowed[key], "the exception for `" halves[2] "` in " halves[1] " is not used; remove it")
        }
        if (failures) exit 1
        print "check-pure: " NR / 2 " lines follow the rules"
    }
' $files $files
