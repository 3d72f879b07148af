#!/bin/sh
# Tests scripts/package.sh without a build: in a temporary repository, with a `swift` that creates the results of a
# build, and a `readelf` that lists libraries. Checks the files of the release, that a second release has the same bytes,
# and that each problem of a release is reported.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ "$(uname -s)" = Linux ] || { echo "test-package: skipped, because a release can be made on Linux only"; exit 0; }
HOLDFAST_RELEASE_FOLDER=$scratch/work
export HOLDFAST_RELEASE_FOLDER
repository=$scratch/repository
programs=$scratch/programs
mkdir -p "$repository/scripts" "$repository/Sources" "$programs" "$scratch/toolchain/bin" "$scratch/toolchain/share/swift"
tried=0

fail() {
    echo "test-package: $*" >&2
    exit 1
}

# MARK: the programs

cat >"$scratch/toolchain/bin/swift" <<'SWIFT'
#!/bin/sh
# Creates what a build of the release creates.
set -eu
if [ "$1" = --version ]; then echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"; exit; fi
while [ $# -gt 0 ]; do
    case $1 in
        --package-path) source=$2 ;;
        --scratch-path) build=$2 ;;
    esac
    shift
done
rm -rf "$build"
mkdir -p "$build/release/holdfast.product" "$build/release/HoldfastTool.build" "$build/release/Log.build" \
    "$build/release/CShim.build" "$build/checkouts/swift-log/Sources/CShim"
cp "$source/tool.sh" "$build/release/holdfast"
echo "$source/Sources/Tool.swift" >"$build/release/HoldfastTool.build/sources"
echo "$build/checkouts/swift-log/Sources/Log/Log.swift" >"$build/release/Log.build/sources"
cp "$source/license.txt" "$build/checkouts/swift-log/LICENSE.txt"
mkdir "$build/checkouts/swift-log/Sources/Unused"
echo 'License of the shim' >"$build/checkouts/swift-log/Sources/CShim/LICENSE"
echo 'License of others' >"$build/checkouts/swift-log/Sources/Unused/LICENSE"
printf '// Copyright The Shim Authors\n// Licensed under MIT\n\n#include "shim.h"\n' \
    >"$build/checkouts/swift-log/Sources/CShim/shim.c"
printf 'dependencies: \\\n  %s \\\n  other.h\n' "$build/checkouts/swift-log/Sources/CShim/shim.c" \
    >"$build/release/CShim.build/shim.c.d"
printf '%s\n' "$build/release/HoldfastTool.build/Tool.swift.o" "'$build/release/Log.build/Log+More.swift.o'" \
    "$build/release/CShim.build/shim.c.o" >"$build/release/holdfast.product/Objects.LinkFileList"
SWIFT
cat >"$programs/readelf" <<READELF
#!/bin/sh
case \$1 in
    -d) sed 's/.*/ 0x1 (NEEDED) Shared library: [&]/' "$scratch/libraries" ;;
    -V) sed 's/.*/  0x0010:   Name: &  Flags: none  Version: 3/' "$scratch/symbols" ;;
esac
READELF
ln -s "$scratch/toolchain/bin/swift" "$programs/swift"
chmod +x "$scratch/toolchain/bin/swift" "$programs/readelf"
printf 'Apache License\n## Runtime Library Exception\n' >"$scratch/toolchain/share/swift/LICENSE.txt"
icu=$scratch/toolchain/lib/swift_static/_foundation_unicode
mkdir -p "$icu"
printf '#define U_ICU_VERSION_MAJOR_NUM 76\n#define U_ICU_VERSION "76.1"\n' >"$icu/uvernum.h"

# MARK: the repository

# restore: creates the files of a release without problems.
restore() {
    rm -rf "$repository/scripts"
    mkdir -p "$repository/scripts"
    cp -R "$root/scripts/package.sh" "$root/scripts/release" "$repository/scripts/"
    cp "$root/LICENSE" "$root/NOTICE" "$root/CHANGELOG.md" "$repository/"
    printf '%s\n' '#!/bin/sh' 'case "$*" in' '--version) echo "holdfast 1.2.3" ;;' 'completions\ *) echo "$*" ;;' \
        'manual) echo ".TH HOLDFAST 1" ;;' '*) exit 64 ;;' 'esac' >"$repository/tool.sh"
    chmod +x "$repository/tool.sh"
    echo 'Apache License' >"$repository/license.txt"
    printf '%s\n' '{' '  "pins" : [ {' '    "identity" : "swift-log",' \
        '    "location" : "https://github.com/apple/swift-log.git",' '    "state" : {' \
        '      "revision" : "0123abcd",' '      "version" : "1.16.2"' '    } } ],' '  "version" : 3' '}' \
        >"$repository/scripts/release/packages.lock"
    printf 'libc.so.6\nlibz.so.1\n' >"$scratch/libraries"
    printf 'GLIBC_2.2.5\nGLIBC_2.36\nGLIBC_2.4\n' >"$scratch/symbols"
}

options=--no-image

# release FOLDER: makes a release of the files, from a commit with a fixed time.
release() {
    git -C "$repository" add -A
    GIT_COMMITTER_DATE='@1700000000 +0000' git -C "$repository" -c user.name=A -c user.email=a@example.com \
        commit -q --allow-empty --date '@1700000000 +0000' -m 'Release'
    PATH=$programs:$PATH "$repository/scripts/package.sh" $options --output "$1" >"$scratch/said" 2>&1
}

# made FOLDER: makes a release, which must succeed.
made() {
    tried=$((tried + 1))
    release "$1" || { cat "$scratch/said" >&2; fail "package.sh failed for a release without problems"; }
}

# refused MESSAGE: making a release must fail with this message.
refused() {
    tried=$((tried + 1))
    ! release "$scratch/refused" || fail "package.sh succeeded, expected: $1"
    grep -qF -- "$1" "$scratch/said" || { cat "$scratch/said" >&2; fail "another message than: $1"; }
    restore
}

# expect FILE TEXT: the file must contain the text.
expect() {
    tried=$((tried + 1))
    grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "${1##*/} does not contain: $2"; }
}

git -C "$repository" init -q
restore
made "$scratch/first"
cp -R "$repository" "$scratch/copy"
find "$scratch/copy" -name '*.md' -exec touch -d '2020-01-01' {} +
repository=$scratch/copy
PATH=$programs:$PATH "$repository/scripts/package.sh" --no-image --output "$scratch/second" >"$scratch/said" 2>&1 ||
    { cat "$scratch/said" >&2; fail "package.sh failed for a copy of the repository"; }
tried=$((tried + 1))
diff -r "$scratch/first" "$scratch/second" || fail "two releases of one commit have different bytes"
repository=$scratch/repository

# MARK: the files of the release

(cd "$scratch/first" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS does not match the files"
mkdir "$scratch/unpacked"
tar -xzf "$scratch"/first/holdfast-1.2.3-linux-*.tar.gz -C "$scratch/unpacked"
unpacked=$(echo "$scratch"/unpacked/holdfast-1.2.3-linux-*)
(cd "$unpacked" && sha256sum --quiet -c SHA256SUMS) || fail "the archive's SHA256SUMS does not match its files"
[ -x "$unpacked/bin/holdfast" ] || fail "the archive's tool is not executable"
expect "$unpacked/share/bash-completion/completions/holdfast" 'completions bash'
expect "$unpacked/share/zsh/site-functions/_holdfast" 'completions zsh'
expect "$unpacked/share/fish/vendor_completions.d/holdfast.fish" 'completions fish'
expect "$unpacked/share/doc/holdfast/copyright" 'swift-log 1.16.2 (Apache-2.0)'
expect "$unpacked/share/doc/holdfast/copyright" 'ICU, part of Foundation 76.1 (Unicode-3.0)'
expect "$unpacked/share/doc/holdfast/licenses/swift-log/LICENSE.txt" 'Apache License'
expect "$unpacked/share/doc/holdfast/licenses/swift-log/CShim-LICENSE" 'License of the shim'
[ ! -e "$unpacked/share/doc/holdfast/licenses/swift-log/Unused-LICENSE" ] ||
    fail "the archive contains the license of a module that is not linked"
expect "$unpacked/share/doc/holdfast/licenses/swift/LICENSE.txt" 'Runtime Library Exception'
expect "$unpacked/share/doc/holdfast/licenses/icu/LICENSE" 'UNICODE LICENSE V3'
expect "$unpacked/share/doc/holdfast/licenses/vendored-c-code/NOTICES" 'Copyright The Shim Authors'
gzip -dc "$unpacked/share/man/man1/holdfast.1.gz" >"$scratch/manual"
expect "$scratch/manual" '.TH HOLDFAST 1'

sbom=$(echo "$scratch"/first/*.spdx.json)
expect "$sbom" '"referenceLocator": "pkg:swift/github.com/apple/swift-log@1.16.2"'
expect "$sbom" '"downloadLocation": "git+https://github.com/apple/swift-log.git@0123abcd"'
expect "$sbom" '"created": "2023-11-14T22:13:20Z"'
expect "$sbom" "\"checksumValue\": \"$(sha256sum "$repository/tool.sh" | cut -d' ' -f1)\""
# A property list program is part of the toolchain on all platforms, and reads JSON.
if command -v plutil >/dev/null 2>&1; then
    plutil -convert xml1 -o /dev/null "$sbom" || fail "the SBOM is not valid JSON"
fi

if command -v dpkg-deb >/dev/null 2>&1; then
    dpkg-deb --info "$scratch"/first/*.deb >"$scratch/control"
    expect "$scratch/control" 'Depends: libc6 (>= 2.36), zlib1g (>= 1:1.2.13)'
    expect "$scratch/control" 'Version: 1.2.3-1'
    dpkg-deb --contents "$scratch"/first/*.deb >"$scratch/contents"
    expect "$scratch/contents" './usr/share/zsh/vendor-completions/_holdfast'
    expect "$scratch/contents" './usr/share/doc/holdfast/changelog.Debian.gz'
fi

# MARK: problems

ln -s "$scratch/work" "$scratch/link"
HOLDFAST_RELEASE_FOLDER=$scratch/link
refused 'belongs to another user'
HOLDFAST_RELEASE_FOLDER='relative'
refused 'must be an absolute path'
HOLDFAST_RELEASE_FOLDER=$scratch/work
exec 8>"$scratch/work/lock"
flock 8
refused 'another release is being made'
exec 8>&-
echo libcurl.so.4 >>"$scratch/libraries"
refused 'the tool needs the shared library libcurl.so.4'
echo GLIBC_2.38 >>"$scratch/symbols"
refused 'the tool needs glibc 2.38, but the release supports 2.36'
sed -i 's/^manual.*/manual) exit 64 ;;/' "$repository/tool.sh"
refused "a release needs the output of 'holdfast manual'"
sed -i 's/^manual.*/manual) echo text ;;/' "$repository/tool.sh"
refused "the output of 'holdfast manual' is not a manual page"
sed -i 's/^completions.*/completions\\ bash) echo bash ;;/' "$repository/tool.sh"
refused "a release needs the output of 'holdfast completions zsh'"
sed -i 's/^--version.*/--version) echo unknown ;;/' "$repository/tool.sh"
refused "'holdfast --version' prints no version of the form 1.2.3: unknown"
sed -i 's/^--version.*/--version) echo "holdfast 1.2.3-beta" ;;/' "$repository/tool.sh"
refused "'holdfast --version' prints no version of the form 1.2.3: holdfast 1.2.3-beta"
echo 'All rights reserved.' >"$repository/license.txt"
refused 'is not known; add it to scripts/package.sh'
license=$scratch/toolchain/share/swift/LICENSE.txt
cp "$license" "$scratch/license"
echo 'All rights reserved.' >"$license"
refused 'swift/LICENSE.txt is not known; add it to scripts/package.sh'
cp "$scratch/license" "$license"
sed -i 's/swift-log/swift-other/' "$repository/scripts/release/packages.lock"
refused 'the tool is linked with swift-log, which packages.lock does not contain'

# An engine that builds every image, and says which one.
printf '#!/bin/sh\n[ "$1" = info ] || echo "built $*"\n' >"$programs/podman"
chmod +x "$programs/podman"
digest=$(echo image | sha256sum | cut -d' ' -f1)
containerfile() {
    printf 'FROM example.com/swift%s AS build\nFROM build AS again\nFROM example.com/debian%s\n' "$1" "$2" \
        >"$repository/Containerfile"
}
options=
containerfile ":6.3@sha256:$digest" :12-slim
refused 'names images without a digest: example.com/debian:12-slim; docs/'
containerfile :6.3 "@sha256:${digest%?}"
refused "without a digest: example.com/swift:6.3 example.com/debian@sha256:${digest%?}; docs/"
options=--allow-tags
made "$scratch/tags"
expect "$scratch/said" 'podman built the image holdfast:1.2.3'
options=
containerfile ":6.3@sha256:$digest" ":12-slim@sha256:$digest"
made "$scratch/digests"
expect "$scratch/said" 'podman built the image holdfast:1.2.3'
options=--no-image

rm "$icu/uvernum.h"
made "$scratch/third"
for sbom in "$scratch"/third/*.spdx.json; do expect "$sbom" '"versionInfo": "NOASSERTION"'; done
echo "test-package: $tried cases succeeded"
