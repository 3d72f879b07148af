#!/bin/sh
# Compares the dependencies in the manifest with the imports in the code. Every declared dependency must be imported,
# and every imported module must be declared, except the toolchain's own modules.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the modules that the code in a folder imports, without duplicates.
imports() {
    find "$1" -name '*.swift' -exec awk '
        # A multi-line string may contain a program in another language. Updates `inText` and `hashes`: whether the
        # line ends inside of one, and the number signs of its delimiter. In #"…"#, three quotation marks begin none.
        function scan(line,   place, start) {
            while (line != "") {
                if (inText) {
                    if (!(place = index(line, "\"\"\"" hashes))) return
                    inText = 0
                    line = substr(line, place + 3 + length(hashes))
                    continue
                }
                if (!match(line, /#*"|\/\//) || substr(line, RSTART, 2) == "//") return
                start = RSTART
                hashes = substr(line, RSTART, RLENGTH - 1)
                line = substr(line, start + RLENGTH)
                if (hashes != "" && (place = index(line, "\"" hashes))) {
                    line = substr(line, place + 1 + length(hashes))
                } else if (substr(line, 1, 2) == "\"\"") {
                    inText = 1
                    line = substr(line, 3)
                } else if (match(line, /^([^"\\]|\\.)*"/)) {
                    line = substr(line, RLENGTH + 1)
                } else return
            }
        }
        FNR == 1 { inText = 0 }
        inText || /"""/ { wasInText = inText; scan($0); if (wasInText || inText) next }
        /^ *(@[A-Za-z_]+(\([^)]*\))? +)*((public|package|internal|fileprivate|private) +)?import +/ {
            sub(/.*import +((struct|class|enum|protocol|func|var|let|typealias) +)?/, "")
            sub(/[^A-Za-z_0-9].*/, "")
            print
        }' {} + | sort -u
}

# Writes "TARGET FOLDER DEPENDENCY ..." for each target with code, one per line.
sed -e 's/^ *\/\/.*//' Package.swift | tr '\n' ' ' | awk '
    # Returns the text up to the bracket that closes the first one.
    function brackets(text,   i, depth, c) {
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "[") depth++
            if (c == "]" && --depth == 0) return substr(text, 1, i)
        }
        return text
    }
    # Returns the names of the modules in a list of dependencies.
    function names(list,   out, word) {
        while (match(list, /\.product\( *name: "[A-Za-z_0-9]+"[^)]*\)|"[A-Za-z_0-9-]+"|[a-z][A-Za-z0-9]*/)) {
            word = substr(list, RSTART, RLENGTH)
            list = substr(list, RSTART + RLENGTH)
            if (word ~ /^\.product/) {
                sub(/^\.product\( *name: "/, "", word)
                sub(/".*/, "", word)
            } else if (word ~ /^"/) gsub(/"/, "", word)
            else word = product[word]
            out = out " " word
        }
        return out
    }
    {
        text = $0
        while (match(text, /let [A-Za-z0-9]+: Target\.Dependency = \.(product|target)\( *name: "[A-Za-z_0-9]+"/)) {
            split(substr(text, RSTART, RLENGTH), parts, /let |: Target|"/)
            product[parts[2]] = parts[4]
            text = substr(text, RSTART + RLENGTH)
        }
        text = $0
        while (match(text, /(module|program|tests|example|\.target)\( *("[A-Za-z_0-9-]+", )?(name: )?"[A-Za-z_0-9-]+",( in: "[A-Za-z]+",)? *(dependencies: *)?\[/)) {
            head = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH - 1)
            list = brackets(text)
            group = ""
            if (match(head, / in: "[A-Za-z]+"/)) group = substr(head, RSTART + 6, RLENGTH - 7) "/"
            count = split(head, quoted, "\"")
            if (head ~ /^\.target/) {
                # A `.target` with a path is a target of this package. Others are dependencies.
                rest = substr(text, length(list) + 1, 60)
                if (!match(rest, /path: "[A-Za-z\/]+"/)) continue
                print quoted[2], substr(rest, RSTART + 7, RLENGTH - 8) names(list)
            } else if (head ~ /^example/) {
                print quoted[2], "Examples/" quoted[2] "/Sources/" quoted[2] names(list)
            } else if (group == "" && head ~ /^program/) {
                print quoted[4], quoted[2] "/Sources/" quoted[4] names(list)
            } else {
                print quoted[2], (head ~ /^tests/ ? "Tests/" : "Sources/") group quoted[2] names(list)
            }
        }
    }' >"$scratch/targets"

known=$(wc -l <"$scratch/targets")
wanted=$(grep -cE '^ *(\+ )?(module|program|tests|example)\(("|$)' Package.swift)
[ "$known" -ge "$wanted" ] && [ "$known" -gt 0 ] ||
    { echo "check-manifest: only $known of $wanted targets of the manifest could be parsed" >&2; exit 1; }

# The modules that need no declaration: the toolchain's, and BoringSSL, which is not a product but a part of NIOSSL. If
# HOLDFAST_SANITIZE is set, the manifest adds ThreadSanitizerRuntime to all tests and programs.
own=' Foundation FoundationEssentials FoundationNetworking Dispatch Synchronization Testing XCTest Glibc Musl Darwin Security
    Network UIKit UserNotifications os Observation SwiftUI Accessibility AVFAudio CoreAudioTypes ImageIO PhotosUI QuickLook
    UniformTypeIdentifiers CNIOBoringSSL ThreadSanitizerRuntime'
own=" $(echo $own) "

status=0
while read -r target folder declared; do
    [ -d "$folder" ] || { echo "check-manifest: $target: the folder $folder does not exist" >&2; status=1; continue; }
    imports "$folder" >"$scratch/used"
    for module in $declared; do
        case $module in
            Collections) grep -qxE 'Collections|OrderedCollections|DequeModule' "$scratch/used" ;;
            NIOSSL) grep -qxE 'NIOSSL|CNIOBoringSSL' "$scratch/used" ;;
            holdfast-conformance) grep -qx "$(echo "$module" | tr - _)" "$scratch/used" ;;
            *) grep -qx "$module" "$scratch/used" ;;
        esac || { echo "check-manifest: $target declares $module, but does not import it" >&2; status=1; }
    done
    while read -r module; do
        case $own in *" $module "*) continue ;; esac
        case $module in OrderedCollections | DequeModule) name='(Collections|DequeModule|OrderedCollections)' ;; *) name=$module ;; esac
        printf '%s\n' $declared | grep -qxE "$name" ||
            { echo "check-manifest: $target imports $module, which the manifest does not declare" >&2; status=1; }
    done <"$scratch/used"
done <"$scratch/targets"

[ "$status" = 0 ] || exit "$status"
echo "check-manifest: the imports of $known targets match their dependencies"
