#!/bin/sh
# Checks that the target of every relative link in a Markdown file exists, and that every #anchor matches a heading. Also
# checks that the pages exist that code, help texts and tutorials name by their paths, such as docs/README.md.
set -eu
cd "$(dirname "$0")/.."

list=$(find . -name '*.md' -not -path '*/.build*' -not -path './.git/*' | sort)
[ -n "$list" ] || { echo "check-docs-links: no Markdown file found" >&2; exit 1; }

# Prints "file<TAB>line<TAB>target" for each inline link, except in code blocks and code spans.
links() {
    awk '
        FNR == 1 { fenced = 0 }
        /^[ ]*```/ { fenced = !fenced; next }
        fenced { next }
        {
            gsub(/`[^`]*`/, "")
            while (match($0, /\]\([^)]*\)/)) {
                print FILENAME "\t" FNR "\t" substr($0, RSTART + 2, RLENGTH - 3)
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' $list
}

# Prints the anchors of a Markdown file, as GitHub generates them from headings.
anchors() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

broken=$(links | while IFS='	' read -r file line target; do
    case $target in http://* | https://* | mailto:*) continue ;; esac
    path=${target%%#*}
    if [ -z "$path" ]; then
        where=$file
    else
        where=$(dirname "$file")/$path
    fi
    if [ ! -e "$where" ]; then
        echo "$file:$line: no such file: $target"
        continue
    fi
    case $target in
        *.md#* | \#*)
            anchors "$where" | grep -qx -- "${target#*#}" || echo "$file:$line: no such heading: $target"
            ;;
    esac
done)

# Prints "file:line:path" for each path of a page. Scripts fail themselves without the pages that they read.
named() {
    find Sources Tests Plugins Examples Documentation Benchmarks Fuzz run .ci -type f \
        \( -name '*.swift' -o -name '*.sh' -o -name '*.py' -o -name '*.txt' -o -name '*.tutorial' -o -name run \) \
        -not -path '*/.build*' -exec grep -HnoE \
        '(^|[^A-Za-z0-9/_.$}*-])(docs|Sources)/[A-Za-z0-9_./-]+\.md' {} + 2>/dev/null |
        sed 's/^\([^:]*:[0-9]*:\)[^A-Za-z]/\1/' | sort
}

missing=$(named | while IFS=: read -r file line path; do
    [ -e "$path" ] || echo "$file:$line: no such file: $path"
done)

if [ -n "$broken$missing" ]; then
    printf '%s\n' "$broken" "$missing" | sed '/^$/d' >&2
    exit 1
fi
echo "check-docs-links: the targets of all links and the pages that code names exist"
