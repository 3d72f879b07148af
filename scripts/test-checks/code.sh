# A part of test-checks.sh: the rules for code, such as imports, locks, purity, lengths, links and settings.
# shellcheck shell=sh

clean
accepted check-layering.sh
accepted check-docs-links.sh

layering ChatCenter 'let x = state.withLock { try? store.page($0) }' 'do not access a store or a file while holding a lock'
layering ChatCenter 'func f() {\n    state.withLock { state in\n        try? state.store.commit(transaction)\n    }\n}' 'do not access a store or a file while holding a lock'
layering ChatCenter 'func f() {\n    state.withLock {\n        if true {\n        }\n        FileManager.default.remove($0)\n    }\n}' 'do not access a store or a file while holding a lock'
clean
mkdir -p "$scratch/Sources/Group/ChatCenter"
printf 'func f() {\n    let x = state.withLock { $0 }\n    state.withLock { state in\n        state.count += 1\n    }\n    store.commit(x)\n}\n' > "$scratch/Sources/Group/ChatCenter/Fine.swift"
accepted check-layering.sh
layering HoldfastTrust 'import NIOCore' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust 'public import NIOCore' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust '@preconcurrency package import struct NIOCore.ByteBuffer' 'HoldfastTrust may not import NIOCore'
layering HoldfastTrust 'import Foundation' 'only if FoundationEssentials is missing'
layering ChatCenter 'import NIOPosix' 'ChatCenter may not import NIOPosix'
layering ChatDevServer 'import ChatCenter' 'ChatDevServer may not import ChatCenter'
layering HoldfastTransport 'import FoundationNetworking' 'HoldfastTransport may not import FoundationNetworking'
layering Newcomer 'let x = 1' 'the target Newcomer is not in'
layering HoldfastTrust 'let now = Date()' 'pass time, identifiers and random numbers to a pure module'
layering ChatServerCore 'let id = UUID()' 'pass time, identifiers and random numbers to a pure module'
layering ChatCenterCore 'let n = Int.random(in: 0..<3)' 'pass time, identifiers and random numbers to a pure module'
layering HoldfastTrust 'let clock = ContinuousClock()' 'must not use clocks or threads'
layering ChatSimulation 'let clock = ContinuousClock()' 'must not use clocks or threads'
layering HoldfastTransport 'Task { await f() }' 'an unstructured task needs // reason:'
layering HoldfastTransport 'Task.detached(priority: .low) {' 'an unstructured task needs // reason:'
layering HoldfastTransport 'let x = try! f()' 'do not use try!'
layering HoldfastTransport 'final class C: @unchecked Sendable {}' '@unchecked Sendable needs // reason:'
layering HoldfastTransport 'nonisolated(unsafe) var x = 1' 'nonisolated(unsafe) needs // reason:'
layering HoldfastTransport 'fatalError()' 'a trap needs // reason:'
layering HoldfastTransport 'try await Task.sleep(for: .seconds(1))' 'sleeping needs // reason:'
layering HoldfastTransport 'print(1)' 'a library must not print'
layering HoldfastTransport '#if DEBUG\n#endif' 'do not use the condition DEBUG'
layering HoldfastTransport 'func f(_ s: Span<UInt8>) {}' 'newer than macOS 15'

# pure TARGET CODE MESSAGE: check-pure.sh must refuse that code in that target with that message.
pure() {
    clean
    mkdir -p "$scratch/Sources/Group/$1"
    printf '%b\n' "$2" > "$scratch/Sources/Group/$1/Broken.swift"
    refused check-pure.sh "$3"
}

# fine TARGET CODE: check-pure.sh must accept that code.
fine() {
    clean
    mkdir -p "$scratch/Sources/Group/$1"
    printf '%b\n' "$2" > "$scratch/Sources/Group/$1/Fine.swift"
    accepted check-pure.sh
}

pure ChatWire 'func f() async {}' 'this module must not wait'
pure ChatCenterCore 'func f() { Task { g() } }' 'this module must not wait'
pure ChatSimulation 'actor World {}' 'this module must not wait'
pure ChatCenterCore 'let lock = Mutex(1)' 'this module must not lock'
pure ChatServerCore 'let now = Date()' 'use the time of the event'
pure ChatSimulation 'let clock = ContinuousClock()' 'use the time of the event'
pure ChatCenterCore 'var due: TimeInterval' 'use integers, also for time'
pure ChatCenterCore 'var due: Double = 1' 'use integers, also for time'
pure ChatServerCore 'let id = UUID()' 'identifiers as parameters'
pure ChatSimulation 'let n = Int.random(in: 0..<3)' 'identifiers as parameters'
pure ChatSimulation 'let n = value.hashValue' 'differs between processes'
pure ChatCenterCore 'struct S {\n    var then: (Int) -> Void\n}' 'a state must not contain a closure'
pure ChatServerCore 'struct S {\n    var table: [String: Int] = [:]\n    func f() { for x in table { g(x) } }\n}' \
    'the order of a dictionary or a set'
pure ChatCenterCore 'struct S {\n    var table: Set<Int> = []\n    func f() -> [Int] { table.map { $0 + 1 } }\n}' \
    'the order of a dictionary or a set'
pure ChatWire 'struct S {\n    private static let table: [String: Int] = [:]\n    func f() { for x in Self.table.keys {} }\n}' \
    'the order of a dictionary or a set'
fine ChatCenterCore 'struct S {\n    var table: [String: Int] = [:]\n    func f() -> Int? { table["Date()"] }  // Task {\n}'
fine ChatServerCore 'struct S {\n    var table: OrderedDictionary<String, Int> = [:]\n    func f() { for x in table { g(x) } }\n}'

echo 'Sources/Group/ChatWire/Fine.swift Double # a JSON number may have a fraction' > "$scratch/scripts/pure-allowed.txt"
fine ChatWire 'let x: Double = 1'
pure ChatWire 'let x: Double = 1' 'use integers, also for time'
pure ChatWire 'let x = 1' 'is not used; remove it'
echo 'Sources/Group/ChatWire/Fine.swift Double' > "$scratch/scripts/pure-allowed.txt"
pure ChatWire 'let x = 1' 'an exception must have the form'
printf '# none\n' > "$scratch/scripts/pure-allowed.txt"

clean
mkdir -p "$scratch/Sources/Group/HoldfastTransport"
{
    echo 'Task { await f() }  // reason: an example'
    printf '#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\n'
} > "$scratch/Sources/Group/HoldfastTransport/Explained.swift"
accepted check-layering.sh

clean
awk 'BEGIN { for (i = 0; i < 601; i++) print "// line" }' > "$scratch/Sources/Group/HoldfastTrust/Long.swift"
refused check-layering.sh 'the file has 601 lines'

# long: creates a type of 802 lines in two files.
long() {
    clean
    for part in 'public struct Long' 'extension Long'; do
        awk -v part="$part" 'BEGIN { print part " {"; for (i = 0; i < 399; i++) print "    // line"; print "}" }' \
            > "$scratch/Sources/Group/HoldfastTrust/$(echo "$part" | tr ' ' -).swift"
    done
}
long
refused check-layering.sh 'HoldfastTrust Long has 802 lines, the limit is 800'

clean
echo '[gone](nowhere.md)' >> "$scratch/docs/page.md"
refused check-docs-links.sh 'no such file: nowhere.md'
clean
echo '[gone](page.md#nowhere)' >> "$scratch/docs/page.md"
refused check-docs-links.sh 'no such heading: page.md#nowhere'
clean
mkdir -p "$scratch/Sources/Group/HoldfastTrust/Documentation.docc"
cp "$scratch/docs/page.md" "$scratch/Sources/Group/HoldfastTrust/Documentation.docc/Page.md"
sed -i.before 's/page.md#/Page.md#/' "$scratch/Sources/Group/HoldfastTrust/Documentation.docc/Page.md"
echo '[the other](../../../../docs/page.md#a-page)' >> "$scratch/Sources/Group/HoldfastTrust/Documentation.docc/Page.md"
echo '/// See `docs/page.md`.' >> "$scratch/Sources/Group/HoldfastTrust/Fine.swift"
accepted check-docs-links.sh
echo '[gone](../../../docs/page.md)' >> "$scratch/Sources/Group/HoldfastTrust/Documentation.docc/Page.md"
refused check-docs-links.sh 'no such file: ../../../docs/page.md'
clean
printf '/// See `docs/page.md`\n/// and docs/nowhere.md.\n' >> "$scratch/Sources/Group/HoldfastTrust/Fine.swift"
refused check-docs-links.sh 'HoldfastTrust/Fine.swift:4: no such file: docs/nowhere.md'

# settings: creates two settings, their rows and their test.
settings() {
    clean
    mkdir -p "$scratch/Sources/Group/ChatCenter/Settings" "$scratch/Tests/ATests" "$scratch/docs/reference"
    for type in ChatTransportConfig ChatNetworkConfig HTTPConfig WSConfig SSLPinningConfig ChatLoggerConfig ChatAuth \
        ChatUser ChatLocalizationConfig ChatTheme; do
        printf 'public struct %s {}\n' $type
    done > "$scratch/Sources/Group/ChatCenter/Settings/Others.swift"
    printf 'public struct ChatConfig {\n    public var colour = 1\n    public init(\n        flavour: Int = 1\n    ) {}\n}\n' \
        > "$scratch/Sources/Group/ChatCenter/Settings/ChatConfig.swift"
    printf 'func red() { _ = ChatConfig(flavour: 2).colour }\n' > "$scratch/Tests/ATests/ColourTests.swift"
    {
        echo '| `ChatConfig.colour` | 1 | its colour | `ColourTests.red` |'
        echo '| `ChatConfig.flavour` | 1 | its flavour | `ColourTests.red` |'
    } > "$scratch/docs/reference/settings.md"
}

settings
accepted check-settings.sh
settings
rm "$scratch/docs/reference/settings.md"
refused check-settings.sh 'docs/reference/settings.md is missing'
settings
sed -i.before '/colour/d' "$scratch/docs/reference/settings.md"
refused check-settings.sh 'ChatConfig.colour has no row'
settings
sed -i.before 's/`ColourTests.red`/later/' "$scratch/docs/reference/settings.md"
refused check-settings.sh 'the row of ChatConfig.colour does not name a test'
settings
sed -i.before 's/ColourTests.red/ColourTests.blue/' "$scratch/docs/reference/settings.md"
refused check-settings.sh 'the test ColourTests.blue does not exist'
settings
echo 'func red() {}' > "$scratch/Tests/ATests/ColourTests.swift"
refused check-settings.sh 'ColourTests.red does not mention flavour'
settings
echo '| `ChatConfig.smell` | 1 | gone | `ColourTests.red` |' >> "$scratch/docs/reference/settings.md"
refused check-settings.sh 'a row for ChatConfig.smell, which is not a setting'
settings
printf 'extension ChatConfig {\n    public private(set) var weight: Int { 1 }\n}\n' > "$scratch/Sources/Group/ChatCenter/Settings/More.swift"
refused check-settings.sh 'ChatConfig.weight has no row'

# migration MARK LINES GUIDE: creates a program before with this first line, one after with that many lines, a manifest
# that builds neither of them, and this text in the guide before the diff.
migration() {
    clean
    rm -rf "$scratch/Examples"
    mkdir -p "$scratch/Examples/Migration/Kit"
    printf '%s\nlet kit = true\n' "$1" > "$scratch/Examples/Migration/Kit/Before.swift"
    seq "$2" | sed 's/.*/let line& = &/' > "$scratch/Examples/Migration/Kit/After.swift"
    echo '// The manifest.' > "$scratch/Package.swift"
    printf '%s\n' "| $2 | [\`Kit/Before.swift\`] |" "$3" '<!-- diff: Kit -->' '```diff' '```' > "$scratch/docs/migration.md"
}

mark='// Not compiled here: it needs a kit.'
note='`Kit/Before.swift` is not compiled here'
migration "$mark" 20 "$note"
refused check-migration.sh 'does not show the real diffs'
accepted check-migration.sh --write
accepted check-migration.sh
echo 'let more = 1' >> "$scratch/Examples/Migration/Kit/After.swift"
refused check-migration.sh '+let more = 1'
migration "$mark" 21 "$note"
refused check-migration.sh 'Kit: 21 changed lines, the limit is 20' --write
migration "$mark" 3 "$note"
sed 's/| 3 |/| 4 |/' "$scratch/docs/migration.md" > "$scratch/said"
cp "$scratch/said" "$scratch/docs/migration.md"
refused check-migration.sh "the guide's table does not say: 3 changed lines" --write
migration "$mark" 3 ''
refused check-migration.sh 'the guide does not say that the program before is not compiled here' --write
migration 'import Kit' 3 ''
refused check-migration.sh 'and its first line does not say why' --write
migration "$mark" 3 "$note"
rm "$scratch/Examples/Migration/Kit/After.swift"
refused check-migration.sh 'Kit: Before or After.swift is missing'
migration "$mark" 3 "$note"
echo '<!-- diff: Kit -->' >> "$scratch/docs/migration.md"
refused check-migration.sh 'a diff does not end'
