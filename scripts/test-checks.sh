#!/bin/sh
# Tests the checks: breaks each rule once in a temporary tree. The check must report it.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/scripts" "$scratch/Tests/ATests"
cp "$root"/scripts/check-*.sh "$root/scripts/layering.txt" "$root/scripts/apple-branches.awk" "$root/scripts/api.awk" \
    "$root/scripts/modules.sh" "$root"/scripts/language.* "$scratch/scripts/"
printf '# none\n' > "$scratch/scripts/pure-allowed.txt"
tried=0

# clean: creates an empty tree with one file that follows the rules.
clean() {
    rm -rf "$scratch/Sources" "$scratch/docs"
    mkdir -p "$scratch/Sources/Group/HoldfastTrust" "$scratch/docs"
    printf '// A file.\nlet text = "Date() UUID() try! Task {"  // Date()\n' > "$scratch/Sources/Group/HoldfastTrust/Fine.swift"
    printf '# A page\n\n[itself](#a-page) [the same](page.md#a-page) `[not](a-link.md)`\n' > "$scratch/docs/page.md"
}

# layering TARGET CODE MESSAGE: check-layering.sh must refuse that code in that target with that message.
layering() {
    clean
    mkdir -p "$scratch/Sources/Group/$1"
    printf '%b\n' "$2" > "$scratch/Sources/Group/$1/Broken.swift"
    refused check-layering.sh "$3"
}

# refused SCRIPT MESSAGE [ARGUMENT]: the script must fail with that message.
refused() {
    tried=$((tried + 1))
    if "$scratch/scripts/$1" ${3-} > "$scratch/said" 2>&1; then
        echo "test-checks: $1 succeeded, expected: $2" >&2
        exit 1
    fi
    grep -qF -- "$2" "$scratch/said" || {
        echo "test-checks: $1 failed with another message, expected: $2" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

# accepted SCRIPT [ARGUMENT]: the script must succeed.
accepted() {
    tried=$((tried + 1))
    "$scratch/scripts/$1" ${2-} > "$scratch/said" 2>&1 || {
        echo "test-checks: $1 failed for valid code" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

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

# example DEPENDENCY IMPORT BUILT: creates a package with these, and a manifest that builds the package with that name.
example() {
    clean
    rm -rf "$scratch/Examples"
    mkdir -p "$scratch/Examples/Kit/Sources/Kit"
    echo '# A kit' > "$scratch/Examples/Kit/README.md"
    printf '%s\n' '.package(name: "holdfast", path: "../..")' ".product(name: \"$1\", package: \"holdfast\")" \
        > "$scratch/Examples/Kit/Package.swift"
    { echo "import $2"; seq 9 | sed 's/^/\/\/ /'; } > "$scratch/Examples/Kit/Sources/Kit/Kit.swift"
    echo "example(\"$3\", [])" > "$scratch/Package.swift"
}

mkdir -p "$scratch/programs"
printf '#!/bin/sh\n' > "$scratch/programs/swift"
chmod +x "$scratch/programs/swift"
before=$PATH
PATH=$scratch/programs:$PATH
example HoldfastTrust HoldfastTrust Kit
accepted check-examples.sh
example HoldfastTrust HoldfastNIO Kit
refused check-examples.sh 'Kit: imports HoldfastNIO, which the manifest does not declare'
refused check-examples.sh 'Kit: declares HoldfastTrust, but does not import it'
example HoldfastTrust HoldfastTrust Other
refused check-examples.sh 'Kit: Package.swift does not build it'
example HoldfastTrust HoldfastTrust Kit
rm "$scratch/Examples/Kit/README.md"
refused check-examples.sh 'Kit: README.md is missing'
example HoldfastTrust HoldfastTrust Kit
seq 150 | sed 's/^/\/\/ /' >> "$scratch/Examples/Kit/Sources/Kit/Kit.swift"
refused check-examples.sh '160 lines, expected 9 to 150'
example HoldfastTrust HoldfastTrust Kit
echo '.package(url: "holdfast")' > "$scratch/Examples/Kit/Package.swift"
refused check-examples.sh 'the manifest does not depend on ../..'
example HoldfastTrust HoldfastTrust Kit
printf '#!/bin/sh\nexit 1\n' > "$scratch/programs/swift"
refused check-examples.sh 'Kit: the manifest cannot be loaded'
PATH=$before
rm -r "$scratch/Examples" "$scratch/Package.swift" "$scratch/programs/swift"

# page ROW...: creates a screen with two properties, an intent, their tests and a picture, and these rows.
page() {
    clean
    mkdir -p "$scratch/Sources/Group/ChatCenterCore/Screen" "$scratch/Sources/Group/ChatPage/Intents" \
        "$scratch/Sources/Group/ChatPage/Documentation.docc" \
        "$scratch/Tests/Browser" "$scratch/docs/images"
    printf '%s\n' 'public struct ChatScreenState {' '    public struct Part {' '        public var depth: Int' '    }' \
        '    public internal(set) var width: Int' '    var secret: Int' '    public func sections() {}' '}' \
        > "$scratch/Sources/Group/ChatCenterCore/Screen/ChatScreenState.swift"
    printf '%s\n' 'public enum PageIntent {' '    case send(id: Int)' '}' 'extension PageIntent {' '    case other' '}' \
        > "$scratch/Sources/Group/ChatPage/Intents/PageIntent.swift"
    printf 'class Tests:\n    def test_width(self):\n        pass\n' > "$scratch/Tests/Browser/test_size.py"
    printf 'func depth() {}\n' > "$scratch/Tests/ATests/SizeTests.swift"
    : > "$scratch/docs/images/size.png"
    printf '%s\n' "$@" > "$scratch/Sources/Group/ChatPage/Documentation.docc/Page-and-Protocol.md"
}

width='| `ChatScreenState.width` | `#width` | `test_size.test_width` | size |'
depth='| `ChatScreenState.Part.depth` | `#depth` | `SizeTests.depth` | - |'
send='| `PageIntent.send` | `#send` | `test_size.test_width` | - |'
page "$width" "$depth" "$send"
accepted check-page.sh
page "$width" "$depth"
refused check-page.sh 'PageIntent.send has no row'
page "$depth" "$send"
refused check-page.sh 'ChatScreenState.width has no row'
page "$width" "$send"
refused check-page.sh 'ChatScreenState.Part.depth has no row'
page "$width" "$width" "$depth" "$send"
refused check-page.sh 'ChatScreenState.width has several rows'
page "$width" "$depth" "$send" '| `ChatScreenState.weight` | `#weight` | `SizeTests.depth` | - |'
refused check-page.sh 'a row for ChatScreenState.weight, which is neither'
page '| `ChatScreenState.width` |  | `test_size.test_width` | size |' "$depth" "$send"
refused check-page.sh 'the row of ChatScreenState.width names no element'
page '| `ChatScreenState.width` | `#width` | later | size |' "$depth" "$send"
refused check-page.sh 'the row of ChatScreenState.width does not name a test'
page '| `ChatScreenState.width` | `#width` | `test_size.test_height` | size |' "$depth" "$send"
refused check-page.sh 'the test Tests/Browser/test_size.py test_height does not exist'
page '| `ChatScreenState.width` | `#width` | `SizeTests.width` | size |' "$depth" "$send"
refused check-page.sh 'the test SizeTests.width does not exist'
page '| `ChatScreenState.width` | `#width` | `test_size.test_width` | large |' "$depth" "$send"
refused check-page.sh 'the picture docs/images/large.png does not exist'
page "$width" "$depth" "$send"
rm "$scratch/Sources/Group/ChatPage/Documentation.docc/Page-and-Protocol.md"
refused check-page.sh 'ChatPage/Documentation.docc/Page-and-Protocol.md is missing'

# manifest DEPENDENCIES CODE: creates a target with these dependencies and this code.
manifest() {
    clean
    printf 'let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")\n    module("A", in: "Group", [%s]),\n' \
        "$1" > "$scratch/Package.swift"
    mkdir -p "$scratch/Sources/Group/A"
    printf '%b\n' "$2" > "$scratch/Sources/Group/A/A.swift"
}

manifest 'crypto, "B"' 'import Foundation\npublic import Crypto\nimport struct B.C\nlet text = """\n    import other\n    """'
accepted check-manifest.sh
manifest 'crypto, "B"' 'let text = #"a """ b"#\nimport Crypto\nlet more = ##"""##\nimport B'
accepted check-manifest.sh
manifest 'crypto, "B"' 'let text = #"""\n    """\n    import other\n    """#\nimport Crypto\nlet a = "\\"" // """\nimport B'
accepted check-manifest.sh
manifest '"B"' 'let text = #"a """ b"#\nimport Crypto\nimport B'
refused check-manifest.sh 'A imports Crypto, which the manifest does not declare'
manifest 'crypto, "B"' 'import Crypto'
refused check-manifest.sh 'A declares B, but does not import it'
manifest '"B"' 'import Crypto\nimport B'
refused check-manifest.sh 'A imports Crypto, which the manifest does not declare'
manifest '"B"' 'import B'
printf '    tests(\n        names)\n' >> "$scratch/Package.swift"
refused check-manifest.sh 'targets of the manifest could be parsed'

# apple TARGET CODE: creates a file with that code for Apple platforms.
apple() {
    clean
    mkdir -p "$scratch/Sources/Group/$1"
    printf '%b\n' "$2" > "$scratch/Sources/Group/$1/Apple.swift"
}

apple HoldfastTrust '#if canImport(Darwin)\nlet a = 1\n#elseif !os(iOS)\nlet a = 2\n#endif\n#if canImport(UIKit) && os(iOS)\n#endif'
accepted check-apple.sh branches
apple Newcomer '#if canImport(Darwin)\n#endif'
refused check-apple.sh 'the code of Newcomer has conditions and is not type-checked' branches
apple HoldfastTrust '#if canImport(AppKit)\n#endif'
refused check-apple.sh 'canImport(AppKit) is not known' branches
apple HoldfastTrust '#if os(Linux)\n#if canImport(Security)\n#endif\n#endif'
refused check-apple.sh 'Apple.swift:2: no mode of' branches
apple HoldfastTrust '#if canImport(Darwin)\n#elseif canImport(Security)\n#endif'
refused check-apple.sh 'Apple.swift:2: no mode of' branches
apple HoldfastTrust '#if canImport(UIKit) && os(macOS)\n#endif'
refused check-apple.sh 'Apple.swift:1: no mode of' branches

# language FILE TEXT SENTENCE: check-language.sh must refuse that text in that file with that message.
language() {
    printf '%b\n' "$2" > "$scratch/$1"
    refused check-language.sh "$3" "$1"
}

clean
printf '# A page\n\nThere is no port here, and it is no longer open.\nIt is not a port. `he is no code`\n' > "$scratch/docs/page.md"
accepted check-language.sh docs/page.md
language docs/page.md 'The number\nis no port.' 'docs/page.md:2: "is no"'
language docs/page.md '| a | 70000 is no port |' 'docs/page.md:1: "is no"'
language docs/page.md "The attacker sends $(seq -s ' ' 1 28)." 'docs/page.md:1: a sentence of 31 words, expected at most 30'
language docs/page.md 'It is what whoever asks gets.' 'name who'
language Fine.swift '/// What is\n/// no port.\nlet a = 1' 'Fine.swift:1: "is no"'
language Fine.swift 'let a = "The file is no policy."' 'Fine.swift:1: "is no"'
language Fine.swift 'let a = 1  // Mends it.' '"mends"'
language Fine.swift 'let a = 1\n// His key.' 'Fine.swift:2: "his"'
language Fine.swift "let a = 1\n    // $(seq -s '' 1 90)" 'Fine.swift:2: a comment has more than 120 columns'
printf '/// The port is not valid.\nlet noPort = "he", is = no\n' > "$scratch/Fine.swift"
accepted check-language.sh Fine.swift

# commit MESSAGE: makes a commit in the temporary repository.
commit() {
    printf '%b' "$1" | git -C "$scratch" -c user.name=A -c user.email=a@example.com commit -q --allow-empty -F -
}

git -C "$scratch" init -q
commit 'Begin\n\nWith this.'
commit 'Add a port to the server\n\nA client needs it.'
accepted check-commits.sh
commit 'Add a port\n'
refused check-commits.sh 'no body that says why'
commit "Add $(seq -s '' 1 60)\n\nBecause."
refused check-commits.sh 'expected at most 72'
commit 'Added a port\n\nBecause.'
refused check-commits.sh 'the subject must be imperative'
commit 'Add a port\nBecause.'
refused check-commits.sh 'no body that says why'
commit 'Add another port\n\nBecause.'
accepted check-commits.sh
refused check-commits.sh 'expected at most 72' HEAD~4

# message TEXT: writes the message of a commit to the file `message`.
message() {
    printf '%b' "$1" > "$scratch/message"
}

message 'Add a port\n\nA client needs it.\n# On branch main\n'
accepted check-commits.sh "--message $scratch/message"
message 'Add a port\n\n# Please enter the commit message.\n'
refused check-commits.sh 'no body that says why' "--message $scratch/message"
message 'Add a port\n\n# ------------------------ >8 ------------------------\ndiff --git a/a b/a\n'
refused check-commits.sh 'no body that says why' "--message $scratch/message"
message 'Added a port\n\nBecause.\n'
refused check-commits.sh 'the subject must be imperative' "--message $scratch/message"
refused check-commits.sh 'cannot be read' "--message $scratch/missing"

# The hook of CONTRIBUTING.md refuses the commit, and accepts it with a body.
mkdir -p "$scratch/.git/hooks"
printf '#!/bin/sh\nexec scripts/check-commits.sh --message "$1"\n' > "$scratch/.git/hooks/commit-msg"
chmod +x "$scratch/.git/hooks/commit-msg"
tried=$((tried + 2))
! commit 'Add a port\n' 2> "$scratch/said" && grep -qF 'no body that says why' "$scratch/said" ||
    { echo "test-checks: the hook accepted a commit without a body" >&2; exit 1; }
commit 'Add a port\n\nBecause.' || { echo "test-checks: the hook refused a valid commit" >&2; exit 1; }
rm "$scratch/.git/hooks/commit-msg"

# suppress LINES: writes these suppressions for a sanitizer.
suppress() {
    clean
    printf '%b\n' "$1" > "$scratch/scripts/tsan-suppressions.txt"
}

suppress '# A library of others.\nrace:swift_getTypeByMangledName\n\n# Another one.\nleak:libsqlite3.so'
accepted check-sanitizers.sh suppressions
suppress '# Our own.\nrace:*HoldfastFormats*'
refused check-sanitizers.sh '`*HoldfastFormats*` names Holdfast' suppressions
suppress '# Our own.\nrace:$s13holdfastTrust'
refused check-sanitizers.sh 'which is of this package' suppressions
suppress '# Everything.\nrace:*'
refused check-sanitizers.sh '`*` fits almost any name' suppressions
suppress 'race:libsqlite3.so'
refused check-sanitizers.sh '`libsqlite3.so` has no reason above it' suppressions
suppress '# A reason.\nlibsqlite3.so'
refused check-sanitizers.sh 'a rule is written KIND:PATTERN' suppressions
rm "$scratch/scripts/tsan-suppressions.txt"

# api LINE...: creates a product, and a swift-api-digester whose dump contains a structure with these lines.
api() {
    clean
    printf '        .library(name: "HoldfastTrust", targets: ["HoldfastTrust"]),\n' > "$scratch/Package.swift"
    mkdir -p "$scratch/.build/debug/Modules" "$scratch/programs"
    {
        printf '%s\n' '{' '"ABIRoot": {' '"kind": "Root",' '"children": [' '{' '"kind": "TypeDecl",' '"name": "Pin",' \
            '"printedName": "Pin",' '"children": [' "$@" '],' '"declKind": "Struct",' '"usr": "s:13HoldfastTrust3PinV",' \
            '"moduleName": "HoldfastTrust",' '"conformances": [' '{' '"kind": "Conformance",' \
            '"printedName": "Sendable"' '},' '{' '"kind": "Conformance",' \
            '"printedName": "Copyable"' '}' ']' '}' ']' '}' '}'
    } > "$scratch/dump.json"
    printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp "%s" "$2"\n' "$scratch/dump.json" \
        > "$scratch/programs/swift-api-digester"
    chmod +x "$scratch/programs/swift-api-digester"
}

# variable NAME OTHER: prints a variable of the structure, with another line of the dump.
variable() {
    printf '%s\n' '{' '"kind": "Var",' "\"name\": \"$1\"," "\"printedName\": \"$1\"," \
        "\"usr\": \"s:13HoldfastTrust3PinV${#1}$1Sivp\"," "$2" '"declKind": "Var"' '}'
}

PATH=$scratch/programs:$PATH
api "$(variable size '"isLet": true,')"
accepted check-api.sh --accept
grep -qxF 'HoldfastTrust.Pin [Struct; conforms to Sendable]' "$scratch/docs/api/HoldfastTrust.txt" ||
    { cat "$scratch/docs/api/HoldfastTrust.txt" >&2; echo "test-checks: check-api.sh wrote another description" >&2; exit 1; }
cp -R "$scratch/docs/api" "$scratch/known"

# changed LINE...: creates a dump with these lines, and the description from above.
changed() {
    api "$@"
    cp -R "$scratch/known" "$scratch/docs/api"
}

changed "$(variable size '"isLet": true,')"
accepted check-api.sh
changed "$(variable size '')"
refused check-api.sh 'removed or changed: HoldfastTrust.Pin.size : Swift.Int [Var; let]'
changed "$(variable size '')"
refused check-api.sh 'added or changed: HoldfastTrust.Pin.size : Swift.Int [Var]'
changed "$(variable size '"isLet": true,')" , "$(variable more '')"
refused check-api.sh 'added or changed: HoldfastTrust.Pin.more : Swift.Int [Var]'
changed "$(variable size '"isLet": true,')" , "$(variable more '"isInternal": true,')" , \
    "$(variable some '"implicit": true,')"
accepted check-api.sh
changed "$(variable more '')"
refused check-api.sh 'run: ./run api --accept'
changed "$(variable size '"isLet": true,')"
echo 'A [Struct]' > "$scratch/docs/api/HoldfastOld.txt"
refused check-api.sh 'describes a module that is not part of a product'
accepted check-api.sh --accept
accepted check-api.sh
rm "$scratch/docs/api/HoldfastTrust.txt"
refused check-api.sh 'docs/api/HoldfastTrust.txt is missing'
printf '#!/bin/sh\necho "no such module" >&2\nexit 1\n' > "$scratch/programs/swift-api-digester"
refused check-api.sh 'swift-api-digester failed for HoldfastTrust'

# site PAGE: creates a website with two pages. The first one has these references.
site() {
    rm -rf "$scratch/site"
    mkdir -p "$scratch/site/data/documentation/a" "$scratch/site/documentation/a/b" "$scratch/site/images"
    touch "$scratch/site/documentation/a/index.html" "$scratch/site/documentation/a/b/index.html" \
        "$scratch/site/images/a.png"
    printf '{"metadata": {"title": "A"}, "references": {%s}}\n' "$1" > "$scratch/site/data/documentation/a.json"
    printf '{"metadata": {"title": "B"}, "primaryContentSections": [{"anchor": "Steps"}]}\n' \
        > "$scratch/site/data/documentation/a/b.json"
}

# link URL and image FILE ALT: print a reference.
link() { printf '"x": {"type": "section", "url": "%s"}' "$1"; }
image() { printf '"x": {"type": "image", "alt": "%s", "variants": [{"url": "%s"}]}' "$2" "$1"; }

# Python assembles the documentation. Without it, ./run installs it before these scripts run.
if command -v python3 >/dev/null 2>&1; then
    cp "$root/scripts/documentation-site.py" "$scratch/scripts/"
    check="check $scratch/site"
    site "$(link /documentation/A/b#Steps)"
    accepted documentation-site.py "$check"
    site "$(image /images/a.png 'a picture')"
    accepted documentation-site.py "$check"
    site "$(link /documentation/c)"
    refused documentation-site.py '/documentation/a: no such page: /documentation/c' "$check"
    site "$(link /documentation/a/b#Nowhere)"
    refused documentation-site.py '/documentation/a: no such heading: /documentation/a/b#Nowhere' "$check"
    site "$(image /images/gone.png 'a picture')"
    refused documentation-site.py '/documentation/a: no such file: /images/gone.png' "$check"
    site "$(image /images/a.png '')"
    refused documentation-site.py '/documentation/a: an image without a description' "$check"
    site ''
    echo '{"metadata": {"title": " "}}' > "$scratch/site/data/documentation/a/b.json"
    refused documentation-site.py '/documentation/a/b: the page has no title' "$check"
    site ''
    rm "$scratch/site/documentation/a/b/index.html"
    refused documentation-site.py '/documentation/a/b: the page has no index.html' "$check"
    rm -rf "$scratch/site/data"
    refused documentation-site.py 'contains no pages' "$check"

    # The guides: links become links to articles, except in code and to files that are not guides.
    clean
    mkdir -p "$scratch/docs/images" "$scratch/catalogue"
    printf '# Documents\n\n## Start\n\n- [page](page.md)\n' > "$scratch/docs/README.md"
    printf '# The `page`\n\n[`a`](page.md#the-second-one) `[b](b.md)` [c](../c.md)\n\n## The second one\n' \
        > "$scratch/docs/page.md"
    printf '# Holdfast\n\n## Topics\n' > "$scratch/catalogue/Holdfast.md"
    accepted documentation-site.py "guides $scratch/docs $scratch/catalogue"
    printf '# The page\n\n[`a`](doc:page#The-second-one) `[b](b.md)` c\n\n## The second one\n' |
        cmp - "$scratch/catalogue/Guides/page.md"
    printf '# Holdfast\n\n## Topics\n\n### Start\n\n- <doc:page>\n' | cmp - "$scratch/catalogue/Holdfast.md"
    again() {
        rm -rf "$scratch/catalogue/Guides" "$scratch/catalogue/Images" "$scratch/copy"
        printf '# Holdfast\n\n## Topics\n' > "$scratch/catalogue/Holdfast.md"
    }
    again
    cp "$scratch/docs/page.md" "$scratch/docs/other.md"
    refused documentation-site.py 'docs/README.md does not list other.md' "guides $scratch/docs $scratch/catalogue"
    rm "$scratch/docs/other.md"

    # The articles of two modules. Links within a catalogue are links of DocC, links to other pages are addresses.
    folder=$scratch/Sources/Group
    a=$folder/HoldfastTrust/Documentation.docc
    mkdir -p "$a" "$folder/Other/Documentation.docc"
    printf '# ``HoldfastTrust``\n\n[page](Page.md)\n\n## Topics\n\n- <doc:Page>\n' > "$a/HoldfastTrust.md"
    printf '# ``Other``\n' > "$folder/Other/Documentation.docc/Other.md"
    printf '%s\n' '# The `Page`' '' '[g](../../../../docs/page.md#the-second-one) [s](../../../../scripts/x.md)' \
        '[own](#its-12--end) [other](../../Other/Documentation.docc/Other.md) ![a box](../../../../docs/images/box.svg)' '' \
        '<!-- one' 'two -->' '## Its 1/2 – "end"' > "$a/Page.md"
    touch "$scratch/docs/images/box.svg"
    accepted documentation-site.py "catalogue $a $scratch/copy"
    printf '%s\n' '# The Page' '' '[g](/documentation/holdfast/page#The-second-one) s' \
        '[own](doc:Page#Its-12-end) [other](/documentation/other) ![a box](box.svg)' '' '' '' '## Its 1/2 – "end"' |
        cmp - "$scratch/copy/Page.md"
    sed 's/Page.md/doc:Page/' "$a/HoldfastTrust.md" | cmp - "$scratch/copy/HoldfastTrust.md"
    [ -f "$scratch/copy/Images/box.svg" ]
    again
    refused documentation-site.py 'README.md does not list ../Sources/Group/HoldfastTrust/Documentation.docc/Page.md' \
        "guides $scratch/docs $scratch/catalogue"
    again
    printf -- '- [the page](../Sources/Group/HoldfastTrust/Documentation.docc/Page.md)\n' \
        >> "$scratch/docs/README.md"
    accepted documentation-site.py "guides $scratch/docs $scratch/catalogue"
    printf '%s\n' '# Holdfast' '' '## Topics' '' '### Start' '' '- <doc:page>' \
        '- <doc:/HoldfastTrust/Page>' | cmp - "$scratch/catalogue/Holdfast.md"
    again
    sed -i.before '/<doc:Page>/d' "$a/HoldfastTrust.md"
    refused documentation-site.py 'HoldfastTrust.md does not list <doc:Page> in its topics' "catalogue $a $scratch/copy"

    mv "$a/HoldfastTrust.md.before" "$a/HoldfastTrust.md"
    cp "$a/Page.md" "$scratch/said-before"
    seq 1 250 >> "$a/Page.md"
    refused documentation-site.py 'Page.md has more than 250 lines' "catalogue $a $scratch/copy"
    mv "$scratch/said-before" "$a/Page.md"

    # Samples in an article.
    cp "$root/scripts/check-snippets.py" "$root/scripts/debugbuild.py" "$scratch/scripts/"
    mkdir -p "$scratch/Documentation/Snippets" "$scratch/Tests/EndToEndTests/Documents" \
        "$scratch/Tests/Lab/HoldfastTestKitTests/Documents"
    touch "$scratch/Documentation/Snippets/Manifest.swift" "$scratch/README.md" \
        "$scratch/Tests/EndToEndTests/Documents/ReadmeSamples.swift" \
        "$scratch/Tests/Lab/HoldfastTestKitTests/Documents/TestingPageSamples.swift"
    sed -i.before '/^LEFT_OUT/,/^}/c\LEFT_OUT = {"docs/page.md": {}}' "$scratch/scripts/check-snippets.py"
    echo 'let a = 1' > "$scratch/Documentation/Snippets/PageSnippets.swift"
    printf '```swift\nlet a = 1\n```\n' >> "$a/Page.md"
    accepted check-snippets.py compare
    printf '```swift\nlet a = 2\n```\n' >> "$a/Page.md"
    refused check-snippets.py 'HoldfastTrust/Documentation.docc/Page.md: sample 2 is not part of a compiled file' compare
    rm "$scratch/docs/page.md" "$a/Page.md"
    refused check-snippets.py 'docs/page.md: scripts/check-snippets.py leaves out samples of this page' compare
    rm -rf "$scratch/Documentation" "$scratch/Tests/EndToEndTests" "$scratch/Tests/Lab" "$scratch/README.md"
fi

# sources: copies the sources and their reference pages.
sources() {
    clean
    rm -rf "$scratch/Sources"
    cp -R "$root/Sources" "$scratch/Sources"
    cp -R "$root/docs/reference" "$scratch/docs/reference"
    cp "$root/scripts/reference.py" "$root/scripts/swiftsource.py" "$root/scripts/settings-tests.txt" "$scratch/scripts/"
}
finding=Trust/HoldfastTrust/Verdicts/TrustFinding+Code.swift

sources
accepted reference.py --check
sed -i.before '/- Remedy: Issue a new certificate for the server/d' "$scratch/Sources/$finding"
refused reference.py 'unreadableLeaf has no line `- Remedy:`' --check
sources
sed -i.before 's/The server presented no certificate/The server sent nothing/' "$scratch/Sources/$finding"
refused reference.py 'docs/reference/refusals.md out of date' --check
accepted reference.py
accepted reference.py --check
sed -i.before 's/headBytes = 64 /headBytes = 32 /' "$scratch/Sources/Transport/HoldfastTransport/Client/TransportConfiguration.swift"
refused reference.py 'docs/reference/limits.md out of date' --check
sources
error=$scratch/Sources/Chat/ChatCenter/Appearance/ChatLocalizationError.swift
sed -i.before 's/<doc:Texts>/<doc:Gone>/' "$error"
refused reference.py '<doc:Gone>: there is no such article, or there are several' --check
sources
printf 'enum Box {\n    static let limit = random()\n}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'the number of Box.limit cannot be read' --check
printf 'enum Box {\n    static let limit = 7\n}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'Box.limit has no documentation' --check
printf 'public struct BoxError: Error {}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'BoxError has no line `- Remedy:`' --check
printf 'enum Box {\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'Box.swift: a bracket or a string does not end' --check

# diagram LINE…: creates a diagram with these statements.
diagram() {
    clean
    mkdir -p "$scratch/docs/diagrams" "$scratch/docs/images"
    cp "$root/scripts/diagrams.py" "$scratch/scripts/"
    printf '%s\n' 'title: A box' 'desc: One box.' "$@" > "$scratch/docs/diagrams/box.txt"
}

diagram 'box a 10 10 100 40: name' 'box b 300 10 100 40: name' 'edge a.r -> b.l: to'
accepted diagrams.py
accepted diagrams.py --check
echo 'text 10 100: more' >> "$scratch/docs/diagrams/box.txt"
refused diagrams.py 'docs/images/box.svg out of date' --check
diagram 'box a 10 10 40 40: a name that does not fit'
refused diagrams.py 'is too long'
diagram 'edge a.r -> b.l: to'
refused diagrams.py 'there is no box a'
diagram 'circle a: name'
refused diagrams.py 'unknown statement: circle a: name'
printf 'static let columns = ["idle", "ready"]\nstatic let matrix = [\n    (.open, ["ready", "="]),\n    (.lost, ["=", "idle"]),\n    ]\n' \
    > "$scratch/Tests/ATests/Matrix.swift"
diagram 'matrix: Tests/ATests/Matrix.swift' 'box i 10 10 100 40: idle' 'box r 300 10 100 40: ready' \
    'edge i.r -> r.l events idle to ready:'
refused diagrams.py 'no edge shows lost from ready to idle'
echo 'edge r.b -> i.b via 350,90 60,90 events ready to idle:' >> "$scratch/docs/diagrams/box.txt"
accepted diagrams.py
printf 'One:\nTwo: One\n' > "$scratch/scripts/layering-of-two.txt"
diagram 'modules: scripts/layering-of-two.txt' 'layer Upper: up' 'layer Lower: low'
mkdir -p "$scratch/Sources/Upper/One" "$scratch/Sources/Lower/Two"
refused diagrams.py 'Two imports One of a higher layer'

# web: creates the files of the three pages, and their Swift files.
web() {
    clean
    for folder in Chat/ChatPage Servers/ChatDevServer/Desk Servers/PinReportDesk; do
        mkdir -p "$scratch/Sources/$folder/Web"
        echo 'a { }' > "$scratch/Sources/$folder/Web/page.css"
    done
    parts="$scratch/Sources/Chat/ChatPage/Web/page"
    contents="$scratch/Sources/Chat/ChatPage/Files/Contents"
    mkdir "$parts"
    echo 'first()' > "$parts/1-first.js"
    echo 'then()' > "$parts/2-then.js"
    accepted embed-page.sh
}

cp "$root/scripts/embed-page.sh" "$scratch/scripts/"
web
accepted embed-page.sh --check
sed -n '/page_js = \[/,/joined/p' "$contents/PageContents.swift" | tr -d ' \n' > "$scratch/said"
[ "$(cat "$scratch/said")" = 'staticletpage_js=[page_1_first_js,page_2_then_js,].joined()' ] || {
    echo "test-checks: embed-page.sh joins other parts: $(cat "$scratch/said")" >&2
    exit 1
}
echo 'more()' >> "$parts/2-then.js"
refused embed-page.sh 'differs from' --check
web
echo 'last()' > "$parts/3-last.js"
refused embed-page.sh 'differs from' --check
web
touch "$contents/PageContents+page_0_other_js.swift"
refused embed-page.sh 'differs from' --check
web
echo '"""##' >> "$parts/2-then.js"
refused embed-page.sh 'contains the end of a Swift literal'
web
head -c 40000 /dev/urandom | od -A n -t x1 > "$parts/2-then.js"
refused embed-page.sh 'bytes after gzip -9; the limit is 36864'
web
rm "$scratch/Sources/Servers/PinReportDesk/Web/page.css"
refused embed-page.sh 'PinReportDesk/Web has no files'

echo "test-checks: $tried cases succeeded"
