# A part of test-checks.sh: the rules for the rest of the project, such as the manifest, the language and commits.
# shellcheck shell=sh

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
