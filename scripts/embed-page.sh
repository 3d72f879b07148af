#!/bin/sh
# Copies the scripts and styles of the pages into Swift sources, so that a program needs no resource files.
#
# embed-page.sh          writes the Swift files
# embed-page.sh --check  fails if a Swift file differs from its sources, or if the files of a page are too large
#
# A folder such as page has the parts of the script page.js in the order of their names. A browser gets them as one file.
set -eu
cd "$(dirname "$0")/.."

# FOLDER OUTPUT ENUM LIMIT: all files of the folder become constants of the enum, whose Swift files are alone in the folder
# OUTPUT. LIMIT is the largest total size in bytes after gzip -9.
pages='
Sources/Chat/ChatPage/Web Sources/Chat/ChatPage/Files/Contents PageContents 36864
Sources/Servers/ChatDevServer/Desk/Web Sources/Servers/ChatDevServer/Desk/Files/Contents DeskContents 16384
Sources/Servers/PinReportDesk/Web Sources/Servers/PinReportDesk/Files/Contents ReportDeskContents 8192
'

# The name of the constant for a path below $folder: page/1-texts.js becomes page_1_texts_js.
constant() { echo "${1#"$folder"/}" | tr /.- ___; }

# The first lines of a Swift file.
preamble() {
    echo "// This file is generated: change the files in $folder, then run scripts/embed-page.sh."
    echo "// swift-format-ignore-file"
    echo
}

# literal FILE: writes the Swift file with the contents of a file.
literal() {
    if grep -q '"""##' "$1"; then
        echo "embed-page: $1 contains the end of a Swift literal" >&2
        exit 1
    fi
    name=$(constant "$1")
    {
        preamble
        echo "extension $enum {"
        echo "    /// The contents of \`${1#"$folder"/}\`."
        echo "    static let $name = ##\"\"\""
        cat "$1"
        # The last line break of the file is part of the literal's last line.
        echo
        echo '"""##'
        echo "}"
    } >"$new/$enum+$name.swift"
}

check=
[ "${1:-}" != --check ] || check=yes
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

printf '%s' "$pages" | while read -r folder output enum limit; do
    [ -n "$folder" ] || continue
    files=$(find "$folder" -mindepth 1 -maxdepth 1 \( -type d -o -name '*.js' -o -name '*.css' \) | LC_ALL=C sort)
    [ -n "$files" ] || { echo "embed-page: $folder has no files" >&2; exit 1; }
    rm -f "$new"/*
    {
        preamble
        echo "/// The contents of the files in \`$folder\`."
        echo "enum $enum {"
    } >"$new/$enum.swift"
    size=0
    for file in $files; do
        parts=$file
        if [ -d "$file" ]; then
            parts=$(find "$file" -type f -name '*.js' | LC_ALL=C sort)
            [ -n "$parts" ] || { echo "embed-page: $file has no parts" >&2; exit 1; }
            {
                echo "    /// The contents of the script \`$(basename "$file").js\`."
                echo "    static let $(constant "$file.js") = ["
                for part in $parts; do echo "        $(constant "$part"),"; done
                echo "    ].joined()"
            } >>"$new/$enum.swift"
        fi
        for part in $parts; do literal "$part"; done
        # The names of the files contain no spaces.
        # shellcheck disable=SC2086
        size=$((size + $(cat $parts | gzip -9 -n -c | wc -c)))
    done
    echo "}" >>"$new/$enum.swift"
    if [ "$size" -gt "$limit" ]; then
        echo "embed-page: the files in $folder have $size bytes after gzip -9; the limit is $limit" >&2
        exit 1
    fi
    if [ -z "$check" ]; then
        rm -rf "$output"
        mkdir -p "$output"
        cp "$new"/* "$output"
    elif ! diff -r -q "$new" "$output" >/dev/null; then
        echo "embed-page: $output differs from $folder; run scripts/embed-page.sh" >&2
        exit 1
    fi
    echo "embed-page: $folder has $size of $limit bytes after gzip -9"
done
