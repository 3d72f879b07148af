#!/bin/sh
# Makes a release of the tool from the last commit: an archive, a Debian package, an SBOM and their checksums, and a
# container image if podman or docker is running. docs/internals/release.md describes the files.
#
#   scripts/package.sh [--output DIR] [--no-image | --allow-tags]    the default of DIR is .build-release
#   scripts/package.sh --update                                      updates scripts/release/packages.lock to the newest packages
#
# With --allow-tags, the Containerfile may name images without a digest. Such an image is not for publishing.
# HOLDFAST_RELEASE_FOLDER replaces the folder of the build, /var/tmp/holdfast-release. The tool contains this path, so
# that two builds have the same bytes only if they use the same folder.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
umask 022
export LC_ALL=C TZ=UTC

fail() {
    echo "package: $*" >&2
    exit 1
}

output=
image=yes
tags=no
update=no
while [ $# -gt 0 ]; do
    case $1 in
        --output)
            [ $# -ge 2 ] || fail "--output needs a folder"
            output=$2
            shift
            ;;
        --no-image) image=no ;;
        --allow-tags) tags=yes ;;
        --update) update=yes ;;
        *) fail "'$1' is not an option; the options are --output DIR, --no-image, --allow-tags and --update" ;;
    esac
    shift
done

work=${HOLDFAST_RELEASE_FOLDER:-/var/tmp/holdfast-release}
case $work in
    *[[:space:]]*) fail "the path $work contains a space, which the linker's list of files does not permit" ;;
    /*) ;;
    *) fail "HOLDFAST_RELEASE_FOLDER must be an absolute path, not $work" ;;
esac
[ "$(uname -s)" = Linux ] || fail "a release can be made on Linux only"
case $(uname -m) in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) fail "a release can be made on x86_64 and aarch64 only, not on $(uname -m)" ;;
esac
for program in git readelf gzip tar flock sha1sum sha256sum; do
    command -v "$program" >/dev/null 2>&1 || fail "the program '$program' is required, but it is not installed"
done
git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 ||
    fail "a release is made from a commit, but $root is not a git repository with commits"

# A tag can name another image tomorrow. Found before the build, which takes long.
engine=
if [ "$image" = yes ] && [ "$update" = no ]; then
    for candidate in podman docker; do
        if [ -z "$engine" ] && "$candidate" info >/dev/null 2>&1; then engine=$candidate; fi
    done
fi
if [ -n "$engine" ] && [ "$tags" = no ]; then
    unpinned=$(awk '
        $1 == "FROM" && !($2 in stages) && !(match($2, /@sha256:[0-9a-f]+$/) && RLENGTH == 72) { printf " %s", $2 }
        $1 == "FROM" && $3 == "AS" { stages[$4] }' "$root/Containerfile")
    [ -z "$unpinned" ] ||
        fail "the Containerfile names images without a digest:$unpinned; docs/internals/release.md pins them," \
            "--allow-tags builds the image anyway, --no-image omits it"
fi

# Other users can write to /var/tmp. A folder that belongs to one of them must not be used.
mkdir -m 700 "$work" 2>/dev/null || [ -d "$work" ] || fail "the folder $work cannot be created"
[ ! -L "$work" ] && [ "$(stat -c %u "$work")" = "$(id -u)" ] || fail "the folder $work belongs to another user"
work=$(CDPATH='' cd -- "$work" && pwd -P)
exec 9>"$work/lock"
flock -n 9 || fail "another release is being made in $work"
source=$work/source
build=$work/build
here=$source/scripts/release
[ -n "$output" ] || output=$root/.build-release
mkdir -p "$output"
output=$(CDPATH='' cd -- "$output" && pwd)
log=$work/log

# The variables select other targets and compiler flags.
unset HOLDFAST_TARGETS HOLDFAST_TESTS HOLDFAST_SANITIZE

# MARK: the source and the build

commit=$(git -C "$root" rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git -C "$root" show -s --format=%ct HEAD)
export SOURCE_DATE_EPOCH
[ -z "$(git -C "$root" status --porcelain)" ] ||
    echo "package: uncommitted changes are not part of the release" >&2
rm -rf "$source"
mkdir -p "$source"
git -C "$root" archive --format=tar HEAD >"$work/source.tar" && tar -xf "$work/source.tar" -C "$source"
rm -f "$work/source.tar"
[ ! -f "$here/packages.lock" ] || cp "$here/packages.lock" "$source/Package.resolved"

if [ "$update" = yes ]; then
    swift package --package-path "$source" --scratch-path "$build" update
    cp "$source/Package.resolved" "$root/scripts/release/packages.lock"
    echo "package: scripts/release/packages.lock has the newest packages; review and commit it"
    exit 0
fi

# -s omits symbols. Debugging information is not made at all: it names each imported C module with a signature that contains
# the times of its headers, and Swift stores a hash of all that in the program.
swift build --package-path "$source" --scratch-path "$build" --configuration release --product holdfast \
    --static-swift-stdlib --only-use-versions-from-resolved-file -debug-info-format none -Xlinker -s >&2 9>&- ||
    fail "the build failed. If it refused the versions of packages, run: scripts/package.sh --update"
tool=$build/release/holdfast
linked=$build/release/holdfast.product/Objects.LinkFileList
[ -x "$tool" ] || fail "the build did not create $tool"
[ -s "$linked" ] || fail "the build did not create the list of linked files, $linked"

# ask FILE WORD...: writes the output of a command of the tool to a file.
ask() {
    file=$1
    shift
    "$tool" "$@" >"$file" 2>"$log" && [ -s "$file" ] || {
        head -n 5 "$log" >&2
        fail "a release needs the output of 'holdfast $*', but the built tool does not print it"
    }
}

ask "$work/version" --version
version=$(sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\)\([^-.0-9].*\)*$/\1/p' "$work/version" |
    head -n 1)
[ -n "$version" ] || fail "'holdfast --version' prints no version of the form 1.2.3: $(head -n 1 "$work/version")"
name=holdfast-$version-linux-$architecture

# MARK: shared libraries

# Prints the Debian packages of the shared libraries, and fails for a library that libraries.txt does not list.
depends() {
    for library in $(readelf -d "$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'); do
        awk -v library="$library" '$1 == library { print $2 " (>= " $3 ")"; found = 1 } END { exit !found }' \
            "$here/libraries.txt" ||
            fail "the tool needs the shared library $library, which scripts/release/libraries.txt does not list"
    done | sort -u | tr '\n' ',' | sed 's/,$//; s/,/, /g'
}
# The exit code of a pipe is that of its last command.
dependencies=$(depends 2>"$log")
[ ! -s "$log" ] || { cat "$log" >&2; exit 1; }
[ -n "$dependencies" ] || fail "readelf lists no shared libraries of $tool"

# The symbols must exist in the oldest C library that the release supports.
oldest=$(awk '$1 == "libc.so.6" { print $3 }' "$here/libraries.txt")
needed=$(readelf -V "$tool" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*/\1/p' | sort -t. -k1,1n -k2,2n | tail -n 1)
[ -n "$needed" ] || fail "readelf lists no versions of the C library's symbols"
newest=$(printf '%s\n%s\n' "$oldest" "$needed" | sort -t. -k1,1n -k2,2n | tail -n 1)
[ "$newest" = "$oldest" ] ||
    fail "the tool needs glibc $needed, but the release supports $oldest; build it on Debian 12 or in the container"

# MARK: the files

files=$work/$name
doc=$files/share/doc/holdfast
licenses=$doc/licenses
rm -rf "$files"
mkdir -p "$files/bin" "$files/share/man/man1" "$files/share/bash-completion/completions" "$licenses" \
    "$files/share/zsh/site-functions" "$files/share/fish/vendor_completions.d"
cp "$tool" "$files/bin/holdfast"
ask "$files/share/bash-completion/completions/holdfast" completions bash
ask "$files/share/zsh/site-functions/_holdfast" completions zsh
ask "$files/share/fish/vendor_completions.d/holdfast.fish" completions fish
ask "$work/manual" manual
grep -q -E '^\.(TH|Dd) ' "$work/manual" || fail "the output of 'holdfast manual' is not a manual page"
gzip -n -9 <"$work/manual" >"$files/share/man/man1/holdfast.1.gz"
gzip -n -9 <"$source/CHANGELOG.md" >"$doc/changelog.gz"

# MARK: the linked packages and their licenses

# license FILE: prints the SPDX identifier of a license.
license() {
    if grep -q 'Runtime Library Exception' "$1"; then
        echo 'Apache-2.0 WITH Swift-exception'
    elif grep -q 'Apache License' "$1"; then
        echo Apache-2.0
    elif grep -q 'Permission is hereby granted, free of charge' "$1"; then
        echo MIT
    else
        fail "the license in $1 is not known; add it to scripts/package.sh"
    fi
}

# The folders with linked files, one for each module, and the sources of linked C and assembly files.
tr ' ' '\n' <"$linked" | sed "s/^'//; s/'\$//" >"$work/objects"
sed -n 's#^\(.*/[^/]*\.build\)/.*#\1#p' "$work/objects" | sort -u >"$work/modules"
grep -E '\.(c|cc|cpp|S)\.o$' "$work/objects" | sed 's/o$/d/' | while IFS= read -r dependencies_of; do
    sed -n '2s/^ *\([^ ]*\).*/\1/p' "$dependencies_of"
done | sort -u >"$work/c-sources"
while IFS= read -r module; do
    # A module of Swift has a list of its sources. Generated sources are in the build folder.
    if [ -f "$module/sources" ]; then
        first=$(grep -F -m 1 /checkouts/ "$module/sources" || head -n 1 "$module/sources")
    else
        object=$(grep -F -m 1 "$module/" "$work/objects")
        first=$(sed -n '2s/^ *\([^ ]*\).*/\1/p' "${object%o}d")
    fi
    case ${first#\'} in
        "$build"/checkouts/*)
            first=${first#*/checkouts/}
            echo "${first%%/*}"
            ;;
        "$source"/* | "$build"/*) ;;
        *) fail "the package of the linked module $module cannot be determined" ;;
    esac
done <"$work/modules" >"$work/linked.unsorted"
sort -u "$work/linked.unsorted" >"$work/linked"
[ -s "$work/linked" ] || fail "$linked contains no files of other packages, which cannot be right"

# One line for each package: folder, version, revision, URL.
awk -F'"' '
    /"location" :/ { url = $4; folder = url; sub(/.*\//, "", folder); sub(/\.git$/, "", folder) }
    /"revision" :/ { revision = $4 }
    /"version" : "/ { print folder "\t" $4 "\t" revision "\t" url }' "$source/Package.resolved" >"$work/resolved"

tab=$(printf '\t')
: >"$work/packages"
while IFS= read -r folder; do
    line=$(awk -F'\t' -v folder="$folder" '$1 == folder' "$work/resolved")
    [ -n "$line" ] || fail "the tool is linked with $folder, which packages.lock does not contain"
    url=${line##*"$tab"}
    rest=${line#*"$tab"}
    number=${rest%%"$tab"*}
    rest=${rest#*"$tab"}
    revision=${rest%%"$tab"*}
    checkout=$build/checkouts/$folder
    mkdir "$licenses/$folder"
    text=
    for file in "$checkout"/LICENSE* "$checkout"/NOTICE* "$checkout"/COPYING*; do
        [ -f "$file" ] || continue
        cp "$file" "$licenses/$folder/"
        case $file in */LICENSE*) text=$file ;; esac
    done
    [ -n "$text" ] || fail "the package $folder has no license file"
    # A module with code of others can have a license of its own, such as llhttp in swift-nio.
    for file in "$checkout"/Sources/*/LICENSE*; do
        module=${file%/*}
        module=${module##*/}
        [ -f "$file" ] && grep -q "/$module\.build\$" "$work/modules" || continue
        cp "$file" "$licenses/$folder/$module-${file##*/}"
    done
    kind=$(license "$text")
    plain=${url#https://}
    printf 'package\t%s\t%s\t%s\tgit+%s@%s\t%s\tpkg:swift/%s@%s\n' "$folder" "$folder" "$number" "$url" "$revision" \
        "$kind" "${plain%.git}" "$number" >>"$work/packages"
    # Packages that contain a copy of BoringSSL name its revision in a file.
    for file in "$checkout"/Sources/*/hash.txt; do
        [ -f "$file" ] || continue
        revision=$(sed -n 's/.*boringssl at revision \([0-9a-f]*\).*/\1/p' "$file")
        [ -n "$revision" ] || fail "the revision of BoringSSL in $file cannot be read"
        printf 'package\tboringssl-in-%s\tboringssl\t%s\tgit+%s@%s\tApache-2.0\t-\n' "$folder" "$revision" \
            https://boringssl.googlesource.com/boringssl "$revision" >>"$work/packages"
    done
done <"$work/linked"

mkdir "$licenses/vendored-c-code" "$licenses/swift" "$licenses/icu"
xargs awk -f "$here/notices.awk" <"$work/c-sources" >"$licenses/vendored-c-code/NOTICES"
[ -s "$licenses/vendored-c-code/NOTICES" ] || fail "no notice was found in the linked C files"
toolchain=$(dirname -- "$(dirname -- "$(readlink -f "$(command -v swift)")")")
cp "$toolchain/share/swift/LICENSE.txt" "$licenses/swift/LICENSE.txt" ||
    fail "the toolchain contains no license in share/swift/LICENSE.txt"
cp "$here/icu-license.txt" "$licenses/icu/LICENSE"
swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
# Not in the arguments of printf, where its failure would only end the subshell.
kind=$(license "$licenses/swift/LICENSE.txt")
printf 'package\tswift\tSwift runtime and Foundation\t%s\t-\t%s\tpkg:github/swiftlang/swift@swift-%s-RELEASE\n' \
    "$swift" "$kind" "$swift" >>"$work/packages"
# Foundation's copy of ICU has a version of its own, by which scanners find its vulnerabilities.
header=$toolchain/lib/swift_static/_foundation_unicode/uvernum.h
icu=
[ ! -f "$header" ] || icu=$(sed -n 's/^#define U_ICU_VERSION "\([0-9][0-9.]*\)".*/\1/p' "$header" | head -n 1)
printf 'package\ticu\tICU, part of Foundation\t%s\t-\tUnicode-3.0\t-\n' "${icu:-NOASSERTION}" >>"$work/packages"

{
    cat "$source/NOTICE"
    printf '\n\nThe released tool contains the code of these packages. Their licenses are in the folder licenses.\n\n'
    awk -F'\t' '{ print "    " $3 " " $4 " (" $6 ")" }' "$work/packages"
    printf '\nThe notices of vendored C code are in licenses/vendored-c-code/NOTICES.\n\n'
    cat "$source/LICENSE"
} >"$doc/copyright"

# MARK: the archive

# settle FOLDER: gives all files in the folder the same modes and times, on all machines.
settle() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f -exec chmod 644 {} +
    find "$1" -type f -path '*/bin/*' -exec chmod 755 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# Symbolic links and empty files are mistakes.
odd=$(find "$files" ! -type d ! -type f -o -type f ! -size +0c)
[ -z "$odd" ] || fail "these files of the release are empty or not regular: $odd"

deb_root=$work/deb
rm -rf "$deb_root"
mkdir -p "$deb_root/DEBIAN" "$deb_root/usr"
cp -R "$files/." "$deb_root/usr/"
mv "$deb_root/usr/share/zsh/site-functions" "$deb_root/usr/share/zsh/vendor-completions"

(cd "$files" && find . -type f | sed 's#^\./##' | sort | xargs sha256sum >"$work/sums" && mv "$work/sums" SHA256SUMS)
settle "$files"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=ustar \
    -C "$work" -cf - "$name" | gzip -n -9 >"$output/$name.tar.gz"
set -- "$name.tar.gz"

# MARK: the Debian package

if command -v dpkg-deb >/dev/null 2>&1; then
    deb=holdfast_$version-1_$architecture.deb
    maintainer='Holdfast project authors <maintainers@holdfast.example>'
    {
        printf 'holdfast (%s-1) stable; urgency=medium\n\n  * Release %s. changelog.gz has the changes.\n\n' \
            "$version" "$version"
        printf ' -- %s  %s\n' "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -n -9 >"$deb_root/usr/share/doc/holdfast/changelog.Debian.gz"
    # Debian's unit is 1,024 bytes. Every file and every folder takes at least one.
    size=$(find "$deb_root/usr" -type f -printf '%s\n' -o -printf '1\n' |
        awk '{ total += int(($1 + 1023) / 1024) } END { print total }')
    cat >"$deb_root/DEBIAN/control" <<CONTROL
Package: holdfast
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $dependencies
Recommends: ca-certificates
Suggests: bash-completion, openssl
Section: net
Priority: optional
Description: pins TLS servers, and tests pinning policies
 Holdfast prints the pins of servers and keys, checks servers and policies, signs
 policy bundles, converts the pinning formats of other libraries, and runs a chat
 server for development. 'holdfast demo' shows a pinned chat and attacks on it.
CONTROL
    settle "$deb_root"
    (cd "$deb_root" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
    settle "$deb_root"
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$deb_root" "$output/$deb" >"$log" 2>&1 ||
        { cat "$log" >&2; fail "dpkg-deb failed"; }
    odd=$(dpkg-deb --contents "$output/$deb" | awk '
        { mode = $1 }
        $2 == "root/root" && mode == "drwxr-xr-x" { next }
        $2 == "root/root" && mode == "-rwxr-xr-x" && $6 == "./usr/bin/holdfast" { next }
        $2 == "root/root" && mode == "-rw-r--r--" && $6 ~ /^\.\/usr\/share\// { next }
        { print }')
    [ -z "$odd" ] || fail "these files of the Debian package have a wrong mode, owner or place: $odd"
    set -- "$@" "$deb"
else
    echo "package: dpkg-deb is not installed, so that no Debian package was made" >&2
fi

# MARK: the SBOM and the checksums

created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
# Prints the records of the SBOM, which contains the tool and the files that the arguments name.
sbom() {
    printf 'document\tholdfast\t%s\t%s\t%s\t@\n' "$version" "$created" "$commit"
    cat "$work/packages"
    for file in holdfast "$@"; do
        if [ "$file" = holdfast ]; then path=$tool; else path=$output/$file; fi
        printf 'file\t%s\t%s\t%s\n' "$file" "$(sha1sum "$path" | cut -d' ' -f1)" "$(sha256sum "$path" | cut -d' ' -f1)"
    done
}
sbom "$@" >"$work/sbom.tsv"
# SPDX requires a different namespace for each document. The hash of the contents is the same for the same build.
digest=$(sha256sum "$work/sbom.tsv" | cut -d' ' -f1)
sed "1s#@\$#https://spdx.org/spdxdocs/$name-$digest#" "$work/sbom.tsv" |
    awk -f "$here/sbom.awk" >"$output/$name.spdx.json" ||
    fail "the SBOM could not be made"
set -- "$@" "$name.spdx.json"
(cd "$output" && sha256sum "$@" >SHA256SUMS)
set -- "$@" SHA256SUMS

# MARK: the image

if [ "$image" = yes ]; then
    if [ -n "$engine" ]; then
        "$engine" build --file "$root/Containerfile" --tag "holdfast:$version" "$root" >&2 ||
            fail "$engine could not build the image"
        echo "package: $engine built the image holdfast:$version"
    else
        echo "package: neither podman nor docker is running, so that no image was built" >&2
    fi
fi

for file in "$@"; do
    echo "$output/$file: $(wc -c <"$output/$file" | tr -d ' ') bytes"
done
echo "package: holdfast $version for $architecture, from $commit; the tool has $(wc -c <"$tool" | tr -d ' ') bytes"
