#!/bin/sh
# The rules of the modules that one loop drives: the chat's cores, their wire, what these stand on, and their simulation. The same events
# have to give the same effects in every run and in every process, so nothing in them waits, locks, reads a clock, draws a
# number, or walks through a dictionary or a set, whose order differs from one value to the next.
#
# scripts/pure-allowed.txt lists the exceptions, each with its reason. An exception that nothing needs is an error, too.
set -eu
cd "$(dirname "$0")/.."

files=$(for target in HoldfastBase ChatWire ChatCenterCore ChatServerCore ChatSimulation; do
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
                complain(table, number, "an exception is written FILE WORD # reason")
                continue
            }
            allowed[parts[1], parts[2]] = number
        }

        words["async await Task TaskGroup actor AsyncStream AsyncSequence CheckedContinuation"] = "nothing in here waits or runs beside something else"
        words["Mutex NSLock NSRecursiveLock OSAllocatedUnfairLock Atomic DispatchQueue DispatchSemaphore Thread"] = "nothing in here locks: one loop drives it"
        words["Date DispatchTime ContinuousClock SuspendingClock Clock Timer RunLoop clock_gettime gettimeofday"] = "the time comes with each event"
        words["TimeInterval Duration Double Float CGFloat"] = "time and everything else is an integer here"
        words["UUID random shuffled shuffle randomElement SystemRandomNumberGenerator arc4random"] = "numbers and identifiers come as parameters"
        words["Hasher hashValue ObjectIdentifier"] = "it differs from process to process"
        words["FileManager ProcessInfo getenv print debugPrint dump"] = "nothing in here touches the world outside"
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

    # The first pass gathers the names of dictionaries and sets; the second looks for what must not be.
    FNR == 1 {
        if (FILENAME in seen) pass = 2; else { seen[FILENAME] = 1; pass = 1 }
        inText = 0
        split(FILENAME, parts, "/")
        target = parts[3]
    }

    {
        # Leave the code: no string literals, no comments. What is between \( and ) of a literal goes with it.
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

    # A name of something without an order. What is private is known in its own file alone.
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
                found(word, "the order of a dictionary or a set is different each time")
        }
    }

    # A closure that is kept makes a state that cannot be compared.
    code ~ /^[ ]*((public|package|internal|fileprivate|private)(\(set\))?[ ]+)*(var|let)[ ]+[A-Za-z_]+[ ]*:[^={]*->/ {
        found("->", "a state holds no closure")
    }

    END {
        for (key in allowed) if (!(key in used)) {
            split(key, halves, SUBSEP)
            complain(table, allowed[key], "nothing needs the exception of `" halves[2] "` in " halves[1])
        }
        if (failures) exit 1
        print "check-pure: " NR / 2 " lines keep to the rules"
    }
' $files $files
