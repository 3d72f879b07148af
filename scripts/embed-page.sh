#!/bin/sh
# Copies the scripts and styles of the pages into Swift sources, so that a program needs no resource files.
#
# embed-page.sh          writes the Swift files
# embed-page.sh --check  fails if a Swift file differs from its sources, or if the files of a page are too large
set -eu
cd "$(dirname "$0")/.."

# FOLDER OUTPUT ENUM LIMIT: all files of the folder become constants of the enum. LIMIT is the largest total size in
# bytes after gzip -9.
pairs='
Sources/Chat/ChatPage/Web Sources/Chat/ChatPage/Files/PageFiles+Contents.swift PageContents 36864
Sources/Servers/ChatDevServer/Desk/Web Sources/Servers/ChatDevServer/Desk/Files/DeskFiles+Contents.swift DeskContents 16384
Sources/Servers/PinReportDesk/Web Sources/Servers/PinReportDesk/Files/ReportDeskFiles+Contents.swift ReportDeskContents 8192
'

check=
[ "${1:-}" != --check ] || check=yes
new=$(mktemp)
trap 'rm -f "$new"' EXIT

printf '%s' "$pairs" | while read -r folder output enum limit; do
    [ -n "$folder" ] || continue
    files=$(find "$folder" -type f \( -name '*.js' -o -name '*.css' \) | LC_ALL=C sort)
    [ -n "$files" ] || { echo "embed-page: $folder has no files" >&2; exit 1; }
    {
        echo "// This file is generated: change the files in $folder, then run scripts/embed-page.sh."
        echo "// swift-format-ignore-file"
        echo
        echo "/// The contents of the files in \`$folder\`."
        echo "enum $enum {"
        for file in $files; do
            if grep -q '"""##' "$file"; then
                echo "embed-page: $file contains the end of a Swift literal" >&2
                exit 1
            fi
            echo "    /// The contents of \`$(basename "$file")\`."
            echo "    static let $(basename "$file" | tr .- __) = ##\"\"\""
            cat "$file"
            # The last line break of the file is part of the literal's last line.
            echo
            echo '"""##'
        done
        echo "}"
    } >"$new"
    size=0
    for file in $files; do size=$((size + $(gzip -9 -n -c "$file" | wc -c))); done
    if [ "$size" -gt "$limit" ]; then
        echo "embed-page: the files in $folder have $size bytes after gzip -9; the limit is $limit" >&2
        exit 1
    fi
    if [ -z "$check" ]; then
        cp "$new" "$output"
    elif ! cmp -s "$new" "$output"; then
        echo "embed-page: $output differs from $folder; run scripts/embed-page.sh" >&2
        exit 1
    fi
    echo "embed-page: $folder has $size of $limit bytes after gzip -9"
done
