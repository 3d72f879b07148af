#!/bin/sh
# The checks can fail: each rule is broken once in a tree of its own, and the check has to say so.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/scripts" "$scratch/Tests/ATests"
cp "$root"/scripts/check-*.sh "$root/scripts/layering.txt" "$scratch/scripts/"
tried=0

# clean: an empty tree with one file that keeps to the rules.
clean() {
    rm -rf "$scratch/Sources" "$scratch/docs"
    mkdir -p "$scratch/Sources/HoldfastTrust" "$scratch/docs"
    printf '// A file.\nlet text = "Date() UUID() try! Task {"  // Date()\n' > "$scratch/Sources/HoldfastTrust/Fine.swift"
    printf '# A page\n\n[itself](#a-page) [the same](page.md#a-page) `[not](a-link.md)`\n' > "$scratch/docs/page.md"
}

# layering TARGET CODE SENTENCE: the code in a file of that target has to be refused with that sentence.
layering() {
    clean
    mkdir -p "$scratch/Sources/$1"
    printf '%b\n' "$2" > "$scratch/Sources/$1/Broken.swift"
    refused check-layering.sh "$3"
}

# refused SCRIPT SENTENCE: the script has to fail and say the sentence.
refused() {
    tried=$((tried + 1))
    if "$scratch/scripts/$1" > "$scratch/said" 2>&1; then
        echo "test-checks: $1 lets this pass: $2" >&2
        exit 1
    fi
    grep -qF -- "$2" "$scratch/said" || {
        echo "test-checks: $1 does not say: $2" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

# accepted SCRIPT: the script has to pass.
accepted() {
    tried=$((tried + 1))
    "$scratch/scripts/$1" > "$scratch/said" 2>&1 || {
        echo "test-checks: $1 refuses what is in order" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

clean
accepted check-layering.sh
accepted check-docs-links.sh

layering HoldfastTrust 'import NIOCore' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust 'public import NIOCore' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust '@preconcurrency package import struct NIOCore.ByteBuffer' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust 'import Foundation' 'only where FoundationEssentials is missing'
layering ChatCenter 'import NIOPosix' 'ChatCenter may not import NIOPosix'
layering ChatDevServer 'import ChatCenter' 'ChatDevServer may not import ChatCenter'
layering HoldfastTransport 'import FoundationNetworking' 'HoldfastTransport may not import FoundationNetworking'
layering Newcomer 'let x = 1' 'the target Newcomer is not in'
layering HoldfastTrust 'let now = Date()' 'takes its time, identifiers and random numbers as parameters'
layering ChatServerCore 'let id = UUID()' 'takes its time, identifiers and random numbers as parameters'
layering ChatCenterCore 'let n = Int.random(in: 0..<3)' 'takes its time, identifiers and random numbers as parameters'
layering HoldfastTrust 'let clock = ContinuousClock()' 'knows no clock and no thread'
layering ChatWire 'func f() async {}' 'neither waits nor locks'
layering ChatCenterCore 'let lock = Mutex(1)' 'neither waits nor locks'
layering ChatCenterCore 'var due: TimeInterval' 'time is an integer here'
layering HoldfastTransport 'Task { await f() }' 'an unstructured task needs // reason:'
layering HoldfastTransport 'Task.detached(priority: .low) {' 'an unstructured task needs // reason:'
layering HoldfastTransport 'let x = try! f()' 'try! is not used'
layering HoldfastTransport 'final class C: @unchecked Sendable {}' '@unchecked Sendable needs // reason:'
layering HoldfastTransport 'nonisolated(unsafe) var x = 1' 'nonisolated(unsafe) needs // reason:'
layering HoldfastTransport 'fatalError()' 'a trap needs // reason:'
layering HoldfastTransport 'try await Task.sleep(for: .seconds(1))' 'sleeping needs // reason:'
layering HoldfastTransport 'print(1)' 'a library prints nothing'
layering HoldfastTransport '#if DEBUG\n#endif' 'nothing depends on DEBUG'
layering HoldfastTransport 'func f(_ s: Span<UInt8>) {}' 'newer than macOS 15'

clean
mkdir -p "$scratch/Sources/HoldfastTransport"
{
    echo 'Task { await f() }  // reason: there is one'
    printf '#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\n'
} > "$scratch/Sources/HoldfastTransport/Explained.swift"
accepted check-layering.sh

clean
awk 'BEGIN { for (i = 0; i < 601; i++) print "// line" }' > "$scratch/Sources/HoldfastTrust/Long.swift"
refused check-layering.sh 'the file has 601 lines'

clean
echo '[gone](nowhere.md)' >> "$scratch/docs/page.md"
refused check-docs-links.sh 'no such file: nowhere.md'
clean
echo '[gone](page.md#nowhere)' >> "$scratch/docs/page.md"
refused check-docs-links.sh 'no such heading: page.md#nowhere'

echo "test-checks: $tried cases"
